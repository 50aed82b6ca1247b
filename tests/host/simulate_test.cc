// whittle simulate and whittle report, and the fleet behind them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/host/simulation_harness.h"
#include "tools/cli/number.h"
#include "tools/client/reading_receiver.h"
#include "tools/simulate/energy.h"
#include "tools/simulate/label_draw.h"
#include "tools/simulate/lossy_link.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/codec_sensing.h"
#include "whittle/wire/frame.h"

namespace whittle {
namespace {

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

TEST(LossyLink, LosesWholeFramesOnly) {
  simulate::LossyLink link(0.4, 3);
  std::vector<std::uint8_t> arrived;
  const auto take = [&] {
    const std::vector<std::uint8_t> bytes = link.take();
    arrived.insert(arrived.end(), bytes.begin(), bytes.end());
  };
  for (unsigned i = 0; i < 500; ++i) {
    const std::uint8_t frame[] = {static_cast<std::uint8_t>(i / 250 + 1),
                                  static_cast<std::uint8_t>(i % 250 + 1), 0};
    link.write({frame, 1});
    take();
    link.write({frame + 1, 2});
  }
  take();
  const simulate::LinkCounts& counts = link.counts();
  EXPECT_EQ(counts.frames, 500U);
  EXPECT_EQ(counts.bytes, 1500U);
  EXPECT_NEAR(static_cast<double>(counts.lost) / 500, 0.4, 0.05);
  ASSERT_EQ(arrived.size(), 3 * (counts.frames - counts.lost));
  int last = 0;
  for (std::size_t i = 0; i < arrived.size(); i += 3) {
    const int number = 250 * arrived[i] + arrived[i + 1];
    EXPECT_GT(number, last);
    EXPECT_EQ(arrived[i + 2], 0);
    last = number;
  }
}

TEST(LabelDraw, GivesEachSampleItsChanceWhicheverArrive) {
  for (const double rate : {0.0, 0.05, 0.5, 1.0}) {
    simulate::LabelDraw every(rate, 1), some(rate, 1), other(rate, 2);
    unsigned drawn = 0, differ = 0, multiples = 0;
    for (unsigned number = 1; number <= 20000; ++number) {
      const bool falls = every.falls_on(number);
      drawn += falls;
      multiples += falls && number % 20 == 0;
      differ += falls != other.falls_on(number);
      if (number % 3 == 0) {
        EXPECT_EQ(some.falls_on(number), falls) << number;
      }
    }
    EXPECT_NEAR(drawn, 20000 * rate, 4 * std::sqrt(20000 * rate * (1 - rate))) << rate;
    EXPECT_NEAR(multiples, 1000 * rate, 4 * std::sqrt(1000 * rate * (1 - rate))) << rate;
    // As if they had nothing in common.
    EXPECT_NEAR(differ, 40000 * rate * (1 - rate), 300) << rate;
  }
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

TEST(Simulate, AllFeaturesAreSensedWhateverTheirScore) {
  std::string csv = "a,dead,label\n";
  for (int i = 0; i < 700; ++i) csv += std::to_string(i % 7) + ",0," + (i % 3 == 0 ? "x\n" : "y\n");
  const Outcome outcome = run_whittle(with(kSmall, {"--policy", "top", "--format", "json"}), csv);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["runs"][0]["mean_sensed"], 1);
}

TEST(Simulate, CountsAddUp) {
  const json record = record_of({"--loss", "0.2", "--label-rate", "0.1"});
  for (const json& run : record["runs"]) {
    double bytes = 0, joules = 0;
    for (const json& node : run["nodes"]) {
      EXPECT_EQ(node["samples"], 800);
      EXPECT_LE(node["received"], 800);
      EXPECT_GE(node["received"], 790);  // the last may be under way
      EXPECT_EQ(node["dropped"], 0);
      // Chance labels a tenth of the 686 samples that have a class: 4 standard deviations.
      EXPECT_NEAR(node["labels"].get<int>() + node["late_labels"].get<int>(), 66, 32);
      const json &up = node["up"], &down = node["down"];
      for (const json& line : {up, down}) {
        EXPECT_NEAR(line["lost"].get<double>(), 0.2 * line["frames"].get<double>(), 45);
        EXPECT_GT(line["resent"], 0);
        bytes += line["bytes"].get<double>();
      }
      EXPECT_LE(up["duplicates"], up["resent"]);
      EXPECT_LE(down["duplicates"], down["resent"]);
      joules += node["joules"].get<double>();
    }
    EXPECT_EQ(run["total_bytes"], bytes);
    EXPECT_NEAR(run["total_joules"], joules, 1e-12);
    double by_checkpoint = 0;
    for (const json& value : run["bytes"]) by_checkpoint += value.get<double>();
    EXPECT_EQ(by_checkpoint, bytes);
  }
}

// What nodes that sense all write on lines without loss, message by message.
TEST(Simulate, BytesAreThoseOfTheWire) {
  const json record = record_of({"--loss", "0", "--label-rate", "0", "--policy", "all"}, 600);
  FromSensor reading = whittle_v1_FromSensor_init_zero;
  reading.which_body = whittle_v1_FromSensor_reading_tag;
  reading.body.reading.values_count = 6;
  for (float& value : reading.body.reading.values) value = 1.5F;
  ToSensor answer = whittle_v1_ToSensor_init_zero;
  answer.which_body = whittle_v1_ToSensor_readings_tag;
  ReadingReceiver receiver(6);
  std::size_t up = 0, down = 0;
  for (unsigned i = 1; i <= 300; ++i) {
    reading.body.reading.seq = reading.body.reading.sample = i;
    up += framed_bytes(reading);
    EXPECT_TRUE(receiver.take(reading).has_value());
    answer.body.readings = receiver.answer();
    down += framed_bytes(answer);
  }
  for (const json& node : record["runs"][0]["nodes"]) {
    EXPECT_EQ(node["up"]["frames"], 300);
    EXPECT_EQ(node["up"]["bytes"], up);
    EXPECT_EQ(node["down"]["frames"], 300);
    EXPECT_EQ(node["down"]["bytes"], down);
  }
}

// A score that needs no labels: what is lost is sent again, and changes nothing that is sensed.
TEST(Simulate, LossCostsBytesAndNoSample) {
  const Arguments variance = {"-s", "variance", "--policy", "top", "--label-rate", "0"};
  const json calm = record_of(with(variance, {"--loss", "0"}));
  const json noisy = record_of(with(variance, {"--loss", "0.3"}));
  const json &clean = run_of(calm, "top"), &lossy = run_of(noisy, "top");
  EXPECT_EQ(clean["masks"], lossy["masks"]);
  EXPECT_EQ(clean["ranks"], lossy["ranks"]);
  EXPECT_GT(lossy["total_bytes"].get<double>(), 1.2 * clean["total_bytes"].get<double>());
  for (const json& node : clean["nodes"]) {
    EXPECT_EQ(node["received"], 800);
    EXPECT_EQ(node["up"]["resent"], 0);
  }
  for (const json& node : lossy["nodes"]) EXPECT_GE(node["received"], 790);
}

// In this file the classes take turns, 10 samples each: labels at even distances, one in 20, would
// all be of one class.
TEST(Simulate, LabelsKeepStepWithNoPeriod) {
  std::string csv = "a,b,label\n";
  for (int i = 0; i < 1600; ++i) {
    const bool on = i / 10 % 2 == 1;
    csv += std::to_string(i % 7 + (on ? 3 : 0)) + ',' + std::to_string(i % 5) +
           (on ? ",on\n" : ",off\n");
  }
  const Outcome outcome =
      run_whittle({"simulate", "-", "-s", "fisher", "--nodes", "1", "--policy", "top",
                   "--label-rate", "0.05", "--learn", "64", "--loss", "0", "--format", "json"},
                  csv);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_LT(run_of(json::parse(outcome.out), "top")["late_sensed"], 0.8);
}

TEST(Simulate, ChanceLabelsEachNodeOtherwiseAndWhateverTheLineLoses) {
  const Arguments all = {"--policy", "all", "--label-rate", "0.1", "--label-delay", "0"};
  const json calm = record_of(with(all, {"--loss", "0"})), noisy = record_of(with(all, {}));
  std::set<int> counts;
  for (std::size_t i = 0; i < 2; ++i) {
    const int labels = calm["runs"][0]["nodes"][i]["labels"];
    counts.insert(labels);
    EXPECT_NEAR(labels, 68, 32);
    // Some are on the way.
    EXPECT_NEAR(noisy["runs"][0]["nodes"][i]["labels"].get<int>(), labels, 2);
  }
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_NE(calm["runs"][0]["accuracy"],
            record_of(with(all, {"--loss", "0", "--seed", "2"}))["runs"][0]["accuracy"]);
}

// The rows of the second node have no labels.
std::string half_labelled_csv() {
  std::string csv = "a,b,label\n";
  for (int i = 0; i < 1200; ++i) {
    const int state = i / 2 % 3 == 0;
    csv += std::to_string(i % 7 + 3 * state) + ',' + std::to_string(i % 5) +
           (i % 2 == 1   ? ",\n"
            : state == 0 ? ",off\n"
                         : ",on\n");
  }
  return csv;
}

TEST(Simulate, ANodeThatNeverRanksIsNamed) {
  const TempFile page(""), name("");
  const Arguments two = {"simulate", "-",         "-s",       "fisher",
                         "--nodes",  "2",         "--policy", "random",
                         "--policy", "once",      "--policy", "top",
                         "--learn",  "64",        "--csv",    name.path() + ".d",
                         "--report", page.path(), "--format", "json"};
  const Outcome outcome = run_whittle(two, half_labelled_csv());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string note =
      "1 of 2 nodes (2) never ranked and sensed everything: fisher needs labelled samples of two "
      "classes";
  EXPECT_NE(outcome.err.find("warning: fisher, once: " + note), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: fisher, top: " + note), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--label-rate"), std::string::npos) << outcome.err;
  // Two notes, and the advice once.
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 3) << outcome.err;
  const json record = json::parse(outcome.out);
  for (const json& run : record["runs"]) {
    EXPECT_TRUE(run["nodes"][0]["unranked"].is_null());
    const bool prunes = run["policy"] == "once" || run["policy"] == "top";
    EXPECT_EQ(run["nodes"][1]["unranked"].is_string(), prunes) << run["policy"];
    EXPECT_TRUE(!prunes || run["nodes"][1]["sensed"] == 1) << run["policy"];
  }
  EXPECT_NE(content_of(page.path()).find("fisher, top: " + note), std::string::npos);
  EXPECT_EQ(run_whittle({"report", "-"}, outcome.out).out, content_of(page.path()));
  EXPECT_NE(content_of(name.path() + ".d/nodes.csv").find("two classes"), std::string::npos);
}

