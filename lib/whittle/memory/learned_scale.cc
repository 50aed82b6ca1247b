#include "whittle/memory/learned_scale.h"

#include <cmath>

namespace whittle {
namespace {

FeatureScale with_spread(Real offset, Real spread) {
  const Real gain = Real(1) / spread;  // neither 0 nor infinite nor NaN, or it is of no use
  if (!(gain > 0 && gain < kInfinity)) return {std::isfinite(offset) ? offset : Real(0), 0};
  return {offset, gain};
}

}  // namespace

void LearnedScale::place(Arena& arena, const MemoryConfig& config) {
  if (keeps_ranges(config)) ranges_ = arena.array<Range>(config.features);
}

void LearnedScale::observe(const Real* x) {
  for (std::size_t r = 0; r < ranges_.size(); ++r) {  // a missing value fails both comparisons
    Range& range = ranges_[r];
    if (x[r] < range.least) range.least = x[r];
    if (x[r] > range.greatest) range.greatest = x[r];
  }
}

FeatureScale LearnedScale::of(std::size_t feature, const Moment& ordinary) const {
  if (!ranges_.empty()) {
    const Range& range = ranges_[feature];
    return with_spread(range.least, range.greatest - range.least);
  }
  return with_spread(ordinary.mean, std::sqrt(ordinary.variance()));
}

void LearnedScale::digest(Digest& digest) const {
  for (const Range& range : ranges_) {
    digest.add(range.least);
    digest.add(range.greatest);
  }
}

}  // namespace whittle
