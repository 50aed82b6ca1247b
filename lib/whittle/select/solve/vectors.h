// Inner product and multiple-and-add of vectors, for the solvers; sums in the lanes of lanes.h. T
// is Real, or double where a solver says that it needs it.
#ifndef WHITTLE_SELECT_SOLVE_VECTORS_H_
#define WHITTLE_SELECT_SOLVE_VECTORS_H_

#include <cstddef>

#include "whittle/base/lanes.h"
#include "whittle/base/real.h"

namespace whittle {

// a'b of m elements.
template <typename T>
T dot(const T* a, const T* b, std::size_t m) {
  T lane[kLanes] = {};
  std::size_t r = 0;
  for (; r + kLanes <= m; r += kLanes) {
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kLanes; ++l) lane[l] += a[r + l] * b[r + l];
  }
  if (r == m) return sum_of_lanes(lane);
  WHITTLE_UNROLL_8
  for (std::size_t l = 0; l < kLanes; ++l) {  // unrolled, so that the lanes stay in registers
    if (r + l == m) break;
    lane[l] += a[r + l] * b[r + l];
  }
  return sum_of_lanes(lane);
}

// y += a x, of m elements that do not overlap.
template <typename T>
void add_multiple(T a, const T* x, T* WHITTLE_RESTRICT y, std::size_t m) {
  for (std::size_t r = 0; r < m; ++r) y[r] += a * x[r];
}

// The same of three vectors x, one after the other, to the bit: y is loaded and stored once.
template <typename T>
void add_three_multiples(T a0, const T* x0, T a1, const T* x1, T a2, const T* x2,
                         T* WHITTLE_RESTRICT y, std::size_t m) {
  for (std::size_t r = 0; r < m; ++r) y[r] = ((y[r] + a0 * x0[r]) + a1 * x1[r]) + a2 * x2[r];
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_VECTORS_H_
