// What whittle simulate warns of, on standard error and in the page: readings that nodes drop,
// labels that never come, scales that are learned too early or not at all, and what may help nodes
// that never rank. (That they are named: simulate_test.cc.)
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/host/simulation_harness.h"

namespace whittle {
namespace {

constexpr char kDroppedAdvice[] = "what may help nodes that drop readings: a line that loses less";
constexpr char kUnlabelledAdvice[] = "what may help where no label comes: a larger --label-rate";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SimulationNotes, NodesThatDropReadingsAreNamed) {
  const TempFile page("");
  const Arguments bad = with(
      kSmall, {"--loss", "0.8", "--policy", "all", "--format", "json", "--report", page.path()});
  const Outcome outcome = run_whittle(bad, readings_csv(800));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::uint64_t dropped = 0;
  const json record = json::parse(outcome.out);
  for (const json& node : record["runs"][0]["nodes"]) {
    ASSERT_GT(node["dropped"], 40);
    dropped += node["dropped"].get<std::uint64_t>();
  }
  const std::string note =
      "all features: 2 of 2 nodes (1, 2) dropped " + std::to_string(dropped) + " of 800 readings (";
  const std::string page_text = content_of(page.path());
  EXPECT_TRUE(has(outcome.err, "warning: " + note)) << outcome.err;
  EXPECT_TRUE(has(outcome.err, std::string("warning: ") + kDroppedAdvice)) << outcome.err;
  EXPECT_TRUE(has(page_text, note));
  EXPECT_TRUE(has(page_text, kDroppedAdvice));
  EXPECT_EQ(run_whittle({"report", "-"}, outcome.out).out, page_text);
}

// Of two nodes of 400 samples each, one may drop 40, no more.
TEST(SimulationNotes, ATenthMayBeDropped) {
  json record = record_of({"--policy", "all"}, 800);
  json& nodes = record["runs"][0]["nodes"];
  nodes[0]["dropped"] = 40;
  nodes[0]["received"] = 360;
  const Outcome tenth = run_whittle({"report", "-"}, record.dump());
  EXPECT_EQ(tenth.code, 0) << tenth.err;
  EXPECT_FALSE(has(tenth.out, " dropped "));
  nodes[1]["dropped"] = 42;
  nodes[1]["received"] = 358;
  EXPECT_TRUE(has(run_whittle({"report", "-"}, record.dump()).out,
                  "all features: 1 of 2 nodes (2) dropped 42 of 400 readings (10.5 %)"));
}

TEST(SimulationNotes, RunsWithoutALabelAreCounted) {
  const std::string rows = readings_csv(400);
  const Arguments two = with(kSmall, {"-s", "variance", "--policy", "top", "--loss", "0"});
  const std::string note = "in 2 of 2 runs no label came to any node: 0 of 400 samples had one";
  for (const Arguments& none :
       {Arguments{"--label-rate", "0"}, Arguments{"--label-delay", "200"}}) {
    const Outcome outcome = run_whittle(with(two, none), rows);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(has(outcome.err, "warning: " + note)) << outcome.err;
    EXPECT_TRUE(has(outcome.err, std::string("warning: ") + kUnlabelledAdvice)) << outcome.err;
  }
  EXPECT_EQ(run_whittle(with(two, {"--label-rate", "0.2"}), rows).err, "");
  // Labels that came too late came.
  EXPECT_EQ(run_whittle(with(two, {"--label-rate", "0.2", "--label-delay", "150"}), rows).err, "");
  // Where there is none to come, that alone is said.
  const Outcome outcome = run_whittle(with(two, {"--label-rate", "0"}), "a,b\n1,2\n2,1\n3,5\n");
  EXPECT_TRUE(has(outcome.err, "no row has a label")) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "no label came")) << outcome.err;
}

// Each value stands for 20 samples of the one node.
std::string slow_csv(unsigned rows) {
  Random random(5);
  std::string csv = "a,b,label\n";
  Real a = 0, b = 0;
  for (unsigned i = 0; i < rows; ++i) {
    if (i % 20 == 0) a = random.uniform();
    if (i % 20 == 0) b = random.uniform();
    csv += std::to_string(a) + ',' + std::to_string(b) + (i / 20 % 2 == 0 ? ",on\n" : ",off\n");
  }
  return csv;
}

