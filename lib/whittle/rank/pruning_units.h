// PruningUnits: what can be switched alone, and what it costs. A unit is known by its first
// feature, its *leader*; groups are given by number and need not be contiguous.
//
// Memory: 4 + 2 sizeof(Real) bytes per feature, 4 + sizeof(Real) per group.
#ifndef WHITTLE_RANK_PRUNING_UNITS_H_
#define WHITTLE_RANK_PRUNING_UNITS_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/rank/pruning_config.h"

namespace whittle {

inline constexpr std::uint32_t kOwnUnit = std::numeric_limits<std::uint32_t>::max();

class PruningUnits {
 public:
  static constexpr std::size_t required_bytes(const PruningConfig& config) {
    return ByteCount{}
        .array<std::uint32_t>(config.features)
        .array<Real>(config.features)
        .array<std::uint32_t>(config.features)
        .array<std::uint32_t>(config.groups)
        .array<Real>(config.groups)
        .total();
  }
  void place(Arena& arena, const PruningConfig& config);

  // See FeaturePruner. Errors: failed_precondition after settle().
  Status set_features(std::size_t first, Span<const std::uint32_t> groups, Span<const Real> costs);
  Status set_group_costs(std::size_t first, Span<const Real> costs);

  // From groups to units, once; before it every feature is its own.
  void settle();
  bool settled() const { return settled_; }

  std::uint32_t count() const { return count_; }  // units there are; after settle()
  std::uint32_t leader(std::size_t feature) const {
    return settled_ ? leader_[feature] : static_cast<std::uint32_t>(feature);
  }
  bool leads(std::size_t feature) const { return leader(feature) == feature; }
  // Of the unit that this feature leads.
  Real cost(std::size_t leader) const { return cost_[leader]; }
  Span<const Real> costs() const { return cost_; }  // likewise
  std::uint32_t size(std::size_t leader) const { return size_[leader]; }
  Real total_cost() const;

 private:
  Status check(std::size_t first, std::size_t count, std::size_t limit,
               Span<const Real> costs) const;

  Span<std::uint32_t> leader_;  // m; a group's number until settle()
  Span<Real> cost_;             // m: a feature's own; after settle() its unit's, at the leader
  Span<std::uint32_t> size_;    // m: features of the unit, at the leader
  Span<std::uint32_t> group_leader_;
  Span<Real> group_cost_;
  std::uint32_t count_ = 0;
  bool settled_ = false;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_PRUNING_UNITS_H_
