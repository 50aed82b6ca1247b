// GroupSums: per feature, mean and sum of squared deviations of each constraint group over the held
// points, and the sums over must-link and cannot-link pairs that follow from them.
//
// Deviations are taken from an origin, so that a large common offset costs no digits. A point that
// misses a feature counts in none of its sums.
//
// Cost of measure: two passes over the points of groups. Memory: 3 G m Reals for the most groups
// there can be (G = C + 2 P).
#ifndef WHITTLE_SELECT_GROUP_SUMS_H_
#define WHITTLE_SELECT_GROUP_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/memory/constraints.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/select/feature_sums.h"

namespace whittle {

class GroupSums {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    const std::size_t groups = Constraints::max_groups(config);
    return ByteCount{}
        .array<Real>(groups, config.features)
        .array<FeatureSums>(groups)
        .array<unsigned char>(groups, FeatureSums::required_bytes(config.features))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // `origin`: m values near the points, which must live as long as the sums are read.
  void measure(const StreamMemory& memory, const Real* origin);

  // Of the points of a group that have the feature.
  Real count(std::uint32_t group, std::size_t feature) const;
  Real mean(std::uint32_t group, std::size_t feature) const {  // less the origin
    return means_[group * features_ + feature];
  }
  Real deviations(std::uint32_t group, std::size_t feature) const {
    return deviations_[group].value(feature);
  }

  // Sum of (f_i - f_j)^2 over unordered pairs.
  Real must_link(std::size_t feature) const;
  Real cannot_link(std::size_t feature) const;

 private:
  const StreamMemory* memory_ = nullptr;
  std::size_t features_ = 0;
  Span<Real> means_;              // G x m
  Span<FeatureSums> deviations_;  // G
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_GROUP_SUMS_H_