TEST(Simulate, WhyANodeNeverRanksIsSaid) {
  const auto warning = [](const Arguments& more) {
    return run_whittle(with({"simulate", "-", "-s", "fisher", "--policy", "top"}, more),
                       readings_csv(1200))
        .err;
  };
  EXPECT_EQ(warning({}), "");
  EXPECT_NE(warning({"--label-rate", "0"}).find("4 of 4 nodes (1, 2, 3, 4) never ranked"),
            std::string::npos);
  EXPECT_NE(warning({"--nodes", "8"}).find("its warm-up of 256 samples outlasts the run"),
            std::string::npos);
  // 300 samples a node: the first mask may be due later than the warm-up ends.
  EXPECT_NE(warning({"--prune", "update_every=1000"})
                .find("its first mask is due after 1000 samples, the run has fewer"),
            std::string::npos);
  EXPECT_NE(warning({"--prune", "warm_up=301"}).find("its warm-up of 301 samples outlasts"),
            std::string::npos);
  EXPECT_EQ(warning({"--prune", "warm_up=300"}).find("its warm-up"), std::string::npos);
  EXPECT_NE(warning({"--nodes", "1", "--label-rate", "0"}).find("1 of 1 node (1) never ranked"),
            std::string::npos);
  EXPECT_NE(warning({"--nodes", "12"}).find("(1, 2, 3, 4, 5, 6, 7, 8, ...)"), std::string::npos);
}

