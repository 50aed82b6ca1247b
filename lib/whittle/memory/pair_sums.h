// PairSums: per feature, the sums of (f_i - f_j)^2 over the explicit must-link and cannot-link
// pairs of which a sample has left, for the constraint scores from moments: a pair goes on
// counting. Pairs that labels imply are the moments' business. In raw units, as points are held for
// such scores. A pair counts in the features that both samples have.
//
// With a half-life a pair weighs the product of what its samples weigh. Cost of add: O(m). Memory:
// 4 m Reals, none if the config has no pairs or its points are scaled.
#ifndef WHITTLE_MEMORY_PAIR_SUMS_H_
#define WHITTLE_MEMORY_PAIR_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/memory/feature_sums.h"
#include "whittle/memory/memory_config.h"

namespace whittle {

class PairSums {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    return kept(config) ? 2 * FeatureSums::required_bytes(config.features) : 0;
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Adds a pair of rows. `aged`: what a pair added before weighs now, of what it weighed then.
  void add(const Real* x, const Real* y, bool must_link, Real weight, Real aged);

  std::uint64_t count(bool must_link) const { return counts_[must_link ? 1 : 0]; }  // pairs added
  Real sum(bool must_link, std::size_t feature) const {
    return count(must_link) == 0 ? Real(0) : sums_[must_link ? 1 : 0].value(feature);
  }

  void digest(Digest& digest) const;

 private:
  static constexpr bool kept(const MemoryConfig& config) {
    return config.raw_points && config.pairs > 0;
  }

  FeatureSums sums_[2];  // cannot-link, must-link
  std::uint64_t counts_[2] = {0, 0};
  std::size_t features_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_PAIR_SUMS_H_
