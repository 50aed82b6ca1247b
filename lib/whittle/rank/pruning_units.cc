#include "whittle/rank/pruning_units.h"

namespace whittle {

void PruningUnits::place(Arena& arena, const PruningConfig& config) {
  leader_ = arena.array<std::uint32_t>(config.features);
  cost_ = arena.array<Real>(config.features);
  size_ = arena.array<std::uint32_t>(config.features);
  group_leader_ = arena.array<std::uint32_t>(config.groups);
  group_cost_ = arena.array<Real>(config.groups);
  for (std::size_t r = 0; r < leader_.size(); ++r) {
    leader_[r] = kOwnUnit;
    cost_[r] = 1;
    size_[r] = 1;
  }
}

Status PruningUnits::check(std::size_t first, std::size_t count, std::size_t limit,
                           Span<const Real> costs) const {
  if (settled_) return {StatusCode::failed_precondition, "costs and groups come before samples"};
  if (first > limit || count > limit - first) {
    return {StatusCode::out_of_range, "costs past the last: there are", limit};
  }
  if (costs.size() != count) return {StatusCode::invalid_argument, "a cost for each group"};
  for (const Real cost : costs) {
    if (!(cost >= 0) || !(cost < kInfinity)) {
      return {StatusCode::invalid_argument, "a cost must be finite and not negative"};
    }
  }
  return {};
}

Status PruningUnits::set_features(std::size_t first, Span<const std::uint32_t> groups,
                                  Span<const Real> costs) {
  if (const Status status = check(first, groups.size(), leader_.size(), costs); !status.ok()) {
    return status;
  }
  for (const std::uint32_t group : groups) {
    if (group != kOwnUnit && group >= group_leader_.size()) {
      return {StatusCode::out_of_range, "no such group: there are", group_leader_.size()};
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    leader_[first + i] = groups[i];
    cost_[first + i] = costs[i];
  }
  return {};
}

Status PruningUnits::set_group_costs(std::size_t first, Span<const Real> costs) {
  if (const Status status = check(first, costs.size(), group_cost_.size(), costs); !status.ok()) {
    return status;
  }
  for (std::size_t i = 0; i < costs.size(); ++i) group_cost_[first + i] = costs[i];
  return {};
}

void PruningUnits::settle() {
  if (settled_) return;
  for (std::uint32_t& leader : group_leader_) leader = kOwnUnit;
  for (std::size_t r = 0; r < leader_.size(); ++r) {
    const auto self = static_cast<std::uint32_t>(r);
    const std::uint32_t group = leader_[r];
    if (group == kOwnUnit) {
      leader_[r] = self;
    } else if (group_leader_[group] == kOwnUnit) {
      group_leader_[group] = self;
      leader_[r] = self;
      cost_[r] += group_cost_[group];
    } else {
      leader_[r] = group_leader_[group];
      cost_[leader_[r]] += cost_[r];
      ++size_[leader_[r]];
    }
    if (leader_[r] == self) ++count_;
  }
  settled_ = true;
}

Real PruningUnits::total_cost() const {
  Real total = 0;
  for (std::size_t r = 0; r < leader_.size(); ++r) {
    if (leads(r)) total += cost_[r];
  }
  return total;
}

}  // namespace whittle
