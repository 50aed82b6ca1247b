#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/json_syntax.h"
#include "tools/cli/record_json.h"
#include "tools/cli/record_rules.h"
#include "tools/cli/record_value.h"
#include "tools/cli/simulate_plan.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using Value = RecordValue;
using simulate::FeatureCosts;
using simulate::LineRecord;
using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr NumberRange kAmount{0, kInfinity}, kAmountOrNull{0, kInfinity, true};
constexpr NumberRange kShare{0, 1}, kShareOrNull{0, 1, true};
constexpr NumberRange kStability{-1, 1, true};  // Nogueira's, of 2 masks or more
constexpr NumberRange kScore{-kInfinity, kInfinity, true};

LineRecord line_of(const Value& json) {
  LineRecord line;
  line.frames = json.at("frames").whole(0);
  line.lost = json.at("lost").whole(0, line.frames);
  line.resent = json.at("resent").whole(0);
  line.duplicates = json.at("duplicates").whole(0);
  line.bytes = json.at("bytes").whole(0);
  return line;
}

simulate::Unranked unranked_of(const Value& json) {
  const std::string reason = json.at("unranked").text_or_null();
  const Value lacks = json.at("lacks");
  if (reason.empty()) {
    if (!lacks.is_null()) lacks.refuse("null, as unranked is");
    return {};
  }
  std::vector<std::string> names;
  names.reserve(std::size(simulate::kLacks));
  for (const simulate::LackType& type : simulate::kLacks) names.emplace_back(type.name);
  return {reason, simulate::kLacks[lacks.one_of(names)].lack};
}

NodeRecord node_of(const Value& json, const Record& record) {
  const std::uint64_t samples = record.samples;
  NodeRecord node;
  node.samples = json.at("samples").whole(samples, samples);
  node.received = json.at("received").whole(0, samples);
  node.dropped = json.at("dropped").whole(0, samples);
  node.labels = json.at("labels").whole(0, samples);
  node.late_labels = json.at("late_labels").whole(0, samples);
  node.alarms = json.at("alarms").whole(0, samples);
  node.arena_bytes = json.at("arena_bytes").whole(0);
  node.sensed = json.at("sensed").number(kShare);
  node.energy = json.at("joules").number(kAmount);
  node.stability = json.at("stability").number(kStability);
  node.up = line_of(json.at("up"));
  node.down = line_of(json.at("down"));
  node.unscaled = json.at("unscaled").flag();
  node.flat = json.at("flat").whole(0, record.features.size());
  node.unranked = unranked_of(json);
  return node;
}

FeatureCosts costs_of(const Value& json, std::size_t features) {
  FeatureCosts costs;
  if (json.members().empty()) return costs;
  costs.cost = json.at("cost").numbers(features, "feature", kAmount);
  costs.energy = json.at("microjoules").numbers(features, "feature", kAmountOrNull);
  costs.groups = json.at("groups").names();
  costs.group_cost = json.at("group_cost").numbers(costs.groups.size(), "group", kAmount);
  for (const Value& number : json.at("group").items(features, "feature")) {
    if (!number.is_null() && costs.groups.empty()) number.refuse("null: there are no groups");
    costs.group.push_back(
        number.is_null() ? kOwnUnit
                         : static_cast<std::uint32_t>(number.whole(0, costs.groups.size() - 1)));
  }
  return costs;
}

void set_totals(const Value& json, const Record& record, RunRecord* run) {
  run->mean_accuracy = json.at("mean_accuracy").number(kShareOrNull);
  run->late_accuracy = json.at("late_accuracy").number(kShareOrNull);
  run->mean_sensed = json.at("mean_sensed").number(kShare);
  run->late_sensed = json.at("late_sensed").number(kShareOrNull);
  run->mean_cost = json.at("mean_cost").number(kAmount);
  run->total_bytes = json.at("total_bytes").number(kAmount);
  run->total_energy = json.at("total_joules").number(kAmount);
  run->recovery =
      json.at("recovery").number({0, static_cast<double>(record.samples), /*null=*/true});
  run->stability = json.at("stability").number(kStability);
}

void set_series(const Value& json, const Record& record, RunRecord* run) {
  const auto series = [&](const char* key, const NumberRange& range) {
    return json.at(key).numbers(record.checkpoints.size(), "checkpoint", range);
  };
  const auto rows = [&](const char* key, const NumberRange& range) {
    std::vector<std::vector<double>> values;
    for (const Value& row : json.at(key).items(record.checkpoints.size(), "checkpoint")) {
      values.push_back(row.numbers(record.features.size(), "feature", range));
    }
    return values;
  };
  run->accuracy = series("accuracy", kShareOrNull);
  run->sensed = series("sensed", kShareOrNull);
  run->bytes = series("bytes", kAmount);
  run->energy = series("joules", kAmount);
  run->cost = series("cost", kAmount);
  run->mask_cost = series("mask_cost", kAmount);
  run->ranks = rows("ranks", {1, static_cast<double>(record.features.size()), /*null=*/true});
  run->masks = rows("masks", kShareOrNull);
}

