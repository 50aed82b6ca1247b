#include "tools/cli/record_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "tools/cli/error.h"

namespace whittle::cli {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;
using simulate::LinkCounts;
using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;

constexpr char kKind[] = "whittle simulation";

// JSON has no NaN.
Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

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

Json link(const LinkCounts& counts) {
  return {{"frames", counts.frames}, {"lost", counts.lost},
          {"resent", counts.resent}, {"duplicates", counts.duplicates},
          {"bytes", counts.bytes},   {"ack_bytes", counts.ack_bytes}};
}

Json node(const NodeRecord& record) {
  return {{"samples", record.samples},
          {"received", record.received},
          {"labels", record.labels},
          {"late_labels", record.late_labels},
          {"alarms", record.alarms},
          {"arena_bytes", record.arena_bytes},
          {"sensed", number(record.sensed)},
          {"joules", number(record.energy)},
          {"stability", number(record.stability)},
          {"up", link(record.up)},
          {"down", link(record.down)}};
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
          {"total_bytes", number(record.total_bytes)},
          {"total_joules", number(record.total_energy)},
          {"recovery", number(record.recovery)},
          {"stability", number(record.stability)},
          {"accuracy", numbers(record.accuracy)},
          {"sensed", numbers(record.sensed)},
          {"bytes", numbers(record.bytes)},
          {"joules", numbers(record.energy)},
          {"scores", numbers(record.scores)},
          {"kept", record.kept},
          {"alarms", alarms},
          {"nodes", nodes},
          {"ranks", rows(record.ranks)},
          {"masks", rows(record.masks)}};
}

Json settings(const Record& record) {
  Json object = Json::object();
  for (const auto& [name, value] : record.settings) object[name] = value;
  return object;
}

double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

void need(bool right, const char* what) {
  if (!right) throw Error(std::string("inconsistent: ") + what);
}

Numbers numbers_of(const Json& json, std::size_t size) {
  Numbers values;
  for (const Json& value : json) values.push_back(number_of(value));
  need(values.size() == size, "a series has another length than it should");
  return values;
}

std::vector<Numbers> rows_of(const Json& json, std::size_t count, std::size_t size) {
  std::vector<Numbers> values;
  for (const Json& row : json) values.push_back(numbers_of(row, size));
  need(values.size() == count, "a series has another length than it should");
  return values;
}

LinkCounts link_of(const Json& json) {
  return {json.at("frames"),     json.at("lost"),  json.at("resent"),
          json.at("duplicates"), json.at("bytes"), json.at("ack_bytes")};
}

NodeRecord node_of(const Json& json) {
  return {json.at("samples"),
          json.at("received"),
          json.at("labels"),
          json.at("late_labels"),
          json.at("alarms"),
          json.at("arena_bytes"),
          number_of(json.at("sensed")),
          number_of(json.at("joules")),
          number_of(json.at("stability")),
          link_of(json.at("up")),
          link_of(json.at("down"))};
}

RunRecord run_of(const Json& json, const Record& record) {
  const std::size_t points = record.checkpoints.size(), features = record.features.size();
  RunRecord run;
  run.selector = json.at("selector");
  run.policy = json.at("policy");
  run.mean_accuracy = number_of(json.at("mean_accuracy"));
  run.late_accuracy = number_of(json.at("late_accuracy"));
  run.mean_sensed = number_of(json.at("mean_sensed"));
  run.late_sensed = number_of(json.at("late_sensed"));
  run.total_bytes = number_of(json.at("total_bytes"));
  run.total_energy = number_of(json.at("total_joules"));
  run.recovery = number_of(json.at("recovery"));
  run.stability = number_of(json.at("stability"));
  run.accuracy = numbers_of(json.at("accuracy"), points);
  run.sensed = numbers_of(json.at("sensed"), points);
  run.bytes = numbers_of(json.at("bytes"), points);
  run.energy = numbers_of(json.at("joules"), points);
  run.scores = numbers_of(json.at("scores"), features);
  run.kept = json.at("kept").get<std::vector<bool>>();
  need(run.kept.size() == features, "kept has not every feature");
  for (const Json& alarm : json.at("alarms")) {
    run.alarms.push_back({alarm.at("sample"), alarm.at("node")});
    need(run.alarms.back().node < record.nodes, "an alarm of a node that there is not");
  }
  for (const Json& one : json.at("nodes")) run.nodes.push_back(node_of(one));
  run.ranks = rows_of(json.at("ranks"), points, features);
  run.masks = rows_of(json.at("masks"), points, features);
  return run;
}

Record record_of(const Json& json) {
  need(json.is_object() && json.value("kind", "") == kKind, "it has no kind, or another");
  need(json.at("version") == 1, "its version is not 1");
  Record record;
  record.data = json.at("data");
  record.features = json.at("features").get<std::vector<std::string>>();
  record.classes = json.at("classes").get<std::vector<std::string>>();
  record.rows = json.at("rows");
  record.samples = json.at("samples");
  record.nodes = json.at("nodes");
  record.drift_at = json.at("drift_at");
  const Json& energy = json.at("energy");
  record.energy = {energy.at("name"),    energy.at("sample"),    energy.at("feature"),
                   energy.at("byte_up"), energy.at("byte_down"), energy.at("source")};
  for (const auto& [name, value] : json.at("settings").items()) {
    record.settings.emplace_back(name, value.get<std::string>());
  }
  record.checkpoints = json.at("checkpoints").get<std::vector<std::size_t>>();
  std::size_t last = 0;
  for (const std::size_t checkpoint : record.checkpoints) {
    need(checkpoint > last, "checkpoints are not in order");
    last = checkpoint;
  }
  need(last > 0 && !record.features.empty(), "there is nothing in it");
  for (const Json& one : json.at("runs")) record.runs.push_back(run_of(one, record));
  need(!record.runs.empty(), "it has no runs");
  return record;
}

}  // namespace

void print_record(const Record& record, std::ostream& out) {
  const simulate::EnergyModel& energy = record.energy;
  Json runs = Json::array();
  for (const RunRecord& one : record.runs) runs.push_back(run(one));
  const Json json = {{"kind", kKind},
                     {"version", 1},
                     {"data", record.data},
                     {"rows", record.rows},
                     {"samples", record.samples},
                     {"nodes", record.nodes},
                     {"features", record.features},
                     {"classes", record.classes},
                     {"drift_at", record.drift_at},
                     {"energy",
                      {{"name", energy.name},
                       {"sample", energy.sample},
                       {"feature", energy.feature},
                       {"byte_up", energy.byte_up},
                       {"byte_down", energy.byte_down},
                       {"source", energy.source}}},
                     {"settings", settings(record)},
                     {"checkpoints", record.checkpoints},
                     {"runs", runs}};
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Record read_record(std::istream& in, const std::string& name) {
  try {
    return record_of(Json::parse(in));
  } catch (const Json::exception& error) {
    throw Error(name + ": not a record of `whittle simulate --format json`: " + error.what());
  } catch (const Error& error) {
    throw Error(name + ": not a record of `whittle simulate --format json`: " + error.what());
  }
}

}  // namespace whittle::cli
