// FeatureCosts: what features cost to sense, store and send, and which of them one sensor gives
// together.
#ifndef WHITTLE_TOOLS_SIMULATE_COSTS_H_
#define WHITTLE_TOOLS_SIMULATE_COSTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/simulate/energy.h"
#include "whittle/rank/pruning_units.h"

namespace whittle::simulate {

struct FeatureCosts {
  // By feature; empty: 1 each, in no group, what the energy model says.
  std::vector<double> cost;          // in any one unit, that of the budget
  std::vector<std::uint32_t> group;  // a place in groups, or kOwnUnit
  std::vector<double> energy;        // microjoules to sense it; NaN: what the energy model says
  // By group: what is paid once if any feature of it is sensed.
  std::vector<std::string> groups;
  std::vector<double> group_cost;

  bool given() const { return !cost.empty(); }
  double cost_of(std::size_t feature) const { return given() ? cost[feature] : 1; }
  std::uint32_t group_of(std::size_t feature) const {
    return group.empty() ? kOwnUnit : group[feature];
  }
  // "" if it is in none.
  std::string group_name(std::size_t feature) const;
};

// What sensing the features with sensed[r] costs: features and the groups they are in.
double cost_of(const FeatureCosts& costs, const std::vector<bool>& sensed);
// Of the cheapest feature in no group, or group with all its features.
double cheapest_unit(const FeatureCosts& costs, std::size_t features);
// What sensing feature `r` takes, microjoules.
double sensing_energy(const FeatureCosts& costs, const EnergyModel& model, std::size_t r);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_COSTS_H_
