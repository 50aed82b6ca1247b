#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/record_json.h"

namespace whittle::cli {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;
using simulate::FeatureCosts;
using simulate::LineRecord;
using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;

double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::string text_of(const Json& json) {
  return json.is_null() ? std::string() : json.get<std::string>();
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

LineRecord line_of(const Json& json) {
  return {json.at("frames"), json.at("lost"), json.at("resent"), json.at("duplicates"),
          json.at("bytes")};
}

NodeRecord node_of(const Json& json) {
  return {json.at("samples"),           json.at("received"),
          json.at("dropped"),           json.at("labels"),
          json.at("late_labels"),       json.at("alarms"),
          json.at("arena_bytes"),       number_of(json.at("sensed")),
          number_of(json.at("joules")), number_of(json.at("stability")),
          line_of(json.at("up")),       line_of(json.at("down")),
          text_of(json.at("unranked"))};
}

FeatureCosts costs_of(const Json& json, std::size_t features) {
  FeatureCosts costs;
  if (json.empty()) return costs;
  costs.cost = numbers_of(json.at("cost"), features);
  const Json &energy = json.at("microjoules"), &group = json.at("group");
  if (!energy.empty()) costs.energy = numbers_of(energy, features);
  costs.groups = json.at("groups").get<std::vector<std::string>>();
  costs.group_cost = numbers_of(json.at("group_cost"), costs.groups.size());
  for (const Json& number : group) {
    costs.group.push_back(number.is_null() ? kOwnUnit : number.get<std::uint32_t>());
    need(number.is_null() || costs.group.back() < costs.groups.size(), "there is no such group");
  }
  need(group.empty() || group.size() == features, "group has not every feature");
  return costs;
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
  run.mean_cost = number_of(json.at("mean_cost"));
  run.total_bytes = number_of(json.at("total_bytes"));
  run.total_energy = number_of(json.at("total_joules"));
  run.recovery = number_of(json.at("recovery"));
  run.stability = number_of(json.at("stability"));
  run.accuracy = numbers_of(json.at("accuracy"), points);
  run.sensed = numbers_of(json.at("sensed"), points);
  run.bytes = numbers_of(json.at("bytes"), points);
  run.energy = numbers_of(json.at("joules"), points);
  run.cost = numbers_of(json.at("cost"), points);
  run.mask_cost = numbers_of(json.at("mask_cost"), points);
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
  for (const std::vector<double>& masks : run.masks) {
    for (const double share : masks) {
      need(std::isnan(share) || (share >= 0 && share <= 1), "masks has a share that is not 0 to 1");
    }
  }
  return run;
}

Record record_of(const Json& json) {
  need(json.is_object() && json.value("kind", "") == kRecordKind, "it has no kind, or another");
  need(json.at("version") == kRecordVersion, "it is of another version of whittle");
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
  record.costs = costs_of(json.at("costs"), record.features.size());
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
