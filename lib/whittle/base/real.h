// The one floating-point type of the core: float, or double when built with WHITTLE_DOUBLE.
#ifndef WHITTLE_BASE_REAL_H_
#define WHITTLE_BASE_REAL_H_

#include <limits>

namespace whittle {

#ifdef WHITTLE_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// A score that does not exist (0/0, constant feature). Every "no score" of the core is this one bit
// pattern, so scores can be compared and digested bit by bit.
inline constexpr Real kNoScore = std::numeric_limits<Real>::quiet_NaN();
inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

inline constexpr bool has_score(Real score) { return score == score; }

}  // namespace whittle

#endif  // WHITTLE_BASE_REAL_H_