RunRecord run_of(const Value& json, const Record& record) {
  const std::size_t features = record.features.size();
  RunRecord run;
  run.selector = json.at("selector").text();
  run.policy = json.at("policy").text();
  if (record.runs.empty() && run.policy != "all")
    json.at("policy").refuse("'all' in the first run");
  set_totals(json, record, &run);
  set_series(json, record, &run);
  run.scores = json.at("scores").numbers(features, "feature", kScore);
  for (const Value& flag : json.at("kept").items(features, "feature")) {
    run.kept.push_back(flag.flag());
  }
  for (const Value& alarm : json.at("alarms").items()) {
    run.alarms.push_back({alarm.at("sample").whole(0, record.samples - 1),
                          alarm.at("node").whole(0, record.nodes - 1)});
  }
  for (const Value& node : json.at("nodes").items(record.nodes, "node")) {
    run.nodes.push_back(node_of(node, record));
  }
  check_run(json, record, run);
  return run;
}

void set_energy(const Value& json, simulate::EnergyModel* energy) {
  energy->name = json.at("name").text();
  energy->sample = json.at("sample").number(kAmount);
  energy->feature = json.at("feature").number(kAmount);
  energy->byte_up = json.at("byte_up").number(kAmount);
  energy->byte_down = json.at("byte_down").number(kAmount);
  energy->source = json.at("source").text();
}

void set_checkpoints(const Value& json, Record* record) {
  for (const Value& item : json.items()) {
    const std::size_t last = record->checkpoints.empty() ? 0 : record->checkpoints.back();
    if (last == record->samples) item.refuse("left out: the one before it is the last sample");
    record->checkpoints.push_back(item.whole(last + 1, record->samples));
  }
  if (record->checkpoints.empty()) json.refuse("a list of one or more");
  if (record->checkpoints.back() < record->samples) {
    json.items().back().refuse(std::to_string(record->samples) + ": the last is the last sample");
  }
}

// As `simulate` words it, which may add to it where a scale is learned.
void check_scale(const Value& json, const Record& record) {
  const std::string wanted = scale_learned_from(record.learn);
  const std::string text = json.text();
  if (text == wanted || (record.learn > 0 && text.rfind(wanted + ",", 0) == 0)) return;
  json.refuse(in_quotes(wanted) + ", as learn says");
}

Record record_of(const Value& json) {
  if (json.at("kind").text() != kRecordKind) json.at("kind").refuse(in_quotes(kRecordKind));
  if (json.at("version").whole(0) != kRecordVersion) {
    json.at("version").refuse(std::to_string(kRecordVersion) +
                              " for this version of whittle: simulate again");
  }
  Record record;
  record.data = json.at("data").text();
  record.features = json.at("features").names();
  if (record.features.empty()) json.at("features").refuse("a list of one or more");
  record.classes = json.at("classes").names();
  record.rows = json.at("rows").whole(1);
  record.nodes = json.at("nodes").whole(1, record.rows);
  const std::size_t samples = record.rows / record.nodes;
  record.samples = json.at("samples").whole(samples, samples);
  record.drift_at = json.at("drift_at").whole(0, samples - 1);
  record.learn = json.at("learn").whole(0);
  set_energy(json.at("energy"), &record.energy);
  record.costs = costs_of(json.at("costs"), record.features.size());
  for (const auto& [name, value] : json.at("settings").members()) {
    record.settings.emplace_back(name, value.text());
    if (name == "scale") check_scale(value, record);
  }
  if (record.settings.empty()) json.at("settings").refuse("an object of one or more");
  set_checkpoints(json.at("checkpoints"), &record);
  for (const Value& run : json.at("runs").items()) record.runs.push_back(run_of(run, record));
  if (record.runs.empty()) json.at("runs").refuse("a list of one or more");
  return record;
}

std::string all_of(std::istream& in, const std::string& name) {
  std::string text;
  char piece[65536];
  errno = 0;
  do {
    in.read(piece, sizeof piece);
    text.append(piece, static_cast<std::size_t>(in.gcount()));
  } while (in);
  if (in.bad()) throw Error(name + ": cannot be read: " + std::strerror(errno));
  return text;
}

}  // namespace

Record read_record(std::istream& in, const std::string& name) {
  constexpr char advice[] = "; a record is what `whittle simulate --format json` prints";
  const std::string text = all_of(in, name);
  try {
    check_json(text, name);
  } catch (const Error& error) {
    throw Error(error.what() + std::string(advice));
  }
  try {
    const Value::Json json = Value::Json::parse(text);
    return record_of(Value(json));
  } catch (const Error& error) {
    throw Error(name + ": " + error.what() + advice);
  }
}

}  // namespace whittle::cli
