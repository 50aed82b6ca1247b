// From sums to scores: no score for 0/0, +inf for a/0 (docs/methods.md), and no score where a sum
// has overflowed.
#ifndef WHITTLE_SELECT_RATIO_H_
#define WHITTLE_SELECT_RATIO_H_

#include "whittle/base/real.h"

namespace whittle {

// a / b for a, b >= 0.
inline Real ratio(Real a, Real b) {
  if (!(a < kInfinity) || !(b < kInfinity)) return kNoScore;
  if (b > 0) return a / b;
  return a > 0 ? kInfinity : kNoScore;
}

// A score that is a sum.
inline Real unless_overflown(Real score) {
  return score < kInfinity && score > -kInfinity ? score : kNoScore;
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_RATIO_H_
