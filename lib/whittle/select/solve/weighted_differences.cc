#include "whittle/select/solve/weighted_differences.h"

#include "whittle/base/lanes.h"

namespace whittle {
namespace {

// For kEnds ends: their sum feature by feature, then with compensation.
template <bool kMissing, std::size_t kEnds>
void add_ends(const HeldPoints& points, const Real* x, const Slot* ends, const Real* weights,
              FeatureSums& sums) {
  const Real* y[kEnds];
  Real weight[kEnds];
  for (std::size_t e = 0; e < kEnds; ++e) {
    y[e] = points.row(ends[e]);
    weight[e] = weights[e];
  }
  sums.add([&](std::size_t r) {
    Real sum = 0;
    for (std::size_t e = 0; e < kEnds; ++e) {
      const Real d = x[r] - y[e][r];
      sum += kMissing && is_missing(d) ? Real(0) : weight[e] * d * d;
    }
    return sum;
  });
}

template <bool kMissing>
void add_all(const HeldPoints& points, Slot slot, Span<const Slot> ends, const Real* weights,
             FeatureSums& sums) {
  constexpr std::size_t kBlock = 4;
  const Real* x = points.row(slot);
  std::size_t e = 0;
  for (; e + kBlock <= ends.size(); e += kBlock) {
    add_ends<kMissing, kBlock>(points, x, ends.data() + e, weights + e, sums);
  }
  for (; e < ends.size(); ++e) {
    add_ends<kMissing, 1>(points, x, ends.data() + e, weights + e, sums);
  }
}

}  // namespace

void add_weighted_differences(const HeldPoints& points, Slot slot, Span<const Slot> ends,
                              const Real* weights, FeatureSums& sums) {
  if (points.any_missing()) {
    add_all<true>(points, slot, ends, weights, sums);
  } else {
    add_all<false>(points, slot, ends, weights, sums);
  }
}

}  // namespace whittle
