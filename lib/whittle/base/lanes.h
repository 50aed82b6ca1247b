// Reductions in one fixed order, so that a SIMD host and a scalar core give the same bits: element
// r goes to lane r mod 8, and the eight lanes are added as a fixed tree.
#ifndef WHITTLE_BASE_LANES_H_
#define WHITTLE_BASE_LANES_H_

#include <cstddef>

#include "whittle/base/real.h"

// Unrolls the loop that follows, unless code is to be small; the pragma is spelled differently by
// the two compilers.
#if defined(__OPTIMIZE_SIZE__)
#define WHITTLE_UNROLL_2
#define WHITTLE_UNROLL_8
#define WHITTLE_UNROLL_16
#elif defined(__clang__)
#define WHITTLE_UNROLL_2 _Pragma("unroll(2)")
#define WHITTLE_UNROLL_8 _Pragma("unroll(8)")
#define WHITTLE_UNROLL_16 _Pragma("unroll(16)")
#else
#define WHITTLE_UNROLL_2 _Pragma("GCC unroll 2")
#define WHITTLE_UNROLL_8 _Pragma("GCC unroll 8")
#define WHITTLE_UNROLL_16 _Pragma("GCC unroll 16")
#endif

// The same for a loop over blocks of lanes, where those are vectors: a scalar core runs out of
// registers.
#if defined(__SSE2__) || defined(__ARM_NEON)
#define WHITTLE_UNROLL_VECTORS WHITTLE_UNROLL_2
#else
#define WHITTLE_UNROLL_VECTORS
#endif

// Nothing else that the function uses lies behind this pointer.
#define WHITTLE_RESTRICT __restrict

namespace whittle {

inline constexpr std::size_t kLanes = 8;

template <typename T>
T sum_of_lanes(const T (&lane)[kLanes]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// Squared Euclidean distance of two vectors of m elements, summed from differences.
inline Real squared_distance(const Real* a, const Real* b, std::size_t m) {
  Real lane[kLanes] = {};
  std::size_t r = 0;
  WHITTLE_UNROLL_VECTORS
  for (; r + kLanes <= m; r += kLanes) {
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kLanes; ++l) {
      const Real d = a[r + l] - b[r + l];
      lane[l] += d * d;
    }
  }
  if (r == m) return sum_of_lanes(lane);
  WHITTLE_UNROLL_8
  for (std::size_t l = 0; l < kLanes; ++l) {  // unrolled, so that the lanes stay in registers
    if (r + l == m) break;
    const Real d = a[r + l] - b[r + l];
    lane[l] += d * d;
  }
  return sum_of_lanes(lane);
}

// The same where values may be missing: over the coordinates present in both, times m over how many
// there are; kInfinity if there are none.
inline Real squared_distance_of_present(const Real* a, const Real* b, std::size_t m) {
  Real lane[kLanes] = {};
  std::size_t present = 0;
  for (std::size_t r = 0; r < m; ++r) {
    const Real d = a[r] - b[r];
    if (is_missing(d)) continue;
    lane[r % kLanes] += d * d;
    ++present;
  }
  if (present == 0) return kInfinity;
  return sum_of_lanes(lane) * (static_cast<Real>(m) / static_cast<Real>(present));
}

// Whether all m elements are finite: neither NaN nor infinite.
inline bool all_finite(const Real* x, std::size_t m) {
  // x - x is 0 for a finite x and NaN otherwise, and NaN survives addition.
  Real lane[kLanes] = {};
  std::size_t r = 0;
  for (; r + kLanes <= m; r += kLanes) {
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kLanes; ++l) lane[l] += x[r + l] - x[r + l];
  }
  for (; r < m; ++r) lane[0] += x[r] - x[r];
  return sum_of_lanes(lane) == Real(0);
}

// A sum that keeps what rounding loses (Neumaier): error independent of the number of terms.
class CompensatedSum {
 public:
  void add(Real value) {
    const Real sum = sum_ + value;
    const Real kept = sum - sum_;
    rest_ += (sum_ - (sum - kept)) + (value - kept);
    sum_ = sum;
  }
  Real value() const { return sum_ + rest_; }

 private:
  Real sum_ = 0;
  Real rest_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_BASE_LANES_H_
