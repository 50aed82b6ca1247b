#include "whittle/memory/held_points.h"

#include <algorithm>

namespace whittle {

void HeldPoints::place(Arena& arena, const MemoryConfig& config) {
  if (!config.points) return;
  features_ = config.features;
  labelled_capacity_ = config.labelled;
  window_ = config.geometry == Geometry::codebook ? 0 : config.window;
  max_units_ = static_cast<std::uint32_t>(config.units());
  last_left_ = max_units_;
  const std::size_t capacity = config.capacity();
  rows_ = arena.array<Real>(capacity * features_);
  const Span<std::uint64_t> numbers = arena.array<std::uint64_t>(2 * capacity);
  stamps_ = numbers.subspan(0, capacity);
  ids_ = numbers.subspan(capacity, capacity);
  labels_ = arena.array<std::uint32_t>(capacity);
  order_ = arena.array<Slot>(capacity);
  class_counts_ = arena.array<std::uint32_t>(config.classes);
  missing_ = arena.array<bool>(capacity);
  std::fill(stamps_.begin(), stamps_.end(), kFree);
}

Slot HeldPoints::victim(std::uint32_t label) const {
  if (label == kUnlabelled) {
    if (size_ - labelled_ - units_ < window_) return kNoSlot;
    for (const Slot slot : order()) {
      if (labels_[slot] == kUnlabelled && !is_unit(slot)) return slot;
    }
    return kNoSlot;
  }
  return labelled_ < labelled_capacity_ ? kNoSlot : oldest_of_largest(label);
}

// The oldest point of the largest class, a newcomer with this label counted.
Slot HeldPoints::oldest_of_largest(std::uint32_t label) const {
  std::uint32_t largest = 0;
  for (std::uint32_t c = 0; c < classes(); ++c) {
    largest = std::max(largest, class_counts_[c] + (c == label ? 1U : 0U));
  }
  for (const Slot slot : order()) {
    const std::uint32_t c = labels_[slot];
    if (c != kUnlabelled && class_counts_[c] + (c == label ? 1U : 0U) == largest) return slot;
  }
  return kNoSlot;
}

Slot HeldPoints::take_slot(std::uint64_t stamp) {
  Slot slot = last_left_;
  if (stamps_[slot] != kFree) {
    slot = max_units_;
    while (stamps_[slot] != kFree) ++slot;  // std::find takes five times the code
  }
  stamps_[slot] = stamp;
  return slot;
}

Slot HeldPoints::add(std::uint32_t label, std::uint64_t arrival, std::uint64_t id) {
  const Slot slot = take_slot(max_units_ + arrival);
  ids_[slot] = id;
  labels_[slot] = label;
  order_[size_++] = slot;
  if (label != kUnlabelled) {
    ++class_counts_[label];
    ++labelled_;
  }
  return slot;
}

Slot HeldPoints::add_unit() {
  const Slot slot = units_;
  stamps_[slot] = units_;
  labels_[slot] = kUnlabelled;
  std::copy_backward(order_.begin() + units_, order_.begin() + size_, order_.begin() + size_ + 1);
  order_[units_] = slot;
  ++size_;
  ++units_;
  return slot;
}

void HeldPoints::relabel(Slot slot, std::uint32_t label) {
  labels_[slot] = label;
  ++class_counts_[label];
  ++labelled_;
}

Slot HeldPoints::find(std::uint64_t id) const {
  for (const Slot slot : order()) {
    if (!is_unit(slot) && ids_[slot] == id) return slot;
  }
  return kNoSlot;
}

void HeldPoints::remove(Slot slot) {
  if (labels_[slot] != kUnlabelled) {
    --class_counts_[labels_[slot]];
    --labelled_;
  }
  note_missing(slot, false);
  stamps_[slot] = kFree;
  last_left_ = slot;
  Slot* end = order_.begin() + size_;
  Slot* place = order_.begin();
  while (*place != slot) ++place;
  std::copy(place + 1, end, place);
  --size_;
}

std::uint32_t HeldPoints::classes_present() const {
  std::uint32_t present = 0;
  for (const std::uint32_t count : class_counts_) present += count > 0 ? 1U : 0U;
  return present;
}

void HeldPoints::digest(Digest& digest) const {
  digest.add(static_cast<std::uint64_t>(size_));
  for (const Slot slot : order()) {
    digest.add(stamps_[slot]);
    digest.add(labels_[slot]);
    digest.add_all(row(slot), features_);
  }
}

}  // namespace whittle
