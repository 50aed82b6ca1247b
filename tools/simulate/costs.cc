#include "tools/simulate/costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace whittle::simulate {

std::string FeatureCosts::group_name(std::size_t feature) const {
  const std::uint32_t own = group_of(feature);
  return own == kOwnUnit ? "" : groups[own];
}

double cost_of(const FeatureCosts& costs, const std::vector<bool>& sensed) {
  double sum = 0;
  std::vector<bool> paid(costs.groups.size());
  for (std::size_t r = 0; r < sensed.size(); ++r) {
    if (!sensed[r]) continue;
    sum += costs.cost_of(r);
    const std::uint32_t group = costs.group_of(r);
    if (group == kOwnUnit || paid[group]) continue;
    paid[group] = true;
    sum += costs.group_cost[group];
  }
  return sum;
}

double cheapest_unit(const FeatureCosts& costs, std::size_t features) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < features; ++r) {
    std::vector<bool> unit(features);
    for (std::size_t s = 0; s < features; ++s) {
      unit[s] = s == r || (costs.group_of(r) != kOwnUnit && costs.group_of(s) == costs.group_of(r));
    }
    least = std::min(least, cost_of(costs, unit));
  }
  return least;
}

double sensing_energy(const FeatureCosts& costs, const EnergyModel& model, std::size_t r) {
  return costs.energy.empty() || std::isnan(costs.energy[r]) ? model.feature : costs.energy[r];
}

}  // namespace whittle::simulate
