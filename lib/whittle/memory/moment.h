// Moment: count, mean and sum of squared deviations of one feature over one set of samples, and how
// those of two sets combine (pairwise merge: Chan, Golub and LeVeque, 1983).
#ifndef WHITTLE_MEMORY_MOMENT_H_
#define WHITTLE_MEMORY_MOMENT_H_

#include "whittle/base/real.h"

namespace whittle {

// The moments of one feature over the samples of a set that have it. The mean is the unevaluated
// sum of two Reals: at an offset of 10^4 one alone is too coarse.
struct Moment {
  Real count = 0;
  Real mean = 0;
  Real mean_rest = 0;   // what rounding dropped from mean
  Real deviations = 0;  // sum of (x - mean)^2 (SS); the population variance is this over count

  Real variance() const { return deviations / count; }
};

// a.mean - b.mean, without losing the small difference of two large means.
inline Real mean_difference(const Moment& a, const Moment& b) {
  return (a.mean - b.mean) + (a.mean_rest - b.mean_rest);
}

// The moments of the union of two disjoint sets.
Moment merged(const Moment& a, const Moment& b);

// high + low == a + b exactly, high the rounded sum (Knuth).
struct TwoSum {
  Real high;
  Real low;
};
inline TwoSum two_sum(Real a, Real b) {
  const Real high = a + b;
  const Real kept = high - a;
  return {high, (a - (high - kept)) + (b - kept)};
}

// The mean of the union; share = b.count / (a.count + b.count), delta = b.mean - a.mean.
inline TwoSum mean_of_union(const Moment& a, const Moment& b, Real share, Real delta) {
  if (share < Real(0.99)) return two_sum(a.mean, a.mean_rest + delta * share);
  // b outweighs a by far: counted from b, since rounding delta may cost more than b's spread.
  return two_sum(b.mean, b.mean_rest - delta * (a.count / (a.count + b.count)));
}

}  // namespace whittle

#endif  // WHITTLE_MEMORY_MOMENT_H_
