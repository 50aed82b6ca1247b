// Products with points less an origin, so that a large offset costs no digits; sums in the lanes of
// lanes.h.
#ifndef WHITTLE_SELECT_SOLVE_CENTRED_H_
#define WHITTLE_SELECT_SOLVE_CENTRED_H_

#include <cstddef>

#include "whittle/base/lanes.h"
#include "whittle/base/real.h"

namespace whittle {

// (x - origin)'w of m elements. T is Real, or double where a solver says that it needs it.
template <typename T>
T centred_dot(const Real* x, const Real* origin, const T* w, std::size_t m) {
  T lane[kLanes] = {};
  std::size_t r = 0;
  for (; r + kLanes <= m; r += kLanes) {
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kLanes; ++l) {
      lane[l] += static_cast<T>(x[r + l] - origin[r + l]) * w[r + l];
    }
  }
  if (r == m) return sum_of_lanes(lane);
  WHITTLE_UNROLL_8
  for (std::size_t l = 0; l < kLanes; ++l) {  // unrolled, so that the lanes stay in registers
    if (r + l == m) break;
    lane[l] += static_cast<T>(x[r + l] - origin[r + l]) * w[r + l];
  }
  return sum_of_lanes(lane);
}

// y += a (x - origin), of m elements that do not overlap.
inline void add_centred(Real a, const Real* x, const Real* origin, Real* WHITTLE_RESTRICT y,
                        std::size_t m) {
  for (std::size_t r = 0; r < m; ++r) y[r] += a * (x[r] - origin[r]);
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_CENTRED_H_
