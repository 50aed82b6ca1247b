// The scores that are ratios: no score for 0/0, +inf for a/0 (METHODS 1).
#ifndef WHITTLE_SELECT_RATIO_H_
#define WHITTLE_SELECT_RATIO_H_

#include "whittle/base/real.h"

namespace whittle {

// a / b for a, b >= 0.
inline Real ratio(Real a, Real b) {
  if (b > 0) return a / b;
  return a > 0 ? kInfinity : kNoScore;
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_RATIO_H_
