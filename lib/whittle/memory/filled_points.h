// FilledPoints: the held points as full vectors, for what needs those (dot products, correlations,
// clusterings, solvers): in place of a missing value stands the mean of the present values of the
// held points, 0 if there is none. Cost: update one pass over the points if a value is missing,
// else nothing. Memory: 3 m Reals.
#ifndef WHITTLE_MEMORY_FILLED_POINTS_H_
#define WHITTLE_MEMORY_FILLED_POINTS_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/placed_pointer.h"
#include "whittle/memory/held_points.h"

namespace whittle {

// What stands for a missing value of the feature. O(n).
Real mean_of_present(const HeldPoints& points, std::size_t feature);

class FilledPoints {
 public:
  static constexpr std::size_t required_bytes(std::size_t features) {
    return ByteCount{}.array<Real>(features, 3).total();
  }
  void place(Arena& arena, std::size_t features);

  // Takes the means of the points now held. To be called before each use, and when they change.
  void update(const HeldPoints& points);

  const HeldPoints& held() const { return *points_; }
  Real value(Slot slot, std::size_t feature) const {
    const Real value = points_->row(slot)[feature];
    return is_missing(value) ? means_[feature] : value;
  }
  // The m values of a point; `which` (0 or 1) names the buffer they may be put in, overwritten by
  // the next call that names it.
  const Real* row(Slot slot, std::size_t which) const;

 private:
  PlacedPointer<const HeldPoints> points_;
  Span<Real> means_;
  Span<Real> buffers_;  // 2 m
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_FILLED_POINTS_H_