TEST(Simulate, ALineThatIsTooBadDropsReadings) {
  const json record = record_of({"--loss", "0.85", "--policy", "all"}, 800);
  for (const json& node : record["runs"][0]["nodes"]) {
    EXPECT_GT(node["dropped"], 0);
    EXPECT_LE(node["received"].get<int>() + node["dropped"].get<int>(), 400);
  }
}

TEST(Simulate, MoreFeaturesThanAReadingHoldsAreRefused) {
  std::string csv = "label";
  for (std::size_t r = 0; r <= kMaxSensedFeatures; ++r) csv += ",f" + std::to_string(r);
  std::string row = "\non";
  for (std::size_t r = 0; r <= kMaxSensedFeatures; ++r) row += ",1";
  const Outcome outcome = run_whittle({"simulate", "-", "--nodes", "1"}, csv + row + row + '\n');
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("WHITTLE_MAX_PAYLOAD"), std::string::npos) << outcome.err;
}

TEST(Simulate, RowsLeftOutAreNamedAndCounted) {
  const Outcome outcome =
      run_whittle(with(kSmall, {"--policy", "random"}),
                  readings_csv(400) +
                      "1,2,3,4,5,6,on\n,,,,,,on\n1,2,inf,4,5,6,\n1,1e999,3,4,5,6,\n,,,,,,off\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string before = "whittle: warning: <stdin>:40";
  const std::string start = before + "3: row left out: no value\n" + before +
                            "4:3: column 'c': row left out: infinite value\n" + before +
                            "5:2: column 'b': row left out: " + cli::past_range<Real>("1e999") +
                            "\nwhittle: warning: 4 rows left out in all\n";
  EXPECT_EQ(outcome.err.substr(0, start.size()), start);
}

TEST(Simulate, MoreMemoryThanThereIsIsRefusedBeforeTheStart) {
  const Outcome outcome =
      run_whittle({"simulate", "-", "--nodes", "200", "--window", "16777216"}, readings_csv(400));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("whittle: a simulation of 200 nodes of ", 0), 0U) << outcome.err;
  EXPECT_NE(outcome.err.find("; fewer --nodes need less\n"), std::string::npos) << outcome.err;
}

