// whittle simulate and whittle report, and the fleet behind them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/host/cli_harness.h"
#include "tools/simulate/energy.h"
#include "tools/simulate/frame_bytes.h"
#include "tools/simulate/lossy_link.h"
#include "whittle/base/random.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/codec_sensing.h"
#include "whittle/wire/frame.h"

namespace whittle {
namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;

// Two classes; features 0 and 3 tell them, four are noise; every seventh row has no label.
std::string readings_csv(unsigned rows) {
  Random random(7);
  std::ostringstream csv;
  csv << "a,b,c,\"d <&> \"\"e\"\"\",e,f,label\n";
  for (unsigned i = 0; i < rows; ++i) {
    const unsigned state = random.next() & 1U;
    for (unsigned r = 0; r < 6; ++r) {
      csv << random.uniform() + (r % 3 == 0 && r < 5 ? Real(state) : Real(0)) << ',';
    }
    csv << (i % 7 == 0 ? "" : state == 0 ? "off" : "on") << '\n';
  }
  return csv.str();
}

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const Arguments kSmall = {"simulate", "-",       "--nodes",     "2",       "--keep",
                          "2",        "--prune", "warm_up=128", "--learn", "64"};

json record_of(const Arguments& more, unsigned rows = 1600) {
  const Outcome outcome =
      run_whittle(with(with(kSmall, {"--format", "json"}), more), readings_csv(rows));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out);
}

