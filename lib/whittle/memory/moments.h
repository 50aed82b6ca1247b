// Moments: count, mean and sum of squared deviations per feature, for each class, for the
// unlabelled and for the universum samples. Exact over the whole stream, no sample kept.
//
// A plain running mean stalls at 2^24 samples and loses its variance at large offsets. Here samples
// first add up in a block, as sums of (x - pivot) and (x - pivot)^2 with the running mean as pivot;
// a full block (256 samples; 1, 1, 2, 4, ... at the start) is merged into totals that carry a
// second Real for what rounding drops (pairwise merge: Chan, Golub and LeVeque, 1983).
//
// Cost of add: 4 operations per feature, and a merge of about 30 per feature once in 256 samples.
// Memory: 6 m Reals per group (C + 2 groups), 2 m for one spare block.
// Squares of deviations below 1e-22 (float) underflow: such a feature counts as constant.
#ifndef WHITTLE_MEMORY_MOMENTS_H_
#define WHITTLE_MEMORY_MOMENTS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/lanes.h"
#include "whittle/base/real.h"
#include "whittle/memory/memory_config.h"

namespace whittle {

// The moments of one feature over one set of samples. The mean is the unevaluated sum of two Reals:
// at an offset of 10^4 one alone is too coarse.
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

class Moments {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    if (!config.moments) return 0;
    const std::size_t groups = std::size_t{config.classes} + 2;
    return ByteCount{}
        .array<Group>(groups)
        .array<Real>(groups, 4 * std::size_t{config.features})
        .array<Real>(groups + 1, 2 * padded(config.features))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Groups: a class is its own number.
  std::size_t unlabelled() const { return groups_.size() - 2; }
  std::size_t universum() const { return groups_.size() - 1; }

  // Adds a sample of m features to a group. Returns false, and changes nothing, if a value is not
  // finite.
  bool add(std::size_t group, const Real* x);

  std::uint64_t count(std::size_t group) const {
    return groups_[group].merged + groups_[group].in_block;
  }

  // Of one feature over one group.
  Moment of(std::size_t group, std::size_t feature) const;
  // Over all classes.
  Moment of_labelled(std::size_t feature) const;
  // Over labelled and unlabelled samples.
  Moment of_ordinary(std::size_t feature) const {
    return merged(of_labelled(feature), of(unlabelled(), feature));
  }

  void digest(Digest& digest) const;

 private:
  static constexpr std::uint32_t kBlock = 256;

  struct Group {
    std::uint64_t merged = 0;         // samples in the totals
    std::uint32_t in_block = 0;       // samples in the block
    Real* mean = nullptr;             // m: also the block's pivot
    Real* mean_rest = nullptr;        // m
    Real* deviations = nullptr;       // m
    Real* deviations_rest = nullptr;  // m
    Real* block = nullptr;            // 2 m, in tiles: 8 sums of (x - pivot), 8 of its squares
  };

  // Blocks are stored in whole tiles.
  static constexpr std::size_t padded(std::size_t features) {
    return (features + kLanes - 1) / kLanes * kLanes;
  }
  Real accumulate(const Group& group, const Real* x, Real* out) const;
  void merge_block(Group& group);

  Span<Group> groups_;
  Real* spare_ = nullptr;  // a block: the sums with the sample added are written here, then swapped
  std::size_t features_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_MOMENTS_H_
