// FeatureSums: a compensated sum per feature (Kahan), fed a row of terms at a
// time. The loop runs over features, which are independent, so it becomes SIMD
// code and still gives the same bits on a scalar core. Error: about two
// roundings, whatever the number of rows. Memory: 2 m Reals.
#ifndef WHITTLE_MEMORY_FEATURE_SUMS_H_
#define WHITTLE_MEMORY_FEATURE_SUMS_H_

#include <algorithm>
#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/lanes.h"
#include "whittle/base/real.h"

namespace whittle {

class FeatureSums {
 public:
  static constexpr std::size_t required_bytes(std::size_t features) {
    return ByteCount{}.array<Real>(features, 2).total();
  }
  void place(Arena& arena, std::size_t features) {
    sums_ = arena.array<Real>(2 * features);
    features_ = features;
  }
  void clear() { std::fill(sums_.begin(), sums_.end(), Real(0)); }

  // Adds term(r) to the sum of every feature r.
  template <typename Term>
  void add(Term term) {
    add(0, features_, term);
  }
  // The same for `width` features from `first` on, term(0) being the first
  // one's.
  template <typename Term>
  void add(std::size_t first, std::size_t width, Term term) {
    add_to(sums_.data() + first, sums_.data() + features_ + first, width, term);
  }
  // The same for kWidth features from `first` on, all at once.
  template <std::size_t kWidth>
  void add_tile(std::size_t first, const Real (&terms)[kWidth]) {
    Real* sum = sums_.data() + first;
    Real* rest = sums_.data() + features_ + first;
    Real total[kWidth];
    Real left[kWidth];
    WHITTLE_UNROLL_16
    for (std::size_t l = 0; l < kWidth; ++l) {
      const Real value = terms[l] + rest[l];
      total[l] = sum[l] + value;
      left[l] = value - (total[l] - sum[l]);
    }
    WHITTLE_UNROLL_16
    for (std::size_t l = 0; l < kWidth; ++l) sum[l] = total[l];
    WHITTLE_UNROLL_16
    for (std::size_t l = 0; l < kWidth; ++l) rest[l] = left[l];
  }

  // Multiplies every sum by `factor`.
  void scale(Real factor) {
    for (Real& sum : sums_) sum *= factor;
  }

  Real value(std::size_t feature) const { return sums_[feature] + sums_[features_ + feature]; }

 private:
  // A function of its own, since compilers heed the qualifier of parameters.
  template <typename Term>
  static void add_to(Real* WHITTLE_RESTRICT sum, Real* WHITTLE_RESTRICT rest, std::size_t width,
                     Term term) {
    for (std::size_t r = 0; r < width; ++r) {
      const Real value = term(r) + rest[r];
      const Real total = sum[r] + value;
      rest[r] = value - (total - sum[r]);
      sum[r] = total;
    }
  }

  Span<Real> sums_;  // m sums, then m remainders
  std::size_t features_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_FEATURE_SUMS_H_
