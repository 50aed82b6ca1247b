// What whittle report says of a file that is no record, or of an edited one: which key, what it is
// and what it must be.
#include <gtest/gtest.h>

#include <string>

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
  expect_refused("[]", ": is a list, must be an object");
  expect_refused("null", ": is null, must be an object");
  expect_refused("{}", ": kind: is missing");
  expect_refused("{\"kind\":\"x\"}", ": kind: is 'x', must be 'whittle simulation'");
  expect_refused("{\"kind\":\"whittle simulation\"}", ": version: is missing");
}

// A record of 2 nodes, 20 samples each, 6 features and 2 runs, with costs and an alarm.
const json& good_record() {
  static const json record = [] {
    const TempFile costs("feature,cost,group,group_cost\na,2,g,1\nb,1,g,\n");
    json made = record_of({"--policy", "top", "--costs", costs.path()}, 40);
    made["runs"][1]["alarms"] = json::parse("[{\"sample\":19,\"node\":1}]");
    return made;
  }();
  return record;
}

TEST(ReadRecord, TakesWhatTheSimulationPrints) {
  const Outcome outcome = run_whittle({"report", "-"}, good_record().dump());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
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
constexpr char kStability[] = "a number from -1 to 1, or null";

struct Edit {
  const char* pointer;
  const char* value;  // JSON
  const char* wanted;
};

const Edit kEdits[] = {
    {"/version", "2", "3 for this version of whittle: simulate again"},
    {"/version", "\"3\"", kCount},
    {"/data", "7", "a text"},
    {"/features", "[]", "a list of one or more"},
    {"/features", "{}", "a list"},
    {"/features/2", "null", "a text"},
    {"/classes", "3", "a list"},
    {"/classes/0", "false", "a text"},
    {"/rows", "0", "a whole number of 1 or more"},
    {"/rows", "-40", "a whole number of 1 or more"},
    {"/rows", "40.5", "a whole number of 1 or more"},
    {"/nodes", "0", "a whole number from 1 to 40"},
    {"/nodes", "41", "a whole number from 1 to 40"},
    {"/samples", "21", "20"},
    {"/drift_at", "-1", "a whole number from 0 to 19"},
    {"/drift_at", "20", "a whole number from 0 to 19"},
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
    {"/costs/group_cost/0", "-1", kAmount},
    {"/settings", "[]", "an object"},
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
    {"/runs/1/nodes/0/samples", "21", kSamples},
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
    {"/runs/1/nodes/1/unranked", "1", "a text, or null"},
};

std::string shown(const json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
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
  }
}

}  // namespace
}  // namespace whittle
