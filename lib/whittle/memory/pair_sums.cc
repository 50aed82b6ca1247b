#include "whittle/memory/pair_sums.h"

namespace whittle {

void PairSums::place(Arena& arena, const MemoryConfig& config) {
  if (!kept(config)) return;
  features_ = config.features;
  for (FeatureSums& sums : sums_) sums.place(arena, config.features);
}

void PairSums::add(const Real* x, const Real* y, bool must_link, Real weight, Real aged) {
  if (aged != Real(1)) {
    for (FeatureSums& sums : sums_) sums.scale(aged);
  }
  sums_[must_link ? 1 : 0].add([&](std::size_t r) {
    const Real d = x[r] - y[r];
    return is_missing(d) ? Real(0) : weight * d * d;
  });
  ++counts_[must_link ? 1 : 0];
}

void PairSums::digest(Digest& digest) const {
  for (const bool must_link : {false, true}) {
    if (count(must_link) == 0) continue;
    digest.add(count(must_link));
    for (std::size_t r = 0; r < features_; ++r) digest.add(sum(must_link, r));
  }
}

}  // namespace whittle