const json& run_of(const json& record, const std::string& policy) {
  for (const json& run : record["runs"]) {
    if (run["policy"] == policy) return run;
  }
  throw std::runtime_error("no run of " + policy);
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(LossyLink, DeliversAllOnceAndInOrder) {
  simulate::LossyLink link(0.4, 3);
  std::vector<std::uint64_t> arrived;
  for (std::uint64_t i = 0; i < 500; ++i) link.send(10, i);
  for (int period = 0; period < 5000 && link.waiting() > 0; ++period) {
    for (const std::uint64_t what : link.step()) arrived.push_back(what);
  }
  ASSERT_EQ(arrived.size(), 500U);
  for (std::uint64_t i = 0; i < 500; ++i) EXPECT_EQ(arrived[i], i);
  const simulate::LinkCounts& counts = link.counts();
  EXPECT_EQ(counts.frames, 500 + counts.resent);
  EXPECT_EQ(counts.frames, 500 + counts.lost + counts.duplicates);
  EXPECT_EQ(counts.bytes, 10 * counts.frames);
  EXPECT_NEAR(static_cast<double>(counts.lost) / static_cast<double>(counts.frames), 0.4, 0.05);
}

TEST(LossyLink, LosesNothingWithoutLoss) {
  simulate::LossyLink link(0, 1);
  for (std::uint64_t i = 0; i < 5; ++i) link.send(7, i);
  EXPECT_EQ(link.step().size(), 5U);
  EXPECT_EQ(link.counts().resent, 0U);
  EXPECT_EQ(link.counts().bytes, 35U);
}

template <typename Message>
std::size_t framed_bytes(const Message& message) {
  std::uint8_t payload[kMaxPayload];
  struct Counter final : ByteSink {
    void write(Span<const std::uint8_t> bytes) override { count += bytes.size(); }
    std::size_t count = 0;
  } counter;
  const std::size_t size = encode(message, Span<std::uint8_t>(payload));
  EXPECT_GT(size, 0U);
  write_frame(Span<const std::uint8_t>(payload, size), counter);
  return counter.count;
}

// Without what byte stuffing adds to long frames that hold no zero.
void expect_length(std::size_t stated, std::size_t framed) {
  EXPECT_GE(stated, framed);
  EXPECT_LE(stated, framed + framed / 254);
}

TEST(FrameBytes, AreThoseOfTheWire) {
  for (const pb_size_t sensed : std::initializer_list<pb_size_t>{1, 5, 60}) {
    for (const std::uint64_t sample : {1U, 200U, 70000U}) {
      FromSensor message = whittle_v1_FromSensor_init_zero;
      message.which_body = whittle_v1_FromSensor_reading_tag;
      whittle_v1_Reading& reading = message.body.reading;
      reading.seq = reading.sample = sample;
      reading.values_count = sensed;
      for (pb_size_t i = 0; i < sensed; ++i) reading.values[i] = 1.5F;
      expect_length(simulate::reading_bytes(sample, 0, sensed, 0), framed_bytes(message));
      reading.mask = 3;
      reading.sensed.size = 8;
      expect_length(simulate::reading_bytes(sample, 3, sensed, 64), framed_bytes(message));
    }
  }
  FromSensor mask = whittle_v1_FromSensor_init_zero;
  mask.which_body = whittle_v1_FromSensor_mask_tag;
  mask.body.mask.seq = 300;
  mask.body.mask.id = 2;
  mask.body.mask.features = 20;
  mask.body.mask.mask.size = 3;
  expect_length(simulate::mask_bytes(300, 2, 20), framed_bytes(mask));
  ToNode label = whittle_v1_ToNode_init_zero;
  label.seq = 300;
  label.which_body = whittle_v1_ToNode_label_tag;
  label.body.label.sample = 300;
  label.body.label.label = 1;
  expect_length(simulate::label_bytes(300, 1), framed_bytes(label));
}

TEST(EnergyModels, AreWhatTheirSourcesSay) {
  const auto zigbee = simulate::find_energy_model("802.15.4");
  ASSERT_TRUE(zigbee.has_value());
  EXPECT_NEAR(zigbee->byte_up, 1.6704, 1e-6);  // 3 V x 17.4 mA x 32 us
  EXPECT_NEAR(zigbee->byte_down, 1.8048, 1e-6);
  EXPECT_NEAR(zigbee->sample, 9.9, 1e-6);
  EXPECT_NEAR(zigbee->feature, 2.16, 1e-6);
  EXPECT_FALSE(simulate::find_energy_model("none").has_value());
}

TEST(Simulate, AllFeaturesComeFirstAndPruningSaves) {
  const json record = record_of({"--loss", "0.1"});
  ASSERT_EQ(record["runs"].size(), 4U);
  const json& all = record["runs"][0];
  EXPECT_EQ(all["policy"], "all");
  EXPECT_EQ(all["mean_sensed"], 1.0);
  const json& top = run_of(record, "top");
  EXPECT_LT(top["total_bytes"], all["total_bytes"]);
  EXPECT_LT(top["total_joules"], all["total_joules"]);
  EXPECT_EQ(top["kept"], json::parse("[true,false,false,true,false,false]"));
  EXPECT_GT(top["late_accuracy"], 0.9);
  EXPECT_LT(run_of(record, "random")["mean_accuracy"], top["mean_accuracy"]);
}

TEST(Simulate, CountsAddUp) {
  const json record = record_of({"--loss", "0.2", "--label-rate", "0.1"});
  for (const json& run : record["runs"]) {
    double bytes = 0, joules = 0;
    for (const json& node : run["nodes"]) {
      EXPECT_EQ(node["samples"], 800);
      EXPECT_LE(node["received"], 800);
      EXPECT_GE(node["received"], 790);  // the last may be under way
      // A label for a tenth of the samples that have one; fewer where few were sensed whole.
      EXPECT_NEAR(node["labels"].get<int>() + node["late_labels"].get<int>(), 66, 6);
      const json &up = node["up"], &down = node["down"];
      EXPECT_EQ(up["frames"].get<int>(),
                node["received"].get<int>() + up["lost"].get<int>() + up["duplicates"].get<int>());
      for (const json& link : {up, down}) {
        bytes += link["bytes"].get<double>() + link["ack_bytes"].get<double>();
      }
      joules += node["joules"].get<double>();
    }
    EXPECT_EQ(run["total_bytes"], bytes);
    EXPECT_NEAR(run["total_joules"], joules, 1e-12);
    double by_checkpoint = 0;
    for (const json& value : run["bytes"]) by_checkpoint += value.get<double>();
    EXPECT_EQ(by_checkpoint, bytes);
  }
}

TEST(Simulate, EnergyIsThatOfItsParts) {
  // Without loss and labels a node that senses all costs the same every sample.
  const json record = record_of({"--loss", "0", "--label-rate", "0", "--policy", "all", "--energy",
                                 "sample=5,feature=2,byte=0"});
  ASSERT_EQ(record["runs"].size(), 1U);
  EXPECT_NEAR(record["runs"][0]["total_joules"], 1600 * (5 + 6 * 2) * 1e-6, 1e-9);
  EXPECT_TRUE(record["runs"][0]["mean_accuracy"].is_null());
}

TEST(Simulate, SameSeedSameRecord) {
  const Arguments drift = {"--drift", "permute@400"};
  EXPECT_EQ(record_of(drift), record_of(drift));
  EXPECT_NE(record_of(drift), record_of(with(drift, {"--seed", "2"})));
}

TEST(Simulate, AMaskThatAdaptsFollowsADrift) {
  // With this seed the features that tell the classes are others after the drift.
  const json record =
      record_of({"--drift", "permute@1000", "--prune", "recovery=256", "--prune", "update_every=64",
                 "--seed", "3", "--labelled", "32", "--label-rate", "0.2"},
                6000);
  const json &top = run_of(record, "top"), &once = run_of(record, "once");
  EXPECT_LT(once["late_accuracy"], 0.7);
  EXPECT_TRUE(once["recovery"].is_null());
  EXPECT_GT(top["late_accuracy"], 0.9);
  EXPECT_FALSE(top["recovery"].is_null());
  ASSERT_FALSE(top["alarms"].empty());
  for (const json& alarm : top["alarms"]) EXPECT_GE(alarm["sample"], 1000);
}

TEST(Simulate, TableAndCsvHaveARowPerRun) {
  const Arguments one = with(kSmall, {"--policy", "top", "-s", "cls", "-s", "variance"});
  const Outcome table = run_whittle(one, readings_csv(600));
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 4);
  const Outcome csv = run_whittle(with(one, {"--format", "csv"}), readings_csv(600));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 4);
  EXPECT_EQ(csv.out.substr(0, csv.out.find(',')), "selector");
}

