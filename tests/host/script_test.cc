// Late labels and rescaling: the order of what is told, and that it is told alike here and to a
// node (stream_command_test.cc).
#include "tools/cli/script.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/host/cli_harness.h"
#include "tools/cli/selectors.h"
#include "tools/cli/warnings.h"

namespace whittle::cli {
namespace {

constexpr char kRows[] = "x,label\n1,a\n2,\n3,b\n4,universum\n5,a\n";

std::string steps_of(std::uint32_t label_delay, std::uint32_t rescale_every) {
  Plan plan{RankerConfig(find_selector("ls")), {}, {}, {}, label_delay, rescale_every, {}, false};
  std::istringstream in(kRows);
  plan.data = read_dataset(in, "f.csv", {});
  plan.pairs.list = {{0, 2, true, 2}};
  std::string text;
  for (const Step& step : script_of(plan)) {
    text += "splr"[static_cast<std::size_t>(step.kind)] + std::to_string(step.index) + ' ';
  }
  return text;
}

TEST(Script, LabelsFollowTheirRowsAndTheRestComesAtTheEnd) {
  EXPECT_EQ(steps_of(0, 0), "s0 s1 s2 p0 s3 s4 ");
  EXPECT_EQ(steps_of(1, 0), "s0 s1 l0 s2 p0 s3 l2 s4 l4 ");
  EXPECT_EQ(steps_of(3, 0), "s0 s1 s2 p0 s3 l0 s4 l2 l4 ");
  EXPECT_EQ(steps_of(100, 0), "s0 s1 s2 p0 s3 s4 l0 l2 l4 ");
}

TEST(Script, RescalesAfterEverySoManyRows) {
  EXPECT_EQ(steps_of(0, 2), "s0 s1 r1 s2 p0 s3 r3 s4 ");
  EXPECT_EQ(steps_of(1, 2), "s0 s1 l0 r1 s2 p0 s3 l2 r3 s4 l4 ");
}

nlohmann::json ranked(std::vector<std::string> options, const std::string& csv,
                      std::string* err = nullptr) {
  options.insert(options.begin(), {"rank", "-", "--format", "json"});
  const Outcome outcome = run_whittle(options, csv);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  if (err != nullptr) *err = outcome.err;
  return nlohmann::json::parse(outcome.out);
}

TEST(LateLabels, GiveTheRankingOfLabelsInTime) {
  const std::string csv = mixed_csv(5, 60, 8);
  for (const char* selector : {"cls", "cs1", "fisher", "lsdf"}) {
    const auto in_time =
        ranked({"-s", selector, "--param", "labelled=40", "--param", "window=60"}, csv);
    for (const char* delay : {"1", "7", "1000"}) {
      std::string err;
      const auto late = ranked({"-s", selector, "--param", "labelled=40", "--param", "window=60",
                                "--label-delay", delay},
                               csv, &err);
      EXPECT_EQ(err, "");
      EXPECT_EQ(late["features"], in_time["features"]) << selector << ' ' << delay;
      EXPECT_EQ(late["samples"], in_time["samples"]) << selector << ' ' << delay;
    }
  }
}

// These hold nothing but for late labels; moments of what is held add up in another order.
TEST(LateLabels, RoundOtherwiseThanWhereNothingIsHeld) {
  const std::string csv = mixed_csv(5, 60, 8);
  for (const char* selector : {"variance", "fisher", "cs1", "cs2", "uvs"}) {
    SCOPED_TRACE(selector);
    const auto late = ranked({"-s", selector, "--label-delay", "7"}, csv)["features"];
    const Arguments held = {"-s", selector, "--param", "labelled=60", "--param", "window=60"};
    EXPECT_EQ(late, ranked(held, csv)["features"]);
    const auto alone = ranked({"-s", selector}, csv)["features"];
    for (std::size_t r = 0; r < alone.size(); ++r) {
      ASSERT_EQ(late[r]["score"].is_null(), alone[r]["score"].is_null());
      if (late[r]["score"].is_null()) continue;
      const double score = alone[r]["score"];
      EXPECT_NEAR(late[r]["score"], score, 1e-5 * std::abs(score));
    }
  }
}

TEST(LateLabels, WindowHasRoomForThoseThatWait) {
  const auto late = ranked({"-s", "cls", "--label-delay", "1000"}, kRows);
  EXPECT_EQ(late["params"]["window"], 4);
  EXPECT_EQ(late["params"]["labelled"], 3);
  EXPECT_EQ(late["samples"]["labelled"], 3);
}

TEST(LateLabels, TooLateIsSaid) {
  std::string err;
  const auto late =
      ranked({"-s", "variance", "--label-delay", "2", "--param", "window=2"}, kRows, &err);
  EXPECT_EQ(late["samples"]["labelled"], 2);
  EXPECT_EQ(err,
            "whittle: warning: <stdin>:2: label refused: its sample is no longer held when it "
            "comes (--param window=N says how many are), or was refused\n");
}

TEST(Rescaling, NeedsALearnedScale) {
  const Outcome outcome = run_whittle({"rank", "-", "-s", "ls", "--rescale-every", "3"}, kRows);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "whittle: --rescale-every: the scale is learned again only where it is learned: give "
            "--param learn=N\n");
}

Arguments rescaling(const std::string& learn, const std::string& every) {
  return {"-s",      "ls",  "--scale",         "minmax", "--param", "learn=" + learn,
          "--param", "k=1", "--rescale-every", every};
}

TEST(Rescaling, TooEarlyIsLeftOutAndLaterOnesCount) {
  const std::string csv = "x,y\n1,1\n2,3\n9,4\n5,50\n";
  std::string err;
  const auto often = ranked(rescaling("2", "1"), csv, &err);
  EXPECT_EQ(err, "");
  EXPECT_EQ(often["features"], ranked(rescaling("4", "100"), csv)["features"]);
  EXPECT_NE(often["features"], ranked(rescaling("2", "100"), csv)["features"]);
}

// The scale is learned from ordinary samples only.
TEST(Rescaling, IsNotAskedForWhileThereAreUniversumSamplesOnly) {
  std::string err;
  ranked(rescaling("2", "1"), "x,y,label\n1,1,universum\n2,3,\n9,4,\n5,50,\n", &err);
  EXPECT_EQ(err, "");
}

TEST(Rescaling, TooEarlyForWantOfSamplesIsSaid) {
  std::string err;
  ranked(rescaling("2", "2"), "x,y\ninf,1\n2,3\n9,4\n5,50\n", &err);
  EXPECT_NE(err.find("whittle: warning: <stdin>:3: rescaling refused: failed_precondition: too few "
                     "samples for the scale: learn is: 2\n"),
            std::string::npos)
      << err;
}

std::string warned(const char* selector, const std::vector<Result::Info>& info,
                   Scaling scaling = Scaling::none,
                   const std::vector<std::string>& parameters = {}) {
  std::istringstream in(kRows);
  std::ostringstream out;
  std::ostringstream err;
  const Console console{in, out, err};
  RankOptions options;
  options.file = "-";
  options.selector = selector;
  options.scaling = scaling;
  options.parameters = parameters;
  const Plan plan = make_plan(options, console);
  Result result;
  result.info = info;
  warn_of_result(plan, result, console);
  return err.str();
}

Result::Info fact(const char* name, bool value) {
  return {name, InfoKind::boolean, value ? Real(1) : Real(0), ""};
}

TEST(Warnings, OfResultsThatAreNotWhatTheySeem) {
  EXPECT_EQ(warned("l2gfs", {fact("converged", true), fact("collapsed", false)}), "");
  EXPECT_EQ(warned("l2gfs", {fact("collapsed", true)}),
            "whittle: warning: clusters have collapsed into one point: the scores say little\n");
}

// Only what can help is advised.
TEST(Warnings, OfWhatHasNotConvergedSayWhatMayHelp) {
  const auto not_converged = [](const std::string& advice) {
    return "whittle: warning: not converged: the scores are those of the best state so far" +
           advice + '\n';
  };
  const auto after = [](int iterations) {
    return std::vector<Result::Info>{
        {"iterations", InfoKind::integer, static_cast<Real>(iterations), ""},
        fact("converged", false)};
  };
  const std::string others = "other parameters (whittle selectors l2gfs lists them) may help";
  EXPECT_EQ(warned("l2gfs", after(200)),
            not_converged("; a larger --param max_iter=N (now 200), --scale zscore or " + others));
  EXPECT_EQ(warned("l2gfs", after(200), Scaling::zscore),
            not_converged("; a larger --param max_iter=N (now 200) or " + others));
  EXPECT_EQ(warned("l2gfs", after(199), Scaling::zscore),
            not_converged("; no more than 199 iterations change anything; " + others));
  EXPECT_EQ(warned("l2gfs", after(100000), Scaling::minmax, {"max_iter=100000"}),
            not_converged("; max_iter=100000 is the most it may be; --scale zscore or " + others));
  EXPECT_EQ(warned("senfs", after(3), Scaling::zscore),
            not_converged("; a larger --param max_iter=N (now 20000) or other parameters (whittle "
                          "selectors senfs lists them) may help"));
  EXPECT_EQ(warned("ss", after(5)), not_converged("; --scale zscore may help"));
  EXPECT_EQ(warned("ss", after(5), Scaling::zscore), not_converged(""));
}

}  // namespace
}  // namespace whittle::cli
