// What a model says beside the ranking, of a ranker here and on a node: --predict, --memberships.
#include "tools/cli/model.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/host/cli_harness.h"
#include "tests/host/noisy_line.h"
#include "tests/shared/feature_ranker_digits.h"
#include "tools/cli/error.h"
#include "tools/cli/local_ranker.h"
#include "tools/cli/number.h"
#include "tools/cli/remote_ranker.h"
#include "tools/cli/selectors.h"

namespace whittle::cli {
namespace {

// digits: class 0 is 'zero', of the sample 0,0; so a row is of class y x, in decimal digits.
constexpr char kLearned[] = "x,y,label\n0,0,zero\n1,0,one\n2,0,two\n3,0,three\n4,4,\n";

struct Terminal {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Console console{in, out, err};
};

// A plan for the selector `digits`, which the program does not have.
Plan digits_plan(const TempFile* test, bool memberships, Terminal* terminal) {
  terminal->in.str(kLearned);
  RankOptions options;
  options.file = "-";
  options.selector = "ls";
  Plan plan = make_plan(options, terminal->console);
  const MemoryConfig held = plan.config.memory;
  plan.config = RankerConfig(whittle::testing::kDigits, kAllParts);
  plan.config.memory.features = held.features;
  plan.config.memory.classes = held.classes;
  plan.config.memory.labelled = held.labelled;
  plan.config.memory.window = held.window;
  if (test != nullptr) {
    plan.test = read_test_rows(test->path(), plan.data, {}, terminal->console);
    plan.test->data.file = "test.csv";
  }
  plan.memberships = memberships;
  return plan;
}

Outcome outcome_of(Terminal& terminal, Format format, const Plan& plan, Result result) {
  print(format, plan, result, terminal.console);
  return {0, terminal.out.str(), terminal.err.str()};
}

Outcome ask_here(const TempFile* test, bool memberships, Format format, std::uint32_t top = 0) {
  Terminal terminal;
  const Plan plan = digits_plan(test, memberships, &terminal);
  LocalRanker ranker(plan);
  const Refusals refusals = ranker.observe_all(terminal.console);
  Result result = ranker.rank(top, refusals.samples(), terminal.console);
  ask_model(plan, ranker, terminal.console, &result);
  return outcome_of(terminal, format, plan, std::move(result));
}

Outcome ask_a_node(const TempFile* test, bool memberships, Format format, std::uint32_t top = 0) {
  constexpr const SelectorType* types[] = {&whittle::testing::kDigits};
  Terminal terminal;
  const Plan plan = digits_plan(test, memberships, &terminal);
  NoisyLine line(Noise{}, 1U << 20, 2048, Catalog(types, kAllParts));
  NodeClient client(line, {});
  RemoteRanker ranker(client, plan);
  ranker.configure(client.connect());
  ranker.observe_all(terminal.console);
  Result result = ranker.rank(top, terminal.console);
  ask_model(plan, ranker, terminal.console, &result);
  return outcome_of(terminal, format, plan, std::move(result));
}

// What is said must not depend on where the model is.
Outcome ask(const std::string& test, bool memberships, Format format, std::uint32_t top = 0) {
  const TempFile file(test);
  const TempFile* const given = test.empty() ? nullptr : &file;
  const Outcome here = ask_here(given, memberships, format, top);
  const Outcome there = ask_a_node(given, memberships, format, top);
  EXPECT_EQ(there.out, here.out);
  EXPECT_EQ(there.err, here.err);
  return here;
}

std::string refusal(const std::string& test, std::uint32_t top = 0) {
  const TempFile file(test);
  std::string first;
  for (const bool here : {true, false}) {
    try {
      (here ? ask_here : ask_a_node)(&file, false, Format::json, top);
      first = "accepted";
    } catch (const Error& error) {
      if (!here) {
        EXPECT_EQ(error.what(), first);
      }
      first = error.what();
    }
  }
  return first;
}

TEST(Model, ClassifiesTheRowsOfAnotherFile) {
  const Outcome json = ask("y,x,label\n0,2,two\n0,1,zero\n0,0,\n", false, Format::json);
  EXPECT_EQ(json.err, "");
  const auto said = nlohmann::json::parse(json.out);
  EXPECT_EQ(json.out.substr(json.out.find(",\"predictions\"")),
            ",\"predictions\":{\"file\":\"test.csv\",\"labelled\":2,\"accuracy\":0.5,"
            "\"classes\":[\"two\",\"one\",\"zero\"]}}\n");
  EXPECT_EQ(said["order"], (std::vector<int>{1, 0}));
}

TEST(Model, ListsOfInfoArriveFromANode) {
  const auto info = nlohmann::json::parse(ask("", false, Format::json).out)["info"];
  EXPECT_EQ(info["objective"], (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(info["gap"], 0.5);
  EXPECT_EQ(info["none"], std::vector<double>{});
  EXPECT_EQ(info["last"], (std::vector<double>{0, 0.25}));
  const Outcome table = ask("", false, Format::table);
  EXPECT_NE(table.out.find("\nobjective 0 0.25 0.5 0.75\ngap 0.5\nnone \nlast 0 0.25\n"),
            std::string::npos)
      << table.out;
}

TEST(Model, PredictionsInATableAndInCsv) {
  const std::string test = "x,y,label\n2,0,two\n1,0,\n";
  const Outcome table = ask(test, false, Format::table);
  EXPECT_EQ(table.err, "whittle: test.csv: accuracy 1, 1 of 1 labelled row classified right\n");
  EXPECT_NE(table.out.find("\n\nrow  class\n1  two\n2  one\n"), std::string::npos) << table.out;
  const Outcome csv = ask("x,y\n2,0\n1,0\n", false, Format::csv);
  EXPECT_EQ(csv.out, "row,class\n1,two\n2,one\n");
  EXPECT_EQ(csv.err, "");
}

TEST(Model, MembershipsByRow) {
  const Outcome json = ask("", true, Format::json);
  EXPECT_EQ(json.out.substr(json.out.find(",\"memberships\"")),
            ",\"memberships\":{\"classes\":[\"zero\",\"one\",\"two\",\"three\"],\"rows\":"
            "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1],[0.25,0.25,0.25,0.25]]}}\n");
  EXPECT_EQ(ask("", true, Format::csv).out,
            "row,zero,one,two,three\n1,1,0,0,0\n2,0,1,0,0\n3,0,0,1,0\n4,0,0,0,1\n"
            "5,0.25,0.25,0.25,0.25\n");
  EXPECT_NE(ask("", true, Format::table).out.find("\n\nrow  zero one two three\n1  1 0 0 0\n"),
            std::string::npos);
}

TEST(Model, RowsThatCannotBeClassifiedAreNamedAndHaveNoClass) {
  const Outcome outcome =
      ask("x,y,label\n2,0,two\ninf,0,two\n,,two\n1,0,one\n", false, Format::json);
  EXPECT_EQ(outcome.err,
            "whittle: warning: test.csv:3:1: column 'x': row not classified: infinite value\n"
            "whittle: warning: test.csv:4: row not classified: invalid_argument: no value of a "
            "selected feature is present\n");
  const auto said = nlohmann::json::parse(outcome.out)["predictions"];
  EXPECT_EQ(said["labelled"], 2);
  EXPECT_EQ(said["accuracy"], 1);
  EXPECT_TRUE(said["classes"][1].is_null());
}

TEST(Model, CellsThatAreTooLargeAreNamedAsTheFileHasThem) {
  // Columns in another order than those learned from, one of them of no feature.
  const Outcome outcome =
      ask("label,y,z,x\ntwo,1e999,-1e999,2\none,0,1e999,1\n,0,0,-1e999\n", false, Format::csv);
  const std::string before = "whittle: warning: test.csv:";
  EXPECT_NE(
      outcome.err.find(
          before + "2:2: column 'y': row not classified: " + past_range<Real>("1e999") + '\n' +
          before + "4:4: column 'x': row not classified: " + past_range<Real>("-1e999") + '\n'),
      std::string::npos)
      << outcome.err;
}

TEST(Model, ClassesThatWereNotLearnedCountAsWrong) {
  const Outcome outcome = ask("x,y,label\n2,0,two\n1,0,seven\n", false, Format::json);
  EXPECT_NE(outcome.err.find("no such class was learned, so its rows count as wrong: 'seven'"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["predictions"]["accuracy"], 0.5);
}

TEST(Model, OnlySelectedFeaturesNeedBeThere) {
  // y is the best; x becomes its mean, 2.
  const Outcome outcome = ask("y,z\n0,9\n", false, Format::csv, 1);
  EXPECT_EQ(outcome.out, "row,class\n1,two\n");
  EXPECT_NE(outcome.err.find("ignored, since no such feature was learned: 'z'"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(refusal("y,z\n0,9\n"),
            "test.csv: no column is called 'x', which is a selected feature");
}

TEST(Model, FileOfOtherFeaturesIsRefused) {
  EXPECT_NE(refusal("a,b\n1,2\n").find(": no column is called as a feature of <stdin>"),
            std::string::npos);
}

TEST(Model, PlansAreCheckedBeforeTheStart) {
  const auto said = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"rank", "/nonexistent"});
    const Outcome outcome = run_whittle(options);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_EQ(said({"-s", "cls", "--predict", "t.csv"})
                .rfind("whittle: --predict: cls does not classify; ", 0),
            0U);
  EXPECT_EQ(said({"-s", "cls", "--memberships"})
                .rfind("whittle: --memberships: cls has no memberships; ", 0),
            0U);
}

}  // namespace
}  // namespace whittle::cli
