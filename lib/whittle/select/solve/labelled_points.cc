#include "whittle/select/solve/labelled_points.h"

#include <algorithm>

namespace whittle {

void LabelledPoints::place(Arena& arena, const MemoryConfig& config) {
  features_ = config.features;
  stamps_ = arena.array<std::uint64_t>(config.labelled);
  slots_ = arena.array<Slot>(config.labelled);
  before_ = arena.array<std::uint32_t>(config.labelled);
  centre_ = arena.array<Real>(config.features);
  filled_.place(arena, config.features);
}

void LabelledPoints::update(const HeldPoints& points) {
  filled_.update(points);
  list(points);
  std::fill(centre_.begin(), centre_.end(), Real(0));
  if (size_ == 0) return;
  // Deviations from the oldest, so that a large offset costs no digits.
  const Real* origin = filled_.row(slots_[0], 0);
  for (std::size_t i = 1; i < size_; ++i) {
    const Real* x = filled_.row(slots_[i], 1);
    for (std::size_t r = 0; r < features_; ++r) centre_[r] += x[r] - origin[r];
  }
  for (std::size_t r = 0; r < features_; ++r) {
    centre_[r] = origin[r] + centre_[r] / static_cast<Real>(size_);
  }
}

void LabelledPoints::list(const HeldPoints& points) {
  // Both lists go from old to new: one walk finds who was there. The new stamps are written after
  // it, since a point may come among the older ones.
  std::size_t count = 0;
  std::size_t old = 0;
  any_missing_ = false;
  for (const Slot slot : points.order()) {
    if (points.label(slot) == kUnlabelled || count == slots_.size()) continue;
    while (old < size_ && stamps_[old] < points.stamp(slot)) ++old;
    const bool known = old < size_ && stamps_[old] == points.stamp(slot);
    before_[count] = known ? static_cast<std::uint32_t>(old) : kNoSlot;
    any_missing_ = any_missing_ || points.has_missing(slot);
    slots_[count++] = slot;
  }
  size_ = count;
  for (std::size_t i = 0; i < size_; ++i) stamps_[i] = points.stamp(slots_[i]);
}

}  // namespace whittle
