// What whittle simulate warns of, on standard error and in the page: readings that nodes drop, and
// labels that never come. (Of nodes that never rank: simulate_test.cc.)
#include <gtest/gtest.h>

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
  EXPECT_FALSE(has(run_whittle({"report", "-"}, record.dump()).out, " dropped "));
  nodes[1]["dropped"] = 42;
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

}  // namespace
}  // namespace whittle
