// Explicit pairs: the file, and what they do to a ranking.
#include "tools/cli/pairs.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/host/cli_harness.h"
#include "tools/cli/error.h"
#include "tools/cli/local_ranker.h"
#include "tools/cli/number.h"
#include "tools/cli/parameters.h"
#include "tools/cli/selectors.h"

namespace whittle::cli {
namespace {

constexpr char kRows[] = "x,y,label\n1,5,a\n2,1,\n4,3,universum\n7,4,b\n";

Dataset rows() {
  std::istringstream in(kRows);
  return read_dataset(in, "f.csv", {});
}

std::string refusal(const std::string& text) {
  std::istringstream in(text);
  try {
    read_pairs(in, "p.csv", rows());
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PairsFile, GivenByTheirLaterRow) {
  std::istringstream in("first,second,link\n4,1,cannot\n\n2,1,must\n2,4,must\n");
  const Pairs pairs = read_pairs(in, "p.csv", rows());
  ASSERT_EQ(pairs.list.size(), 3U);
  EXPECT_EQ(pairs.list[0].earlier, 0U);
  EXPECT_EQ(pairs.list[0].later, 1U);
  EXPECT_TRUE(pairs.list[0].must_link);
  EXPECT_EQ(pairs.where(0), "p.csv:4");
  EXPECT_EQ(pairs.where(1), "p.csv:2");
  EXPECT_FALSE(pairs.list[1].must_link);
  EXPECT_EQ(pairs.where(2), "p.csv:5");
}

TEST(PairsFile, BadOnesNameThePlace) {
  const std::string head = "first,second,link\n";
  EXPECT_EQ(refusal(""), "p.csv:1:1: the file is empty; its header must be first,second,link");
  EXPECT_EQ(refusal("first,other,link\n"),
            "p.csv:1:2: 'other': the header must be first,second,link");
  EXPECT_EQ(refusal("1,2,must\n"), "p.csv:1:1: '1': the header must be first,second,link");
  EXPECT_EQ(refusal("first,second\n"),
            "p.csv:1:3: this row has 2 fields; there must be three: first,second,link");
  EXPECT_EQ(refusal(head + "1,2,must,\n"),
            "p.csv:2:4: this row has 4 fields; there must be three: first,second,link");
  for (const char* row : {"0", "5", "x", "", "1.5", "-1"}) {
    EXPECT_EQ(refusal(head + "1," + row + ",must\n"),
              "p.csv:2:2: '" + std::string(row) + "' is no row of f.csv: its data rows are 1 to 4");
  }
  EXPECT_EQ(refusal(head + "1,2,must\n3,2,must\n"),
            "p.csv:3:1: row 3 is universum; only labelled and unlabelled rows can be paired");
  EXPECT_EQ(refusal(head + "2,2,must\n"), "p.csv:2:2: a pair needs two different rows");
  EXPECT_EQ(refusal(head + "1,2,may\n"), "p.csv:2:3: 'may': write must or cannot");
}

TEST(PairsFile, ThatCannotBeOpened) {
  const Outcome outcome =
      run_whittle({"rank", "-", "-s", "cs1", "--pairs", "/nonexistent/p.csv"}, kRows);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err,
            "whittle: /nonexistent/p.csv: cannot be opened: No such file or directory\n");
}

TEST(Pairs, CountInScores) {
  // cs1 without labels: (1-2)^2 / (2-4)^2 and (5-1)^2 / (1-3)^2.
  const TempFile pairs("first,second,link\n1,2,must\n3,2,cannot\n");
  const Outcome outcome =
      run_whittle({"rank", "-", "-s", "cs1", "--pairs", pairs.path(), "--format", "csv"},
                  "x,y\n1,5\n2,1\n4,3\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "rank,index,name,score,selected\n1,0,x,0.25,true\n2,1,y,4,true\n");
}

// A column of each kind: apart by class, noise, a mix; a third labelled, some universum.
std::string noisy_rows() {
  std::mt19937 random(7);
  std::ostringstream csv;
  csv << "a,b,c,d,label\n";
  for (int i = 0; i < 36; ++i) {
    for (int r = 0; r < 4; ++r) csv << static_cast<double>(random() % 997) / 997 + i % 2 * r << ',';
    csv << (i % 9 == 8 ? "universum" : i % 3 > 0 ? "" : i % 2 == 0 ? "even" : "odd") << '\n';
  }
  return csv.str();
}

// Scores with pairs or without, of the same samples held.
std::vector<std::string> scores_of(const RankerConfig& config, const Pairs& pairs) {
  std::istringstream in(noisy_rows());
  Plan plan = {config, read_dataset(in, "f.csv", {}), pairs, {}, 0, 0, {}, false};
  MemoryConfig& memory = plan.config.memory;
  memory.features = static_cast<std::uint32_t>(plan.data.features());
  memory.classes = static_cast<std::uint32_t>(plan.data.classes.size());
  memory.labelled = memory.window = static_cast<std::uint32_t>(plan.data.samples());
  memory.pairs = 8;
  std::ostringstream out;
  const Console console{in, out, out};
  LocalRanker ranker(plan);
  ranker.observe_all(console).report(console);
  EXPECT_EQ(out.str(), "");  // none refused
  std::vector<std::string> scores;
  for (const Real score : ranker.rank(0, 0, console).scores) scores.push_back(format_real(score));
  return scores;
}

void expect_pairs_count_if_read(const RankerConfig& config) {
  SCOPED_TRACE(config.selector->id);
  const Pairs pairs = {"p.csv", {{1, 4, true, 2}, {2, 5, false, 3}, {10, 11, false, 4}}};
  EXPECT_EQ(scores_of(config, pairs) != scores_of(config, {}), reads_pairs(config));
}

TEST(Pairs, CountForTheSelectorsThatReadThemAndNoOthers) {
  const Catalog catalog = all_selectors();
  for (std::size_t i = 0; i < catalog.size(); ++i) {
    expect_pairs_count_if_read(RankerConfig(catalog[i], kAllParts));
  }
  RankerConfig without_labels(find_selector("ls"), kAllParts);
  set_parameters({"use_labels=false"}, &without_labels);
  EXPECT_FALSE(reads_pairs(without_labels));
  expect_pairs_count_if_read(without_labels);
}

TEST(Pairs, ThatNothingReadsAreSaidAndChangeNothing) {
  const std::string csv = noisy_rows();
  const TempFile pairs("first,second,link\n2,5,must\n");
  for (const Arguments& selector :
       {Arguments{"fisher"}, Arguments{"relieff"}, Arguments{"ls", "--param", "use_labels=off"}}) {
    const Arguments command = with({"rank", "-", "-s"}, selector);
    const Outcome outcome = run_whittle(with(command, {"--pairs", pairs.path()}), csv);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err,
              "whittle: warning: --pairs has no effect here: it is for cs1, cs2, ls "
              "(use_labels=true), sc4, cls, csfs, csfsr, lsdf\n");
    EXPECT_EQ(outcome.out, run_whittle(command, csv).out);
    const Outcome sized = run_whittle(with(command, {"--param", "pairs=3"}), csv);
    EXPECT_EQ(sized.err,
              "whittle: warning: --param pairs=3 has no effect here: it is for --pairs and a "
              "selector that reads them\n");
  }
}

TEST(Pairs, RefusedOnesAreSaidAndTheRunGoesOn) {
  const TempFile pairs("first,second,link\n1,2,must\n2,1,cannot\n1,4,cannot\n");
  const Outcome outcome = run_whittle(
      {"rank", "-", "-s", "ls", "--pairs", pairs.path(), "--param", "window=3", "--format", "json"},
      "x,y\n1,5\n2,1\n4,3\n8,1\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "whittle: warning: " + pairs.path() +
                             ":3: pair refused, rows 1 and 2: failed_precondition: cannot-link "
                             "refused: the samples must link\n"
                             "whittle: warning: " +
                             pairs.path() +
                             ":4: pair refused, rows 1 and 4: not both are held when the later one "
                             "has come (--param window=N and labelled=N say how many are), or one "
                             "was refused\n");
  EXPECT_NE(outcome.out.find("\"pairs\":3"), std::string::npos) << outcome.out;
}

TEST(Pairs, NoRoomIsSaid) {
  const TempFile pairs("first,second,link\n1,2,must\n2,3,must\n");
  const Outcome outcome =
      run_whittle({"rank", "-", "-s", "ls", "--pairs", pairs.path(), "--param", "pairs=1"},
                  "x,y\n1,5\n2,1\n4,3\n8,1\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find(":3: pair refused, rows 2 and 3: resource_exhausted: no room for "),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace whittle::cli
