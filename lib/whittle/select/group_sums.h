// GroupSums: per feature, mean and sum of squared deviations of each constraint group over the held
// points, and the sums over must-link and cannot-link pairs that follow from them.
//
// Deviations are taken from an origin, so that a large common offset costs no digits. A point that
// misses a feature counts in none of its sums.
//
// Cost of measure: two passes over the points of groups, and G N looks at a group number. Memory:
// 3 G m + 2 m Reals for the most groups there can be (G = C + 2 P).
#ifndef WHITTLE_SELECT_GROUP_SUMS_H_
#define WHITTLE_SELECT_GROUP_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/placed_pointer.h"
#include "whittle/memory/constraints.h"
#include "whittle/memory/feature_sums.h"
#include "whittle/memory/stream_memory.h"

namespace whittle {

class GroupSums {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    return ByteCount{}
        .array<Real>(3 * Constraints::max_groups(config), config.features)
        .bytes(FeatureSums::required_bytes(config.features))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // `origin`: m values near the points, which must live as long as the sums are read.
  void measure(const StreamMemory& memory, const Real* origin);

  // By feature, over the points of a group that have it: how many, their mean less the origin,
  // their sum of squared deviations.
  const Real* counts(std::uint32_t group) const { return row(0, group); }
  const Real* means(std::uint32_t group) const { return row(1, group); }
  const Real* deviations(std::uint32_t group) const { return row(2, group); }

  // Sum of (f_i - f_j)^2 over unordered pairs.
  Real must_link(std::size_t feature) const;
  Real cannot_link(std::size_t feature) const;

 private:
  void measure_group(const HeldPoints& points, const Constraints& constraints, std::uint32_t group,
                     const Real* origin);
  Real* row(std::size_t what, std::uint32_t group) const {
    return rows_.data() + (what * groups_ + group) * features_;
  }

  PlacedPointer<const StreamMemory> memory_;
  std::size_t features_ = 0;
  std::size_t groups_ = 0;  // there can be
  Span<Real> rows_;         // 3 x G x m
  FeatureSums sums_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_GROUP_SUMS_H_