// That of what this node lacks, and of nothing else.
TEST(SimulationNotes, AdviceFollowsWhatANodeLacks) {
  std::string plain = "a,b,label\n", large = plain, constant = plain, briefly_calm = plain;
  for (int i = 0; i < 200; ++i) {
    const char* const label = i % 2 == 0 ? ",on\n" : ",off\n";
    plain += std::to_string(i % 7) + ',' + std::to_string(i % 5) + label;
    large += std::to_string(i % 7) + "e20," + std::to_string(i % 5) + "e20" + label;
    constant += std::string("3,4") + label;
    const char* const unit = i > 35 && i < 45 ? "e-6" : "e5";  // while the scale is learned
    briefly_calm += std::to_string(i % 7) + unit + ',' + std::to_string(i % 5) + unit + label;
  }
  const struct {
    const char* lacks;
    std::string rows;
    Arguments more;
    const char* reason;
    const char* advice;
  } cases[] = {
      {"samples", slow_csv(60), {}, "its warm-up of 64 samples outlasts the run", "--nodes"},
      {"labels",
       slow_csv(200),
       {"-s", "fisher", "--label-rate", "0"},
       "fisher needs labelled samples of two classes",
       "--label-rate"},
      {"labels",
       slow_csv(200),
       {"-s", "cs2", "--label-rate", "0"},
       "cs2 needs a pair: two labelled samples, or an explicit one",
       "--label-rate"},
      {"calm",
       readings_csv(800),
       {"-s", "fisher", "--label-rate", "0", "--prune", "drift_block=16", "--prune",
        "false_alarm_every=100", "--drift", "shift@400"},
       "it senses all after an alarm of drift until the end",
       "drift_block=0"},
      {"time",
       plain,
       {"-s", "fisher", "--label-rate", "1", "--label-delay", "191", "--window", "200"},
       "it can rank now, but could not when its mask was last due",
       "update_every=N"},
      {"half_life",
       slow_csv(200),
       {"--learn", "40", "--half-life", "1e-9"},
       "no feature has a score, since its half-life has it forget how features vary",
       "a longer --half-life N"},
      {"half_life",
       briefly_calm,
       {"--learn", "40", "--half-life", "1e-3"},
       "distances overflow, since its half-life has it forget how features vary",
       "a longer --half-life N"},
      {"scale",
       slow_csv(200),
       {"--learn", "1"},
       "no feature has a score, since its scale, learned from 1 sample, takes every feature for "
       "constant",
       "--learn 0"},
      {"scale",
       slow_csv(200),
       {"--learn", "20", "-s", "variance"},
       "no feature has a score, since its scale, learned from 20 samples, takes every feature for "
       "constant",
       "--learn N"},
      {"range", large, {}, "distances overflow: scale the features down", "a scale (--learn N)"},
      {"features", constant, {}, "no feature has a score", "another --selector"},
  };
  for (const auto& [lacks, rows, more, reason, advice] : cases) {
    if (has(reason, "overflow") && sizeof(Real) > sizeof(float)) continue;
    const TempFile page("");
    Arguments arguments = {"simulate", "-",       "--nodes",    "1",       "--policy",
                           "top",      "--prune", "warm_up=64", "--prune", "update_every=32",
                           "--loss",   "0",       "--format",   "json",    "--report",
                           page.path()};
    if (std::find(more.begin(), more.end(), "--learn") == more.end()) {
      arguments = with(arguments, {"--learn", "0"});
    }
    const Outcome outcome = run_whittle(with(arguments, more), rows);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const json node = run_of(json::parse(outcome.out), "top")["nodes"][0];
    EXPECT_EQ(node["lacks"], lacks) << reason;
    EXPECT_EQ(node["unranked"], reason);
    EXPECT_TRUE(has(outcome.err, std::string("sensed everything: ") + reason + '\n'))
        << outcome.err;
    const std::size_t at = outcome.err.find("what may help nodes");
    ASSERT_NE(at, std::string::npos) << outcome.err;
    const std::string said = outcome.err.substr(at, outcome.err.find('\n', at) - at);
    EXPECT_TRUE(has(said, advice)) << said;
    const bool wants_labels = lacks == std::string("labels") || lacks == std::string("time");
    EXPECT_EQ(has(said, "--label-rate"), wants_labels) << said;
    EXPECT_FALSE(has(outcome.err.substr(at + 1), "what may help nodes")) << outcome.err;
    EXPECT_TRUE(has(content_of(page.path()), advice));
    EXPECT_EQ(run_whittle({"report", "-"}, outcome.out).out, content_of(page.path()));
  }
}

