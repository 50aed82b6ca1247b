#include "tools/simulate/node_setup.h"

#include <algorithm>

namespace whittle::simulate {
namespace {

// Sets an optional field.
template <typename Field, typename Value>
void set(bool& has, Field& field, const Value& value) {
  has = true;
  field = static_cast<Field>(value);
}

whittle_v1_Costs& costs_body(std::vector<ToSensor>& messages) {
  messages.push_back(whittle_v1_ToSensor_init_zero);
  messages.back().which_body = whittle_v1_ToSensor_costs_tag;
  return messages.back().body.costs;
}

}  // namespace

ToSensor policy_message(const NodeSetup& setup) {
  ToSensor message = whittle_v1_ToSensor_init_zero;
  message.which_body = whittle_v1_ToSensor_policy_tag;
  whittle_v1_Policy& body = message.body.policy;
  const PruningConfig& config = setup.pruning;
  body.rule = static_cast<whittle_v1_Rule>(config.rule);
  body.top = config.top;
  body.threshold = static_cast<float>(config.threshold);
  body.budget = static_cast<float>(config.budget);
  body.value_by_rank = config.value == PruningValue::rank;
  body.groups = config.groups;
  set(body.has_warm_up, body.warm_up, config.warm_up);
  set(body.has_update_every, body.update_every, config.update_every);
  set(body.has_rank_margin, body.rank_margin, config.rank_margin);
  set(body.has_score_margin, body.score_margin, config.score_margin);
  set(body.has_dwell, body.dwell, config.dwell);
  set(body.has_probe_every, body.probe_every, config.probe_every);
  set(body.has_stability_masks, body.stability_masks, config.stability_masks);
  set(body.has_drift_block, body.drift_block, config.drift_block);
  set(body.has_false_alarm_every, body.false_alarm_every, config.false_alarm_every);
  set(body.has_recovery, body.recovery, config.recovery);
  set(body.has_search_steps, body.search_steps, config.search_steps);
  set(body.has_seed, body.seed, config.seed);
  set(body.has_refine_iterations, body.refine_iterations, setup.refine);
  set(body.has_kept_readings, body.kept_readings, setup.kept_readings);
  return message;
}

std::vector<ToSensor> costs_messages(const FeatureCosts& costs) {
  std::vector<ToSensor> messages;
  for (std::size_t first = 0; first < costs.cost.size(); first += kCostsChunk) {
    whittle_v1_Costs& body = costs_body(messages);
    const std::size_t count = std::min(kCostsChunk, costs.cost.size() - first);
    body.first = static_cast<std::uint32_t>(first);
    body.features_count = body.groups_count = static_cast<pb_size_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      body.features[i] = static_cast<float>(costs.cost[first + i]);
      const std::uint32_t group = costs.group_of(first + i);
      body.groups[i] = static_cast<std::uint16_t>(group == kOwnUnit ? 0 : group + 1);
    }
  }
  for (std::size_t first = 0; first < costs.groups.size(); first += kCostsChunk) {
    whittle_v1_Costs& body = costs_body(messages);
    const std::size_t count = std::min(kCostsChunk, costs.groups.size() - first);
    body.first_group = static_cast<std::uint32_t>(first);
    body.group_costs_count = static_cast<pb_size_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      body.group_costs[i] = static_cast<float>(costs.group_cost[first + i]);
    }
  }
  return messages;
}

}  // namespace whittle::simulate
