#include "whittle/select/solve/weighted_differences.h"

#include "whittle/base/lanes.h"

namespace whittle {
namespace {

// For kWidth features from `first` on: the sum over the ends in registers, then with compensation.
template <bool kMissing, std::size_t kWidth>
void add_tile(const HeldPoints& points, Slot slot, Span<const Slot> ends, const Real* weights,
              std::size_t first, FeatureSums& sums) {
  const Real* x = points.row(slot) + first;
  Real lane[kWidth] = {};
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const Real* y = points.row(ends[e]) + first;
    const Real weight = weights[e];
    WHITTLE_UNROLL_16
    for (std::size_t l = 0; l < kWidth; ++l) {
      const Real d = x[l] - y[l];
      lane[l] += kMissing && is_missing(d) ? Real(0) : weight * d * d;
    }
  }
  sums.add(first, kWidth, [&](std::size_t l) { return lane[l]; });
}

template <bool kMissing>
void add_all(const HeldPoints& points, Slot slot, Span<const Slot> ends, const Real* weights,
             FeatureSums& sums) {
  const std::size_t m = points.features();
  // As many features at once as the registers hold: 16 with SIMD, 8 on a small core.
  constexpr std::size_t kWide = sizeof(void*) > 4 ? 16 : 8;
  std::size_t first = 0;
  for (; first + kWide <= m; first += kWide) {
    add_tile<kMissing, kWide>(points, slot, ends, weights, first, sums);
  }
  for (; first < m; ++first) add_tile<kMissing, 1>(points, slot, ends, weights, first, sums);
}

}  // namespace

void add_weighted_differences(const HeldPoints& points, Slot slot, Span<const Slot> ends,
                              const Real* weights, FeatureSums& sums) {
  if (ends.empty()) return;
  if (points.any_missing()) {
    add_all<true>(points, slot, ends, weights, sums);
  } else {
    add_all<false>(points, slot, ends, weights, sums);
  }
}

}  // namespace whittle
