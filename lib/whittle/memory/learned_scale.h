// LearnedScale: offset and gain per feature from the ordinary (labelled and unlabelled) samples of
// the stream itself, so that scaled = (raw - offset) * gain.
//
//   minmax   offset the least value, gain 1 / (greatest - least): [0, 1] for what has been seen
//   zscore   offset the mean, gain 1 / population standard deviation
//
// Over the samples that have the feature. A feature that is constant, that no sample has, or whose
// spread overflows or is too small to divide by has gain 0: it scales to 0. With a half-life the
// mean and the deviation are the weighted ones of Moments; least and greatest forget nothing.
//
// Shapes: samples of m features, raw. Cost: observe 2 comparisons per feature, only for minmax; of
// O(1). Memory: 2 m Reals for minmax; nothing for zscore, which reads the moments. Misleads when
// the samples learned from are not like those that follow: minmax then leaves [0, 1], and one
// outlier presses all the others together.
#ifndef WHITTLE_MEMORY_LEARNED_SCALE_H_
#define WHITTLE_MEMORY_LEARNED_SCALE_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/memory/memory_config.h"
#include "whittle/memory/moment.h"

namespace whittle {

struct FeatureScale {
  Real offset = 0;
  Real gain = 0;
};

class LearnedScale {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    return ByteCount{}.array<Range>(keeps_ranges(config) ? config.features : 0).total();
  }
  // zscore needs config.moments.
  void place(Arena& arena, const MemoryConfig& config);

  // Told of every ordinary sample that the memory takes in: m values, raw, none infinite.
  void observe(const Real* x);

  // From all samples so far. `ordinary`: the moment of the feature over them; read for zscore only.
  FeatureScale of(std::size_t feature, const Moment& ordinary) const;

  void digest(Digest& digest) const;

 private:
  struct Range {
    Real least = kInfinity;
    Real greatest = -kInfinity;
  };
  static constexpr bool keeps_ranges(const MemoryConfig& config) {
    return config.learn > 0 && config.scaling == Scaling::minmax;
  }

  Span<Range> ranges_;  // m; empty for zscore
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_LEARNED_SCALE_H_
