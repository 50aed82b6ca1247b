// FeatureSums: a compensated sum per feature (Kahan), fed a row of terms at a time. The loop runs
// over features, which are independent, so it becomes SIMD code and still gives the same bits on a
// scalar core. Error: about two roundings, whatever the number of rows. Memory: 2 m Reals.
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
  // The same for `width` features from `first` on, term(0) being the first one's.
  template <typename Term>
  void add(std::size_t first, std::size_t width, Term term) {
    Real* WHITTLE_RESTRICT sum = sums_.data() + first;
    Real* WHITTLE_RESTRICT rest = sums_.data() + features_ + first;
    for (std::size_t r = 0; r < width; ++r) {
      const Real value = term(r) + rest[r];
      const Real total = sum[r] + value;
      rest[r] = value - (total - sum[r]);
      sum[r] = total;
    }
  }

  // Multiplies every sum by `factor`.
  void scale(Real factor) {
    for (Real& sum : sums_) sum *= factor;
  }

  Real value(std::size_t feature) const { return sums_[feature] + sums_[features_ + feature]; }

 private:
  Span<Real> sums_;  // m sums, then m remainders
  std::size_t features_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_FEATURE_SUMS_H_
