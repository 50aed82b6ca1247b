// Moments: count, mean and sum of squared deviations per feature, for each class, for the
// unlabelled and for the universum samples. Exact over the whole stream, no sample kept.
//
// A plain running mean stalls at 2^24 samples and loses its variance at large offsets. Here samples
// first add up in a block, as sums of (x - pivot) and (x - pivot)^2 with the running mean as pivot;
// a full block (256 samples; 1, 1, 2, 4, ... at the start) is merged into totals that carry a
// second Real for what rounding drops (pairwise merge: Chan, Golub and LeVeque, 1983).
//
// A missing value (NaN) is skipped: its feature has one value less than the group has samples. Such
// a sample goes into the totals by itself, past the block.
//
// With a half-life h, a sample weighs 0.5^(age / h), its age the number of samples (of any group)
// added since: counts are sums of weights, means and deviations weighted ones. Weights are written
// down as 2^(t / h), t the time of arrival, so nothing that is stored decays but by exact powers of
// two, and no error builds up. Every sample then goes into the totals by itself. What a group knows
// of a feature never weighs less than 2^-64, so that its mean and variance outlive any silence.
//
// Cost of add: 4 operations per feature, and a merge of about 30 per feature once in 256 samples;
// about 40 per feature with a half-life or a missing value, and then the merge of what is in the
// block. Memory: 8 m Reals per group (C + 2 groups), 2 m for one spare block; with a half-life 6 m
// Reals per group. Squares of deviations below 1e-22 (float) underflow: such a feature counts as
// constant.
#ifndef WHITTLE_MEMORY_MOMENTS_H_
#define WHITTLE_MEMORY_MOMENTS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/lanes.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/memory/memory_config.h"
#include "whittle/memory/moment.h"

namespace whittle {

class Moments {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    if (!config.moments) return 0;
    const std::size_t groups = std::size_t{config.classes} + 2;
    return ByteCount{}
        .array<Group>(groups)
        .array<Real>(groups, config.features)
        .array<Total>(groups, config.features)
        .array<Real>(config.half_life > 0 ? 0 : groups + 1, 2 * padded(config.features))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Groups: a class is its own number.
  std::size_t unlabelled() const { return groups_.size() - 2; }
  std::size_t universum() const { return groups_.size() - 1; }

  // Adds a sample of m features to a group. Returns false, and changes nothing, if a value is
  // infinite or every value is missing.
  bool add(std::size_t group, const Real* x);

  // For samples that are held and added when they leave: time passes by one sample; adds one that
  // add() would take, with what weighs a sample since which `age` others came.
  void pass_time() {
    if (forgets()) advance_clock();
  }
  void add_late(std::size_t group, const Real* x, std::uint64_t age);
  Real weight_at_age(std::uint64_t age) const;  // 1 without a half-life

  // Adds what another node has seen, as if its samples had come here. With a half-life both must be
  // meant as of now: samples keep the ages they have there. Errors: invalid_argument (the number of
  // features or classes or the half-life differs); nothing changes then. Cost: O(m C).
  Status merge(const Moments& other);

  // Samples added to a group, whatever they weigh and miss.
  std::uint64_t count(std::size_t group) const {
    return groups_[group].whole + groups_[group].single + groups_[group].in_block;
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

  struct Total {  // of one feature, beside its mean
    Real mean_rest = 0;
    Real deviations = 0;
    Real deviations_rest = 0;
    Real count = 0;  // weight of the samples that were added by themselves and have the feature
    Real count_rest = 0;
  };
  struct Group {
    std::uint64_t whole = 0;     // samples that came into the totals in blocks
    std::uint64_t single = 0;    // those that came by themselves
    std::uint32_t in_block = 0;  // those still in the block
    // Every feature has at least as many values in the totals; no more than kBlock. While it is 0
    // some feature has no pivot, and samples cannot go into the block.
    std::uint32_t least = 0;
    Real scale = 1;           // what has become of the totals' weights since they were last written
    Real* mean = nullptr;     // m: also the block's pivot
    Total* totals = nullptr;  // m
    Real* block = nullptr;    // 2 m, in tiles: 8 sums of (x - pivot), 8 of its squares
  };

  // Blocks are stored in whole tiles.
  static constexpr std::size_t padded(std::size_t features) {
    return (features + kLanes - 1) / kLanes * kLanes;
  }
  bool forgets() const { return period_ > 0; }
  bool start_block(Group& group, const Real* x) const;
  Real accumulate(const Group& group, const Real* x, Real* out) const;
  void merge_block(Group& group) const;
  bool add_single(Group& group, const Real* x);
  void add_weighted(Group& group, const Real* x, Real weight);
  void merge_group(Group& group, const Moments& other, std::size_t index) const;
  void set_half_life(Real half_life);
  void advance_clock();
  void apply_scale(Group& group) const;
  std::uint32_t least_count(const Group& group) const;

  static Real decay(Real count, Real scale);
  static Real total_count(const Group& group, std::size_t feature);
  static void absorb(Real count, Real& mean, Total& total, const Moment& added);

  Span<Group> groups_;
  Real* spare_ = nullptr;  // a block: the sums with the sample added are written here, then swapped
  std::size_t features_ = 0;
  // The clock of a half-life. A sample that comes now weighs 2^(phase / period), in the units of
  // totals whose scale is 1.
  std::uint64_t period_ = 0;  // the half-life; 0: nothing is forgotten
  std::uint64_t phase_ = 0;   // of samples seen, modulo the half-life
  Real weight_ = 1;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_MOMENTS_H_
