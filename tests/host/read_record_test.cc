// What whittle report says of a file that is no record, or of an edited one: which key, what it is
// and what it must be.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/host/simulation_harness.h"

namespace whittle {
namespace {

const std::string kAdvice = "; a record is what `whittle simulate --format json` prints\n";

void expect_refused(const std::string& text, const std::string& said) {
  const Outcome outcome = run_whittle({"report", "-"}, text);
  EXPECT_EQ(outcome.code, 1) << said;
  EXPECT_EQ(outcome.out, "") << said;
  EXPECT_EQ(outcome.err, "whittle: <stdin>" + said + kAdvice);
}

TEST(ReadRecord, SaysWhereTheTextStopsBeingJson) {
  expect_refused("", ": is empty");
  expect_refused(" \n\n", ": is empty");
  expect_refused("{", ":1:2: is no JSON: it ends too early");
  expect_refused("{\n  \"kind\": \"whittle", ":2:19: is no JSON: it ends too early");
  expect_refused("{\n  \"kind\": 1,\n  }\n", ":3:3: is no JSON: '}' does not belong there");
  expect_refused("\n]", ":2:1: is no JSON: ']' does not belong there");
  expect_refused("a,b,label\n1,2,x\n", ":1:1: is no JSON: 'a' does not belong there");
  expect_refused("{\"rows\": NaN}", ":1:10: is no JSON: 'N' does not belong there");
  expect_refused("{\"rows\":\n1e999}", ":2:5: is no JSON: the number is too large");
  expect_refused("[\"\xff\"]", ":1:3: is no JSON: byte 255 does not belong there");
  expect_refused("{}\n{}", ":2:1: is no JSON: '{' does not belong there");
}

TEST(ReadRecord, SaysWhyAFileIsNotRead) {
  const std::string folder = ::testing::TempDir();
  const Outcome outcome = run_whittle({"report", folder});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "whittle: " + folder + ": cannot be read: Is a directory\n");
}

TEST(ReadRecord, NeedsARecord) {
  expect_refused("[]", ": is an empty list, must be an object");
  expect_refused("null", ": is null, must be an object");
  expect_refused("{}", ": kind: is missing");
  expect_refused("{\"kind\":\"x\"}", ": kind: is 'x', must be 'whittle simulation'");
  expect_refused("{\"kind\":\"whittle simulation\"}", ": version: is missing");
}

// A record of 2 nodes, 20 samples each, 6 features and 2 runs, with costs and an alarm; no node
// ever ranks.
const json& good_record() {
  static const json record = [] {
    const TempFile costs("feature,cost,group,group_cost\na,2,g,1\nb,1,g,\n");
    json made = record_of({"--policy", "top", "--costs", costs.path(), "--loss", "0"}, 40);
    made["runs"][1]["alarms"] = json::parse("[{\"sample\":19,\"node\":1}]");
    made["runs"][1]["nodes"][1]["alarms"] = 1;
    return made;
  }();
  return record;
}

TEST(ReadRecord, TakesWhatTheSimulationPrints) {
  const Outcome outcome = run_whittle({"report", "-"}, good_record().dump());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

// The same, if it is not for want of samples that no node has ranked.
json asked_record() {
  json made = good_record();
  for (json& node : made["runs"][1]["nodes"]) node["lacks"] = "features";
  return made;
}

std::string path_of(const std::string& pointer) {
  std::string path;
  for (std::size_t from = 1; from <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', from), pointer.size());
    const std::string key = pointer.substr(from, end - from);
    const bool index = key.find_first_not_of("0123456789") == std::string::npos;
    path += index ? "[" + key + "]" : (path.empty() ? "" : ".") + key;
    from = end + 1;
  }
  return path;
}

TEST(ReadRecord, NamesAKeyThatIsMissing) {
  const json flat = good_record().flatten();
  std::size_t tried = 0;
  for (const auto& [pointer, value] : flat.items()) {
    const std::size_t slash = pointer.rfind('/');
    const std::string key = pointer.substr(slash + 1);
    const bool in_list = key.find_first_not_of("0123456789") == std::string::npos;
    if (in_list || pointer.rfind("/settings", 0) == 0) continue;
    json changed = good_record();
    changed[json::json_pointer(pointer.substr(0, slash))].erase(key);
    expect_refused(changed.dump(), ": " + path_of(pointer) + ": is missing");
    ++tried;
  }
  EXPECT_GT(tried, 100U);
}

constexpr char kShare[] = "a number from 0 to 1";
constexpr char kShareOrNull[] = "a number from 0 to 1, or null";
constexpr char kAmount[] = "a number of 0 or more";
constexpr char kCount[] = "a whole number of 0 or more";
constexpr char kSamples[] = "a whole number from 0 to 20";
constexpr char kNumber[] = "a number, or null";
constexpr char kLacks[] = "one of samples, calm, labels, time, half_life, scale, range, features";
constexpr char kStability[] = "a number from -1 to 1, or null";

struct Edit {
  const char* pointer;
  const char* value;  // JSON
  const char* wanted;
};

const Edit kEdits[] = {
    {"/version", "3", "4 for this version of whittle: simulate again"},
    {"/version", "\"4\"", kCount},
    {"/data", "7", "a text"},
    {"/features", "[]", "a list of one or more"},
    {"/features", "{}", "a list"},
    {"/features/2", "null", "a text"},
    {"/features/2", "\"\"", "a name, not empty"},
    {"/features/2", "\"a\"", "another name than features[0]"},
    {"/classes", "3", "a list"},
    {"/classes/0", "false", "a text"},
    {"/classes/1", "\"\"", "a name, not empty"},
    {"/rows", "0", "a whole number of 1 or more"},
    {"/rows", "-40", "a whole number of 1 or more"},
    {"/rows", "40.5", "a whole number of 1 or more"},
    {"/nodes", "0", "a whole number from 1 to 40"},
    {"/nodes", "41", "a whole number from 1 to 40"},
    {"/samples", "21", "20"},
    {"/drift_at", "-1", "a whole number from 0 to 19"},
    {"/drift_at", "20", "a whole number from 0 to 19"},
    {"/learn", "-1", kCount},
    {"/energy", "[]", "an object"},
    {"/energy/name", "null", "a text"},
    {"/energy/sample", "-1", kAmount},
    {"/energy/feature", "null", kAmount},
    {"/energy/byte_up", "\"1\"", kAmount},
    {"/energy/byte_down", "-0.5", kAmount},
    {"/energy/source", "1", "a text"},
    {"/costs", "[]", "an object"},
    {"/costs/cost/0", "-1", kAmount},
    {"/costs/microjoules/0", "-1", "a number of 0 or more, or null"},
    {"/costs/group/0", "1", "0"},
    {"/costs/group/0", "-1", "0"},
    {"/costs/groups/0", "1", "a text"},
    {"/costs/groups/0", "\"\"", "a name, not empty"},
    {"/costs/group_cost/0", "-1", kAmount},
    {"/settings", "[]", "an object"},
    {"/settings", "{}", "an object of one or more"},
    {"/settings/file", "1", "a text"},
    {"/checkpoints", "[]", "a list of one or more"},
    {"/checkpoints/0", "0", "a whole number from 1 to 20"},
    {"/checkpoints/3", "21", "a whole number from 4 to 20"},
    {"/checkpoints/3", "3", "a whole number from 4 to 20"},
    {"/runs", "[]", "a list of one or more"},
    {"/runs", "{}", "a list"},
    {"/runs/0/policy", "\"top\"", "'all' in the first run"},
    {"/runs/1/selector", "null", "a text"},
    {"/runs/1/mean_accuracy", "1.1", kShareOrNull},
    {"/runs/1/late_accuracy", "-0.1", kShareOrNull},
    {"/runs/1/mean_sensed", "1.1", kShare},
    {"/runs/1/mean_sensed", "null", kShare},
    {"/runs/1/late_sensed", "2", kShareOrNull},
    {"/runs/1/mean_cost", "-1", kAmount},
    {"/runs/1/total_bytes", "-1", kAmount},
    {"/runs/1/total_joules", "-1e-3", kAmount},
    {"/runs/1/recovery", "-1", "a number from 0 to 20, or null"},
    {"/runs/1/recovery", "21", "a number from 0 to 20, or null"},
    {"/runs/1/stability", "1.1", kStability},
    {"/runs/1/accuracy/3", "1.5", kShareOrNull},
    {"/runs/1/accuracy", "null", "a list"},
    {"/runs/1/sensed/0", "-0.5", kShareOrNull},
    {"/runs/1/bytes/0", "-1", kAmount},
    {"/runs/1/joules/0", "-1", kAmount},
    {"/runs/1/cost/0", "true", kAmount},
    {"/runs/1/mask_cost/0", "-1", kAmount},
    {"/runs/1/scores/0", "\"nan\"", kNumber},
    {"/runs/1/kept/0", "1", "true or false"},
    {"/runs/1/alarms/0/sample", "20", "a whole number from 0 to 19"},
    {"/runs/1/alarms/0/sample", "-1", "a whole number from 0 to 19"},
    {"/runs/1/alarms/0/node", "2", "a whole number from 0 to 1"},
    {"/runs/1/ranks/0/0", "0", "a number from 1 to 6, or null"},
    {"/runs/1/ranks/0/5", "6.5", "a number from 1 to 6, or null"},
    {"/runs/1/ranks/3", "{}", "a list"},
    {"/runs/1/masks/0/0", "-0.1", kShareOrNull},
    {"/runs/1/masks/0/0", "1.1", kShareOrNull},
    {"/runs/1/masks/0/0", "1e300", kShareOrNull},
    {"/runs/1/nodes/0/samples", "21", "20"},
    {"/runs/1/nodes/0/samples", "0", "20"},
    {"/runs/1/nodes/0/received", "21", kSamples},
    {"/runs/1/nodes/0/received", "-1", kSamples},
    {"/runs/1/nodes/1/dropped", "21", kSamples},
    {"/runs/1/nodes/1/labels", "21", kSamples},
    {"/runs/1/nodes/1/late_labels", "-1", kSamples},
    {"/runs/1/nodes/1/alarms", "1.5", kSamples},
    {"/runs/1/nodes/1/arena_bytes", "-1", kCount},
    {"/runs/1/nodes/1/sensed", "1.5", kShare},
    {"/runs/1/nodes/1/joules", "-1", kAmount},
    {"/runs/1/nodes/1/stability", "-2", kStability},
    {"/runs/1/nodes/1/up/frames", "-1", kCount},
    {"/runs/1/nodes/1/up/resent", "-1", kCount},
    {"/runs/1/nodes/1/down/duplicates", "\"0\"", kCount},
    {"/runs/1/nodes/1/down/bytes", "null", kCount},
    {"/runs/1/nodes/1/unscaled", "0", "true or false"},
    {"/runs/1/nodes/1/flat", "7", "a whole number from 0 to 6"},
    {"/runs/1/nodes/1/unranked", "1", "a text, or null"},
    {"/runs/1/nodes/1/lacks", "null", kLacks},
    {"/runs/1/nodes/1/lacks", "\"luck\"", kLacks},
    {"/runs/0/nodes/1/lacks", "\"labels\"", "null, as unranked is"},
};

std::string shown(const json& value) {
  if (value.is_array()) return (value.empty() ? "an empty " : "a ") + std::string("list");
  if (value.is_object()) return (value.empty() ? "an empty " : "an ") + std::string("object");
  return value.is_string() ? "'" + value.get<std::string>() + "'" : value.dump();
}

TEST(ReadRecord, NamesAKeyWithAnImpossibleValueAndWhatItMustBe) {
  for (const auto& [pointer, value, wanted] : kEdits) {
    json changed = good_record();
    json& place = changed.at(json::json_pointer(pointer));
    place = json::parse(value);
    expect_refused(changed.dump(),
                   ": " + path_of(pointer) + ": is " + shown(place) + ", must be " + wanted);
  }
  json changed = good_record();
  json& line = changed["runs"][0]["nodes"][0]["up"];
  line["lost"] = line["frames"].get<int>() + 1;
  expect_refused(changed.dump(), ": runs[0].nodes[0].up.lost: is " + line["lost"].dump() +
                                     ", must be a whole number from 0 to " + line["frames"].dump());
}

TEST(ReadRecord, NamesAListOfTheWrongLength) {
  const struct {
    const char* pointer;
    const char* of;
  } lists[] = {
      {"/costs/cost", "feature"},         {"/costs/microjoules", "feature"},
      {"/costs/group", "feature"},        {"/costs/group_cost", "group"},
      {"/runs/0/accuracy", "checkpoint"}, {"/runs/0/sensed", "checkpoint"},
      {"/runs/0/bytes", "checkpoint"},    {"/runs/0/joules", "checkpoint"},
      {"/runs/0/cost", "checkpoint"},     {"/runs/0/mask_cost", "checkpoint"},
      {"/runs/0/ranks", "checkpoint"},    {"/runs/0/ranks/2", "feature"},
      {"/runs/0/masks", "checkpoint"},    {"/runs/0/masks/2", "feature"},
      {"/runs/0/scores", "feature"},      {"/runs/0/kept", "feature"},
      {"/runs/0/nodes", "node"},
  };
  for (const auto& [pointer, of] : lists) {
    json changed = good_record();
    json& list = changed.at(json::json_pointer(pointer));
    const std::string right = std::to_string(list.size());
    list.push_back(list[0]);
    expect_refused(changed.dump(), ": " + path_of(pointer) + ": has " +
                                       std::to_string(list.size()) + " values, must have " + right +
                                       ": one for each " + of);
    list.clear();
    expect_refused(changed.dump(), ": " + path_of(pointer) + ": has 0 values, must have " + right +
                                       ": one for each " + of);
  }
}

// Each value could be, but not beside the others.
TEST(ReadRecord, NamesWhatContradictsTheRest) {
  const json good = asked_record();
  const json& run = good["runs"][1];
  const std::string bytes = json(run["total_bytes"].get<double>()).dump();
  double sum = 0;
  for (const json& joules : run["joules"]) sum += joules.get<double>();
  const std::string joules = json(sum).dump();
  const std::string none = "[0,0,0,0,0,0]";
  const std::string least =
      "one of shares that sum to 1 or more: a sample senses one feature at "
      "least";
  const std::string means = "one of means of different ranks: its lowest ";
  const struct {
    const char* pointer;
    std::string value;  // JSON
    std::string wanted;
  } edits[] = {
      {"/runs/1/policy", "\"all\"", "another one: runs[0] is of 'all features' already"},
      {"/runs/1/total_bytes", "17", bytes + ", the sum of bytes"},
      {"/runs/1/total_joules", "17", joules + ", the sum of joules"},
      {"/runs/1/mean_sensed", "0.5", "1.0, the mean of sensed over the samples"},
      {"/runs/1/late_sensed", "0.5", "1.0, the mean of sensed over the last third"},
      {"/runs/1/late_sensed", "null", "1.0, the mean of sensed over the last third"},
      {"/runs/1/mean_cost", "1", "8.0, the mean of cost over the samples"},
      {"/runs/1/masks/3", none, least},
      {"/runs/1/masks/3", "[0.5,0.25,0,0,0,0]", least},
      {"/runs/1/sensed/3", "0.9", ""},
      {"/runs/1/kept", "[false,false,false,false,false,false]",
       "one with true in it: each node keeps one feature at least"},
      {"/runs/1/scores/2", "0.5", "null: the last row of ranks has no ranking"},
      {"/runs/1/ranks/2", "[1,2,3,4,5,null]",
       "one of numbers, or of null only: all features are ranked, or none"},
      {"/runs/1/ranks/2", "[2,1,1,5,6,6]", means + "2 sum to 2.0, must sum to 3.0 or more"},
      {"/runs/1/ranks/2", "[1.25,1.5,3,4,5,6]", means + "2 sum to 2.75, must sum to 3.0 or more"},
      {"/runs/1/ranks/2", "[1,2,3,4,6,6]", means + "6 sum to 22.0, must sum to 21.0"},
  };
  for (const auto& [pointer, value, wanted] : edits) {
    json changed = good;
    json& place = changed.at(json::json_pointer(pointer));
    place = json::parse(value);
    if (wanted.empty()) {
      EXPECT_EQ(run_whittle({"report", "-"}, changed.dump()).code, 1) << pointer;
      continue;
    }
    expect_refused(changed.dump(),
                   ": " + path_of(pointer) + ": is " + shown(place) + ", must be " + wanted);
  }
  json changed = good;  // as the series have it, not as the nodes
  changed["runs"][1]["bytes"][0] = run["bytes"][0].get<double>() + 10;
  changed["runs"][1]["total_bytes"] = run["total_bytes"].get<double>() + 10;
  expect_refused(changed.dump(), ": runs[1].total_bytes: is " +
                                     changed["runs"][1]["total_bytes"].dump() + ", must be " +
                                     bytes + ", the bytes of its nodes, up and down");
  changed = good;
  double of_nodes = 0;
  for (const json& node : run["nodes"]) of_nodes += node["joules"].get<double>();
  changed["runs"][1]["joules"][0] = run["joules"][0].get<double>() + 10;
  changed["runs"][1]["total_joules"] = run["total_joules"].get<double>() + 10;
  expect_refused(changed.dump(), ": runs[1].total_joules: is " +
                                     changed["runs"][1]["total_joules"].dump() + ", must be " +
                                     json(of_nodes).dump() + ", the joules of its nodes");
  changed = good;
  changed["runs"].push_back(run);
  expect_refused(changed.dump(),
                 ": runs[2].policy: is 'top', must be another one: runs[1] is of 'cls, top' "
                 "already");
}

constexpr char kSelector[] = "a name that `whittle selectors` lists";
constexpr char kPolicy[] =
    "one of all, random, once, top, decision, threshold=SCORE or budget=COST";
constexpr char kMaskCost[] =
    "from 8.0 to 8.0, by policy, costs, kept and the nodes that never ranked";

// Of nodes that never ranked, in a run without drift.
const Edit kContradictions[] = {
    {"/runs/1/selector", "\"clss\"", kSelector},
    {"/runs/1/selector", "\"\"", kSelector},
    {"/runs/1/policy", "\"best\"", kPolicy},
    {"/runs/1/policy", "\"\"", kPolicy},
    {"/runs/1/policy", "\"budget=0\"", kPolicy},
    {"/runs/1/mean_accuracy", "0.5", "null: accuracy has nothing else"},
    {"/runs/1/recovery", "3", "null, by drift_at and accuracy"},
    {"/runs/1/stability", "0.5", "null, the mean of its nodes"},
    {"/runs/1/masks/3/2", "0.5", "1.0 or more: the share of the nodes that sense everything"},
    {"/runs/0/masks/3/2", "0.5", "1.0 or more: the share of the nodes that sense everything"},
    {"/runs/1/cost/3", "7", "8.0, by masks[3]"},
    {"/runs/1/kept", "[true,true,true,true,true,false]",
     "one of true only: half of the nodes or more sense everything"},
    {"/runs/1/mask_cost/3", "9", kMaskCost},
    {"/runs/1/mask_cost/3", "7", kMaskCost},
    {"/runs/1/scores/2", "0.5", "null: no node of it ranks"},
    {"/runs/1/ranks/2", "[1,2,3,4,5,6]", "one of null only: no node of it ranks"},
    {"/runs/1/nodes/1/received", "0", "20: all samples but those dropped"},
    {"/runs/1/nodes/1/dropped", "1", ""},
    {"/runs/1/nodes/1/up/frames", "19", ""},
    {"/runs/1/nodes/1/alarms", "0", "1: as many as the run has of this node"},
    {"/runs/1/nodes/0/alarms", "1", "0: as many as the run has of this node"},
    {"/runs/0/nodes/1/unscaled", "true", "false: no scale is to be learned"},
    {"/runs/1/nodes/1/flat", "1", "0: no scale has been learned"},
    {"/runs/1/nodes/1/sensed", "0.5", "1: a node that never ranked senses everything"},
    {"/runs/1/nodes/1/stability", "1", "null: a node that never ranked has one mask only"},
    {"/learn", "0", ""},
    {"/learn", "32", ""},
    {"/settings/scale", "\"none\"", "'learned from 64 samples', as learn says"},
    {"/settings/scale", "\"learned from 6 samples\"", "'learned from 64 samples', as learn says"},
    {"/runs/1/accuracy/3", "0.5", "null: no label came to any node"},
    {"/runs/1/nodes/1/up/bytes", "100", "6 or more for each of the frames"},
    {"/runs/1/nodes/1/up/duplicates", "1", "no more than 0: sent again, and not lost"},
    {"/runs/1/nodes/1/down/duplicates", "1", "no more than 0: sent again, and not lost"},
};

TEST(ReadRecord, NamesWhatContradictsNodesThatNeverRanked) {
  for (const auto& [pointer, value, wanted] : kContradictions) {
    json changed = good_record();
    json& place = changed.at(json::json_pointer(pointer));
    place = json::parse(value);
    if (wanted == std::string()) {
      EXPECT_EQ(run_whittle({"report", "-"}, changed.dump()).code, 1) << pointer;
      continue;
    }
    expect_refused(changed.dump(),
                   ": " + path_of(pointer) + ": is " + shown(place) + ", must be " + wanted);
  }
  json changed = good_record();
  json& node = changed["runs"][0]["nodes"][1];
  node["unranked"] = "no labels";
  node["lacks"] = "labels";
  expect_refused(
      changed.dump(),
      ": runs[0].nodes[1].unranked: is 'no labels', must be null: no node of this policy "
      "ranks");
  node["labels"] = 1;
  node["late_labels"] = 20;
  expect_refused(changed.dump(),
                 ": runs[0].nodes[1].labels: is 1, must be such that, with late_labels, it is no "
                 "more than received");
}

TEST(ReadRecord, NeedsTheLastSampleAndFramesForWhatCame) {
  json changed = good_record();
  changed["checkpoints"].erase(19);
  expect_refused(changed.dump(),
                 ": checkpoints[18]: is 19, must be 20: the last is the last sample");
  changed = good_record();
  json& up = changed["runs"][1]["nodes"][1]["up"];
  up["resent"] = up["frames"].get<int>() - 19;
  expect_refused(changed.dump(), ": runs[1].nodes[1].up.frames: is " + up["frames"].dump() +
                                     ", must be no fewer than resent and what came for the first "
                                     "time");
  changed = good_record();
  json& down = changed["runs"][1]["nodes"][1]["down"];
  down["frames"] = 0;
  expect_refused(changed.dump(), ": runs[1].nodes[1].down.bytes: is " + down["bytes"].dump() +
                                     ", must be 0: there are no frames");
}

// The sums stay as they are.
TEST(ReadRecord, NamesJoulesThatEnergyAndBytesDoNotGive) {
  const json good = good_record();
  const auto moved = [&](const json& list, json* to, const char* key) {
    json changed = list;
    json& first = key == nullptr ? changed[0] : changed[0][key];
    json& second = key == nullptr ? changed[1] : changed[1][key];
    const double part = first.get<double>() / 2;
    first = first.get<double>() - part;
    second = second.get<double>() + part;
    *to = changed;
    return first.dump();
  };
  json changed = good;
  json& run = changed["runs"][1];
  std::string is = moved(run["nodes"], &run["nodes"], "joules");
  const std::string right = good["runs"][1]["nodes"][0]["joules"].dump();
  const Outcome nodes = run_whittle({"report", "-"}, changed.dump());
  EXPECT_EQ(nodes.code, 1);
  EXPECT_EQ(nodes.err.rfind("whittle: <stdin>: runs[1].nodes[0].joules: is " + is + ", must be " +
                                right.substr(0, 9),
                            0),
            0U)
      << nodes.err << right;
  EXPECT_NE(nodes.err.find(", by energy, samples, sensed and its bytes;"), std::string::npos);
  run = good["runs"][1];
  is = moved(run["joules"], &run["joules"], nullptr);
  const Outcome series = run_whittle({"report", "-"}, changed.dump());
  EXPECT_EQ(series.code, 1);
  EXPECT_EQ(
      series.err.rfind("whittle: <stdin>: runs[1].joules[0]: is " + is + ", must be from ", 0), 0U)
      << series.err;
  EXPECT_NE(series.err.find(", by energy, samples, masks and bytes;"), std::string::npos);
  for (const char* const term : {"sample", "feature", "byte_up", "byte_down"}) {
    changed = good;
    json& value = changed["energy"][term];
    value = value.get<double>() * 1.01;
    EXPECT_EQ(run_whittle({"report", "-"}, changed.dump()).code, 1) << term;
  }
}

// Each feature takes other microjoules, and the two nodes sense others: those of the fleet are
// known.
TEST(ReadRecord, NamesJoulesThatMasksDoNotGive) {
  const TempFile costs("feature,cost,energy\na,1,50\nb,1,1000\nc,1,\nd,1,0\n");

  std::string csv = readings_csv(800);
  csv.replace(0, csv.find('\n') + 1, "a,b,c,d,e,f,label\n");
  const Outcome simulated = run_whittle(
      with(kSmall, {"--policy", "budget=2", "--costs", costs.path(), "--format", "json"}), csv);
  const json good = json::parse(simulated.out);
  ASSERT_EQ(run_whittle({"report", "-"}, good.dump()).code, 0);
  json changed = good;
  changed["costs"]["microjoules"][1] = 1001;
  EXPECT_EQ(run_whittle({"report", "-"}, changed.dump()).code, 1);
  changed = good;  // the masks in force cost 2 in the end
  changed["runs"][1]["policy"] = "budget=1";
  const Outcome dear = run_whittle({"report", "-"}, changed.dump());
  const std::size_t last = good["checkpoints"].size() - 1;
  EXPECT_EQ(dear.err.rfind("whittle: <stdin>: runs[1].mask_cost[", 0), 0U) << dear.err;
  changed = good;  // a node does not forget that it has ranked
  changed["runs"][1]["mask_cost"][last - 1] = 6;
  const Outcome forgot = run_whittle({"report", "-"}, changed.dump());
  EXPECT_EQ(forgot.err.rfind("whittle: <stdin>: runs[1].mask_cost[" + std::to_string(last - 1) +
                                 "]: is 6, must be from 1.0 to 2.000",
                             0),
            0U)
      << forgot.err;
}

// 2 nodes, 800 samples each, of which 2 of 6 features are kept; some frames get lost.
TEST(ReadRecord, NamesWhatContradictsADriftAndItsSeries) {
  const json good = record_of({"--policy", "top", "--drift", "permute@400"});
  ASSERT_EQ(run_whittle({"report", "-"}, good.dump()).code, 0);
  const auto refused = [&](const char* pointer, const json& value, const std::string& wanted) {
    json changed = good;
    changed.at(json::json_pointer(pointer)) = value;
    expect_refused(changed.dump(),
                   ": " + path_of(pointer) + ": is " + value.dump() + ", must be " + wanted);
  };
  const json& all = good["runs"][0];
  const json& run = good["runs"][1];
  ASSERT_TRUE(all["recovery"].is_number());
  refused("/runs/0/recovery", nullptr, all["recovery"].dump() + ", by drift_at and accuracy");
  refused("/runs/1/recovery", 399, run["recovery"].dump() + ", by drift_at and accuracy");
  json still = good;
  still["drift_at"] = 0;
  expect_refused(still.dump(), ": runs[0].recovery: is " + all["recovery"].dump() +
                                   ", must be null, by drift_at and accuracy");

  std::vector<double> told;
  for (const json& share : run["accuracy"]) {
    if (share.is_number()) told.push_back(share);
  }
  const std::string within = "from " + json(*std::min_element(told.begin(), told.end())).dump() +
                             " to " + json(*std::max_element(told.begin(), told.end())).dump() +
                             ", within accuracy";
  refused("/runs/1/mean_accuracy", 0.001, within);
  refused("/runs/1/mean_accuracy", nullptr, within);
  json untold = good;
  untold["classes"] = json::array();
  const auto first = std::find_if(all["accuracy"].begin(), all["accuracy"].end(),
                                  [](const json& share) { return share.is_number(); });
  expect_refused(untold.dump(), ": runs[0].accuracy[" +
                                    std::to_string(first - all["accuracy"].begin()) + "]: is " +
                                    first->dump() + ", must be null: there are no classes");

  const std::string by = ", by policy, costs, kept and the nodes that never ranked";
  refused("/runs/1/mask_cost/0", 6.5, "from 1.0 to 6.0" + by);
  refused("/runs/1/mask_cost/0", 0, "from 1.0 to 6.0" + by);
  const auto kept = static_cast<double>(std::count(run["kept"].begin(), run["kept"].end(), true));
  const std::string last = "/runs/1/mask_cost/" + std::to_string(run["mask_cost"].size() - 1);
  refused(last.c_str(), 6.0,
          "from " + json(std::max(1.0, kept / 2)).dump() + " to " + json(kept).dump() + by);
  refused("/runs/1/nodes/0/received", 700,
          "from 768 to 800: all samples but those dropped, and up to 32 that wait");
}

TEST(ReadRecord, TakesMeansOfRanks) {
  for (const char* const ranks :
       {"[1,2,3,4,5,6]", "[3.5,3.5,3.5,3.5,3.5,3.5]", "[6,4,5,3,1.5,1.5]"}) {
    json changed = asked_record();
    changed["runs"][1]["ranks"][2] = json::parse(ranks);
    const Outcome outcome = run_whittle({"report", "-"}, changed.dump());
    EXPECT_EQ(outcome.code, 0) << ranks << outcome.err;
  }
}

TEST(ReadRecord, OneNodeGivesEachRankOnceAndEachMaskAFeature) {
  const Outcome simulated = run_whittle(
      {"simulate", "-", "--nodes", "1", "--policy", "top", "--format", "json"}, readings_csv(20));
  json good = json::parse(simulated.out);
  good["runs"][1]["nodes"][0]["lacks"] = "features";
  const auto with_ranks = [&](const char* ranks) {
    json changed = good;
    changed["runs"][1]["ranks"][2] = json::parse(ranks);
    return changed.dump();
  };
  EXPECT_EQ(run_whittle({"report", "-"}, with_ranks("[6,2,3,5,4,1]")).code, 0);
  expect_refused(with_ranks("[1,2,3,4,2,6]"),
                 ": runs[1].ranks[2][4]: is 2, must be a rank that no other feature has: [1] has "
                 "it");
  expect_refused(with_ranks("[1,2.5,2.5,4,5,6]"),
                 ": runs[1].ranks[2][1]: is 2.5, must be a whole number, of one node");
}

// Of four nodes each may keep another feature, so that none is kept by half of them.
TEST(ReadRecord, ManyNodesMayKeepNothingInCommon) {
  const Outcome simulated = run_whittle(
      {"simulate", "-", "--nodes", "4", "--policy", "top", "--format", "json"}, readings_csv(40));
  json record = json::parse(simulated.out);
  json& run = record["runs"][1];
  for (json& node : run["nodes"]) node["unranked"] = node["lacks"] = nullptr;
  for (json& kept : run["kept"]) kept = false;
  run["mask_cost"].back() = 1;
  EXPECT_EQ(run_whittle({"report", "-"}, record.dump()).code, 0);
}

TEST(ReadRecord, NamesAKeyThatIsThereTwice) {
  expect_refused("{\"kind\":1,\"kind\":1}", ": kind: is there twice, must be once");
  expect_refused("{\"a\":[{},[1,{\"b\":1}],{\"c\":{\"d\":1,\"e\":2,\"d\":3}}]}",
                 ": a[2].c.d: is there twice, must be once");
  expect_refused("[0,{\"\":1,\"\":2}]", ": [1].: is there twice, must be once");
  const std::string text = good_record().dump();
  const std::string key = "\"policy\":\"top\"";
  std::string twice = text;
  twice.replace(text.find(key), key.size(), "\"policy\":\"all\"," + key);
  expect_refused(twice, ": runs[1].policy: is there twice, must be once");
}

// A column without a name, and names that are no UTF-8 and look the same in JSON.
TEST(ReadRecord, TakesWhatASimulationOfOddNamesPrints) {
  for (const char* const names : {",unnamed,c", "a\xe8,a\xe9,c"}) {
    const Outcome simulated =
        run_whittle({"simulate", "-", "--nodes", "1", "--policy", "top", "--format", "json"},
                    names + std::string("\n1,2,3\n2,1,4\n3,2,5\n"));
    ASSERT_EQ(simulated.code, 0) << simulated.err;
    const Outcome report = run_whittle({"report", "-"}, simulated.out);
    EXPECT_EQ(report.code, 0) << report.err;
  }
}

}  // namespace
}  // namespace whittle
