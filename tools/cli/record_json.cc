#include "tools/cli/record_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace whittle::cli {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;
using simulate::FeatureCosts;
using simulate::LineRecord;
using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;

// JSON has no NaN.
Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

Json text(const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); }

Json numbers(const Numbers& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json rows(const std::vector<Numbers>& values) {
  Json list = Json::array();
  for (const Numbers& row : values) list.push_back(numbers(row));
  return list;
}

Json line(const LineRecord& record) {
  return {{"frames", record.frames},
          {"lost", record.lost},
          {"resent", record.resent},
          {"duplicates", record.duplicates},
          {"bytes", record.bytes}};
}

Json node(const NodeRecord& record) {
  return {{"samples", record.samples},
          {"received", record.received},
          {"dropped", record.dropped},
          {"labels", record.labels},
          {"late_labels", record.late_labels},
          {"alarms", record.alarms},
          {"arena_bytes", record.arena_bytes},
          {"sensed", number(record.sensed)},
          {"joules", number(record.energy)},
          {"stability", number(record.stability)},
          {"up", line(record.up)},
          {"down", line(record.down)},
          {"unscaled", record.unscaled},
          {"flat", record.flat},
          {"unranked", text(record.unranked.reason)},
          {"lacks", text(simulate::lack_name(record.unranked.lack))}};
}

Json run(const RunRecord& record) {
  Json alarms = Json::array(), nodes = Json::array();
  for (const simulate::Alarm& alarm : record.alarms) {
    alarms.push_back({{"sample", alarm.sample}, {"node", alarm.node}});
  }
  for (const NodeRecord& one : record.nodes) nodes.push_back(node(one));
  return {{"selector", record.selector},
          {"policy", record.policy},
          {"mean_accuracy", number(record.mean_accuracy)},
          {"late_accuracy", number(record.late_accuracy)},
          {"mean_sensed", number(record.mean_sensed)},
          {"late_sensed", number(record.late_sensed)},
          {"mean_cost", number(record.mean_cost)},
          {"total_bytes", number(record.total_bytes)},
          {"total_joules", number(record.total_energy)},
          {"recovery", number(record.recovery)},
          {"stability", number(record.stability)},
          {"accuracy", numbers(record.accuracy)},
          {"sensed", numbers(record.sensed)},
          {"bytes", numbers(record.bytes)},
          {"joules", numbers(record.energy)},
          {"cost", numbers(record.cost)},
          {"mask_cost", numbers(record.mask_cost)},
          {"scores", numbers(record.scores)},
          {"kept", record.kept},
          {"alarms", alarms},
          {"nodes", nodes},
          {"ranks", rows(record.ranks)},
          {"masks", rows(record.masks)}};
}

// {} if nothing was said; a feature in no group has group null.
Json costs(const FeatureCosts& costs) {
  if (!costs.given()) return Json::object();
  Json group = Json::array();
  for (const std::uint32_t number : costs.group) {
    group.push_back(number == kOwnUnit ? Json(nullptr) : Json(number));
  }
  return {{"cost", numbers(costs.cost)},
          {"group", group},
          {"microjoules", numbers(costs.energy)},
          {"groups", costs.groups},
          {"group_cost", numbers(costs.group_cost)}};
}

Json settings(const Record& record) {
  Json object = Json::object();
  for (const auto& [name, value] : record.settings) object[name] = value;
  return object;
}

}  // namespace

void print_record(const Record& record, std::ostream& out) {
  const simulate::EnergyModel& energy = record.energy;
  Json runs = Json::array();
  for (const RunRecord& one : record.runs) runs.push_back(run(one));
  const Json json = {{"kind", kRecordKind},
                     {"version", kRecordVersion},
                     {"data", record.data},
                     {"rows", record.rows},
                     {"samples", record.samples},
                     {"nodes", record.nodes},
                     {"features", record.features},
                     {"classes", record.classes},
                     {"drift_at", record.drift_at},
                     {"learn", record.learn},
                     {"energy",
                      {{"name", energy.name},
                       {"sample", energy.sample},
                       {"feature", energy.feature},
                       {"byte_up", energy.byte_up},
                       {"byte_down", energy.byte_down},
                       {"source", energy.source}}},
                     {"costs", costs(record.costs)},
                     {"settings", settings(record)},
                     {"checkpoints", record.checkpoints},
                     {"runs", runs}};
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace whittle::cli
