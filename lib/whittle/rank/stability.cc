#include "whittle/rank/stability.h"

namespace whittle {

void MaskStability::place(Arena& arena, std::size_t features, std::uint32_t masks) {
  capacity_ = masks;
  if (masks == 0) return;
  bits_ = arena.array<std::uint8_t>(masks * mask_bytes(features));
  selected_ = arena.array<std::uint16_t>(features);
}

void MaskStability::count(std::size_t feature, bool enters) {
  // (c + 1)^2 - c^2 on entering, c^2 - (c - 1)^2 on leaving.
  const std::uint64_t before = selected_[feature];
  if (enters) {
    ++selected_[feature];
    ++sum_;
    squares_ += 2 * before + 1;
  } else {
    --selected_[feature];
    --sum_;
    squares_ -= 2 * before - 1;
  }
}

void MaskStability::add(Span<const bool> mask) {
  if (capacity_ == 0) return;
  std::uint8_t* const row = bits_.data() + next_ * mask_bytes(selected_.size());
  const bool full = held_ == capacity_;
  for (std::size_t r = 0; r < selected_.size(); ++r) {
    std::uint8_t& byte = row[r / 8];
    const auto bit = static_cast<std::uint8_t>(1U << (r % 8));
    const bool was = full && (byte & bit) != 0;
    if (was != mask[r]) count(r, mask[r]);
    byte = static_cast<std::uint8_t>(mask[r] ? byte | bit : byte & ~bit);
  }
  if (!full) ++held_;
  next_ = (next_ + 1) % capacity_;
}

void MaskStability::clear() {
  for (std::uint16_t& count : selected_) count = 0;
  held_ = 0;
  next_ = 0;
  sum_ = 0;
  squares_ = 0;
}

Real MaskStability::value() const {
  const std::uint64_t all = std::uint64_t{held_} * selected_.size();  // M m
  if (held_ < 2 || sum_ == 0 || sum_ == all) return kNoScore;
  // With c_r the counts: sum_r p_r (1 - p_r) = (M sum c_r - sum c_r^2) / M^2.
  const Real masks = static_cast<Real>(held_);
  const Real features = static_cast<Real>(selected_.size());
  const Real unlike = real_count(held_ * sum_ - squares_) / (masks * (masks - Real(1)) * features);
  const Real share = real_count(sum_) / real_count(all);
  return Real(1) - unlike / (share * (real_count(all - sum_) / real_count(all)));
}

void MaskStability::digest(Digest& digest) const {
  digest.add(held_);
  digest.add(next_);
  digest.add_all(selected_.data(), selected_.size());
  digest.add_all(bits_.data(), bits_.size());
}

}  // namespace whittle
