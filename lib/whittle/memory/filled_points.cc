#include "whittle/memory/filled_points.h"

#include "whittle/base/lanes.h"

namespace whittle {

Real mean_of_present(const HeldPoints& points, std::size_t feature) {
  // Deviations from the first present value, so that a large offset costs no digits.
  Real origin = kNoScore;
  CompensatedSum sum;
  std::size_t count = 0;
  for (const Slot slot : points.order()) {
    const Real value = points.row(slot)[feature];
    if (is_missing(value)) continue;
    if (count == 0) origin = value;
    sum.add(value - origin);
    ++count;
  }
  return count == 0 ? Real(0) : origin + sum.value() / static_cast<Real>(count);
}

void FilledPoints::place(Arena& arena, std::size_t features) {
  const Span<Real> rows = arena.array<Real>(3 * features);
  means_ = rows.subspan(0, features);
  buffers_ = rows.subspan(features, 2 * features);
}

void FilledPoints::update(const HeldPoints& points) {
  points_ = &points;
  if (!points.any_missing()) return;
  for (std::size_t r = 0; r < means_.size(); ++r) means_[r] = mean_of_present(points, r);
}

const Real* FilledPoints::row(Slot slot, std::size_t which) const {
  const Real* x = points_->row(slot);
  if (!points_->has_missing(slot)) return x;
  const std::size_t m = means_.size();
  Real* filled = buffers_.data() + which * m;
  for (std::size_t r = 0; r < m; ++r) filled[r] = is_missing(x[r]) ? means_[r] : x[r];
  return filled;
}

}  // namespace whittle
