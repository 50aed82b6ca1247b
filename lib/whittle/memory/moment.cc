#include "whittle/memory/moment.h"

namespace whittle {

Moment merged(const Moment& a, const Moment& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const Real share = b.count / (a.count + b.count);
  const Real delta = mean_difference(b, a);
  const TwoSum mean = mean_of_union(a, b, share, delta);
  return {a.count + b.count, mean.high, mean.low,
          (a.deviations + b.deviations) + delta * delta * (a.count * share)};
}

}  // namespace whittle