TEST(Simulate, RefusesWhatMakesNoSense) {
  const std::vector<Arguments> wrong = {
      {"--policy", "best"},      {"--policy", "threshold=x"},
      {"--prune", "warm_up"},    {"--prune", "patience=3"},
      {"--prune", "dwell=-1"},   {"--prune", "false_alarm_every=0"},
      {"--drift", "permute"},    {"--drift", "turn@5"},
      {"--drift", "shift@800"},  {"--energy", "solar"},
      {"--energy", "byte=-1"},   {"--energy", "bits=1"},
      {"--selector", "nothing"}, {"--loss", "1"},
      {"--nodes", "0"}};
  for (const Arguments& arguments : wrong) {
    const Outcome outcome = run_whittle(with(kSmall, arguments), readings_csv(1600));
    EXPECT_EQ(outcome.code, 2) << arguments[0] << ' ' << arguments[1] << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(run_whittle({"simulate", "-", "--nodes", "9"}, "a,label\n1,x\n").code, 1);
}

TEST(Report, IsThePageOfTheSimulation) {
  const TempFile page("");
  const Outcome simulated = run_whittle(
      with(kSmall, {"--drift", "permute@200", "--format", "json", "--report", page.path()}),
      readings_csv(800));
  ASSERT_EQ(simulated.code, 0) << simulated.err;
  const Outcome report = run_whittle({"report", "-"}, simulated.out);
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_EQ(report.out, content_of(page.path()));
  // Nothing from elsewhere, and what names say is no markup.
  for (const char* const text : {"http://", "https://", "<script", "src=", "@import", "d <&>"}) {
    EXPECT_EQ(report.out.find(text), std::string::npos) << text;
  }
  EXPECT_NE(report.out.find("d &lt;&amp;&gt; &quot;e&quot;"), std::string::npos);
}

TEST(Report, CsvFilesHaveTheNumbersOfTheRecord) {
  const TempFile name("");
  const std::string folder = name.path() + ".d";
  const std::string record = record_of({"--policy", "top"}, 800).dump();
  const Outcome report = run_whittle({"report", "-", "--csv", folder}, record);
  ASSERT_EQ(report.code, 0) << report.err;
  const json parsed = json::parse(record);
  const std::size_t points = parsed["checkpoints"].size();
  const auto lines = [&](const char* file) {
    const std::string text = content_of(folder + "/" + file);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  };
  EXPECT_EQ(lines("summary.csv"), 3U);
  EXPECT_EQ(lines("series.csv"), 1 + 2 * points);
  EXPECT_EQ(lines("ranks.csv"), 1 + 2 * points);
  EXPECT_EQ(lines("masks.csv"), 1 + 2 * points);
  EXPECT_EQ(lines("features.csv"), 13U);
  EXPECT_EQ(lines("nodes.csv"), 5U);
  EXPECT_EQ(lines("alarms.csv"), 1 + parsed["runs"][1]["alarms"].size());
  const std::string first = content_of(folder + "/masks.csv");
  EXPECT_NE(first.find("sample,a,b,c,\"d <&> \"\"e\"\"\",e,f\n"), std::string::npos);
}

TEST(Report, RefusesWhatIsNoRecord) {
  json record = record_of({"--policy", "top"}, 400);
  for (const std::string text : {"", "{", "[]", "{\"kind\":\"whittle simulation\"}", "null"}) {
    const Outcome outcome = run_whittle({"report", "-"}, text);
    EXPECT_EQ(outcome.code, 1) << text;
    EXPECT_NE(outcome.err.find("not a record"), std::string::npos) << outcome.err;
  }
  const auto refused = [](const json& changed) {
    return run_whittle({"report", "-"}, changed.dump()).code == 1;
  };
  for (const char* const key : {"accuracy", "ranks", "masks", "kept", "nodes"}) {
    json changed = record;
    changed["runs"][0].erase(key);
    EXPECT_TRUE(refused(changed)) << key;
  }
  json shorter = record;
  shorter["runs"][0]["ranks"][0].erase(0);
  EXPECT_TRUE(refused(shorter));
  json empty = record;
  empty["runs"] = json::array();
  EXPECT_TRUE(refused(empty));
  EXPECT_FALSE(refused(record));
}

}  // namespace
}  // namespace whittle
