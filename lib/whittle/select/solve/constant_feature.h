// Whether a feature is constant (max == min) over the values that the held points have of it; so is
// one that no point has. Cost: O(n) for a constant feature, mostly two points for another.
#ifndef WHITTLE_SELECT_SOLVE_CONSTANT_FEATURE_H_
#define WHITTLE_SELECT_SOLVE_CONSTANT_FEATURE_H_

#include <cstddef>

#include "whittle/memory/held_points.h"

namespace whittle {

inline bool is_constant(const HeldPoints& points, std::size_t feature) {
  Real first = kNoScore;
  for (const Slot slot : points.order()) {
    const Real value = points.row(slot)[feature];
    if (is_missing(value)) continue;
    if (is_missing(first)) first = value;
    if (value != first) return false;
  }
  return true;
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_CONSTANT_FEATURE_H_