TEST(SimulationNotes, AScaleThatIsNeverLearnedIsTold) {
  const std::string rows = readings_csv(800);
  const auto run = [&](const Arguments& more) {
    return run_whittle(with({"simulate", "-", "--nodes", "2", "--prune", "warm_up=128"}, more),
                       rows);
  };
  const std::string note = "--learn 401: each node has only 400 samples; nothing is scaled\n";
  const Arguments top = {"--policy", "top", "--policy", "random", "--format", "json", "--learn"};
  const Outcome past = run(with(top, {"401"}));
  EXPECT_EQ(past.code, 0);
  EXPECT_EQ(past.err.find("whittle: warning: " + note +
                          "whittle: warning: what may help where no "
                          "scale is learned: a smaller --learn N"),
            0U)
      << past.err;
  EXPECT_TRUE(has(run_whittle({"report", "-"}, past.out).out, note.substr(0, note.size() - 1)));
  EXPECT_TRUE(has(past.out, "\"scale\":\"learned from 401 samples, more than a node has: none\""));
  const Outcome within = run(with(top, {"128"}));  // in the warm-up
  EXPECT_EQ(within.err, "");
  EXPECT_FALSE(run_of(json::parse(within.out), "top")["nodes"][0]["unscaled"]);
  // Nodes that do not prune need none.
  EXPECT_EQ(run({"--policy", "random", "--learn", "401"}).err, "");
}

// With gaps most selectors do not learn from a sample.
TEST(SimulationNotes, ANodeThatLearnsFromTooFewSamplesIsNamed) {
  const std::string note =
      "--learn 300: cls, top: 2 of 2 nodes (1, 2) learned from fewer samples (most selectors learn "
      "from whole ones only); nothing is scaled there";
  const Arguments top = {"simulate", "-",           "--nodes",  "2",    "--policy", "top",
                         "--prune",  "warm_up=128", "--format", "json", "--learn",  "300"};
  const Outcome outcome = run_whittle(top, readings_csv(800));
  EXPECT_TRUE(has(outcome.err, "warning: " + note + '\n')) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "warning: what may help where no scale is learned")) << outcome.err;
  EXPECT_TRUE(run_of(json::parse(outcome.out), "top")["nodes"][1]["unscaled"]);
  EXPECT_TRUE(has(run_whittle({"report", "-"}, outcome.out).out, note));
  EXPECT_EQ(run_whittle(with(top, {"-s", "variance"}), readings_csv(800)).err, "");
}

TEST(SimulationNotes, FeaturesThatVaryOnlyAfterTheScaleAreTold) {
  std::string csv = "a,b,still,label\n";
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    csv += std::to_string(random.uniform()) + ',' + std::to_string(i < 100 ? 0 : i % 5) + ",7" +
           (i % 2 == 0 ? ",on\n" : ",off\n");
  }
  const Arguments one = {"simulate", "-",           "--nodes",  "1",    "--policy", "top",
                         "--prune",  "warm_up=128", "--format", "json", "--learn"};
  const Outcome early = run_whittle(with(one, {"64"}), csv);
  EXPECT_TRUE(has(early.err,
                  "warning: cls, top: 1 of 1 node (1) took features for constant, up to 1, that "
                  "vary, but not where the scale was learned\n"))
      << early.err;
  EXPECT_TRUE(has(early.err, "one learned from more samples (--learn N)")) << early.err;
  EXPECT_EQ(run_of(json::parse(early.out), "top")["nodes"][0]["flat"], 1);
  EXPECT_EQ(run_whittle(with(one, {"120"}), csv).err, "");
}

}  // namespace
}  // namespace whittle
