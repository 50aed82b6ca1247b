// Weighted squared differences of one point to several, for every feature: what sums over explicit
// pairs of points are made of.
#ifndef WHITTLE_SELECT_SOLVE_WEIGHTED_DIFFERENCES_H_
#define WHITTLE_SELECT_SOLVE_WEIGHTED_DIFFERENCES_H_

#include <cstddef>

#include "whittle/base/span.h"
#include "whittle/memory/feature_sums.h"
#include "whittle/memory/held_points.h"

namespace whittle {

// Adds sum_e weights[e] (f_slot - f_ends[e])^2 to the sum of every feature f. Where a value is
// missing a difference counts only if both points have it. Cost: O(m) for each end.
void add_weighted_differences(const HeldPoints& points, Slot slot, Span<const Slot> ends,
                              const Real* weights, FeatureSums& sums);

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_WEIGHTED_DIFFERENCES_H_