TEST(Simulate, EnergyIsThatOfItsParts) {
  // Without loss and labels a node that senses all costs the same every sample.
  const json record = record_of({"--loss", "0", "--label-rate", "0", "--policy", "all", "--energy",
                                 "sample=5,feature=2,byte=0"});
  ASSERT_EQ(record["runs"].size(), 1U);
  EXPECT_NEAR(record["runs"][0]["total_joules"], 1600 * (5 + 6 * 2) * 1e-6, 1e-9);
  EXPECT_TRUE(record["runs"][0]["mean_accuracy"].is_null());
}

TEST(Simulate, HelpSaysWhatThePrunerMayBeTold) {
  const std::string help = run_whittle({"simulate", "--help"}).out;
  for (const char* const said :
       {"\n  warm_up (samples sensed whole at the start): a whole number from 0 to 4294967295, "
        "default 256\n",
        "\n  update_every (samples from one mask to the next): a whole number from 1 to "
        "4294967295, default 128\n",
        "\n  drift_block (values compared with the past; 0: no detector): 0 or a whole number "
        "from 16 to 255, default 128\n",
        "\n  false_alarm_every (samples from one false alarm to the next): a number from 1 on, "
        "default 1e+06\n"}) {
    EXPECT_NE(help.find(said), std::string::npos) << said;
  }
}

TEST(Simulate, EnergyThatIsNotGivenIsThatOfTheFirstModel) {
  const Arguments all = {"--policy", "all", "--energy"};
  const json usual = record_of(with(all, {"802.15.4"}), 400)["energy"];
  const json given = record_of(with(all, {"sample=1"}), 400)["energy"];
  EXPECT_EQ(given["name"], "given; feature and byte as 802.15.4");
  EXPECT_EQ(given["source"].get<std::string>(),
            "the command line; feature and byte: " + usual["source"].get<std::string>());
  EXPECT_EQ(given["sample"], 1);
  for (const char* const key : {"feature", "byte_up", "byte_down"}) {
    EXPECT_EQ(given[key], usual[key]) << key;
  }
  const json bytes = record_of(with(all, {"byte=3"}), 400)["energy"];
  EXPECT_EQ(bytes["byte_up"], 3);
  EXPECT_EQ(bytes["byte_down"], 3);
  EXPECT_EQ(bytes["name"], "given; sample and feature as 802.15.4");
  EXPECT_EQ(record_of(with(all, {"byte=3,feature=0,sample=1"}), 400)["energy"]["name"], "given");
}

TEST(Simulate, ASelectorThatNoPolicyNeedsIsNamed) {
  const Arguments two = with(kSmall, {"-s", "cls", "-s", "fisher", "--policy", "random"});
  const Outcome idle = run_whittle(two, readings_csv(400));
  EXPECT_EQ(idle.code, 0);
  EXPECT_NE(idle.err.find("warning: --selector 'fisher': no run is its, since policies all and "
                          "random need no selector; add one that does, such as --policy top\n"),
            std::string::npos)
      << idle.err;
  const Outcome busy = run_whittle(with(two, {"--policy", "top"}), readings_csv(400));
  EXPECT_EQ(busy.err.find("no run is its"), std::string::npos) << busy.err;
  EXPECT_NE(busy.out.find("fisher, top"), std::string::npos) << busy.out;
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

}  // namespace
}  // namespace whittle
