// What streaming adds to JSFS: history, interruptions, answers meanwhile, predictions, refusals.
#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "tests/shared/jsfs_cases.h"
#include "whittle/select/jsfs.h"

namespace whittle::testing {
namespace {

// Whatever came before, and however refine was cut into pieces: the same bits.
TEST(JsfsStream, HistoryAndInterruptionsLeaveNoTrace) {
  JsfsCase one{"plain"};
  one.rows = 50;
  const std::vector<Row> rows = rows_of(one, 11);
  RankerInBuffer streamed(config_of(one));
  for (const Row& row : rows) {
    ASSERT_TRUE(streamed->observe(row.sample()).ok());
    streamed->refine(17);
  }
  while (!streamed->refine(1).converged) {
    ASSERT_TRUE(streamed->rank(0).ok());
  }
  RankerInBuffer fresh(config_of(one));
  for (const Row& row : held_after(rows, one.held_labelled, one.window, one.classes)) {
    ASSERT_TRUE(fresh->observe(row.sample()).ok());
  }
  refine_to_the_end(*fresh);
  ASSERT_TRUE(streamed->rank(0).ok());
  ASSERT_TRUE(fresh->rank(0).ok());
  for (std::size_t r = 0; r < one.features; ++r) {
    const Real a = streamed->ranking().scores()[r], b = fresh->ranking().scores()[r];
    EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << r;
  }
}

TEST(JsfsStream, ALateLabelIsAsGoodAsAnEarlyOne) {
  JsfsCase one{"plain"};
  one.rows = 24;
  one.held_labelled = one.window = 24;  // so that neither evicts what the other keeps
  std::vector<Row> rows = rows_of(one, 12);
  rows[20].kind = SampleKind::unlabelled;
  RankerInBuffer late(config_of(one));
  for (const Row& row : rows) ASSERT_TRUE(late->observe(row.sample()).ok());
  refine_to_the_end(*late);
  ASSERT_TRUE(late->label(21, 1).ok());
  EXPECT_FALSE(late->refine(1).converged);
  refine_to_the_end(*late);
  rows[20].kind = SampleKind::labelled;
  rows[20].label = 1;
  RankerInBuffer early(config_of(one));
  for (const Row& row : rows) ASSERT_TRUE(early->observe(row.sample()).ok());
  refine_to_the_end(*early);
  ASSERT_TRUE(late->rank(0).ok());
  ASSERT_TRUE(early->rank(0).ok());
  const auto a = late->ranking().scores(), b = early->ranking().scores();
  EXPECT_EQ(std::memcmp(a.data(), b.data(), one.features * sizeof(Real)), 0);
}

// A few steps after a sample came, scores are not far from those that the cold start ends at.
TEST(JsfsStream, AnswersMeanwhileFromTheLastResult) {
  JsfsCase one{"plain"};
  one.held_labelled = 16;
  one.window = 20;
  one.rows = 60;
  const std::vector<Row> rows = rows_of(one, 13);
  RankerInBuffer ranker(config_of(one));
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
  }
  refine_to_the_end(*ranker);
  ASSERT_TRUE(ranker->observe(rows.back().sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  const auto scores = [&] {
    EXPECT_TRUE(ranker->rank(0).ok());
    const auto all = ranker->ranking().scores();
    return std::vector<Real>(all.begin(), all.end());
  };
  const std::vector<Real> stale = scores();
  std::vector<std::vector<Real>> seen = {stale};
  while (!ranker->refine(1).converged) {
    if (scores() != seen.back()) seen.push_back(scores());
  }
  if (scores() != seen.back()) seen.push_back(scores());
  ASSERT_EQ(seen.size(), 3U);  // the last result, fitted anew, solved from the start
  const Real largest = *std::max_element(seen[2].begin(), seen[2].end());
  for (std::size_t r = 0; r < one.features; ++r) {
    EXPECT_NEAR(static_cast<double>(seen[1][r]), static_cast<double>(seen[2][r]),
                0.25 * static_cast<double>(largest));
  }
}

TEST(JsfsStream, RanksByTheLabelsBeforeTheFirstStep) {
  JsfsCase one{"plain"};
  one.gap = 6;
  RankerInBuffer ranker(config_of(one));
  for (const Row& row : rows_of(one, 14)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_FALSE(ranker->refine(0).converged);
  ASSERT_TRUE(ranker->rank(0).ok());
  const auto order = ranker->ranking().order();
  std::set<std::uint32_t> best(order.begin(), order.begin() + 3);
  EXPECT_EQ(best, (std::set<std::uint32_t>{0, 1, 2}));
  std::uint32_t label = 0;
  EXPECT_EQ(ranker->predict({rows_of(one, 14)[0].x.data(), one.features}, &label).code(),
            StatusCode::failed_precondition);
}

TEST(JsfsStream, PredictsTheClassesItLearned) {
  for (const std::uint32_t classes : {2U, 3U}) {
    JsfsCase one{"far"};
    one.classes = classes;
    one.gap = 12;
    one.rows = 70;
    one.labelled = 1;
    one.window = 0;
    one.held_labelled = 36;
    const std::vector<Row> rows = rows_of(one, 16);
    RankerInBuffer ranker(config_of(one));
    for (std::size_t i = 0; i < 36; ++i) ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
    refine_to_the_end(*ranker);
    ASSERT_TRUE(ranker->rank(0).ok());
    int right = 0, asked = 0;
    for (std::size_t i = 36; i < rows.size(); ++i) {
      if (rows[i].kind != SampleKind::labelled) continue;
      std::uint32_t label = 9;
      ASSERT_TRUE(ranker->predict({rows[i].x.data(), one.features}, &label).ok());
      right += label == rows[i].label ? 1 : 0;
      ++asked;
    }
    EXPECT_GT(right, asked * 9 / 10) << classes;
  }
}

TEST(JsfsStream, StopsAtMaxIterAndSaysSo) {
  JsfsCase one{"plain"};
  one.rows = 30;
  RankerConfig config = config_of(one);
  ASSERT_TRUE(config.values.set(kJsfsParams, "max_iter", 2).ok());
  RankerInBuffer ranker(config);
  for (const Row& row : rows_of(one, 17)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->refine(10000).converged);  // nothing left to do
  EXPECT_EQ(ranker->refine(10).iterations, 0U);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  EXPECT_EQ(info_of(*ranker, "iterations"), 2);
  EXPECT_GT(info_of(*ranker, "residual"), 1e-3);
}

// 1 as long as nothing has been solved on the points of now; then that of the pass that the weights
// come from, at the end no more than tol.
TEST(JsfsStream, ResidualFallsToTheTolerance) {
  JsfsCase one{"plain"};
  one.rows = 30;
  std::vector<Row> rows = rows_of(one, 20);
  RankerInBuffer ranker(config_of(one));
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  std::vector<double> seen;
  const auto note = [&] {
    ASSERT_TRUE(ranker->rank(0).ok());
    const double residual = info_of(*ranker, "residual");
    EXPECT_EQ(residual <= 1.001e-3, info_of(*ranker, "converged") == 1);
    if (seen.empty() || seen.back() != residual) seen.push_back(residual);
  };
  note();
  while (!ranker->refine(1).converged) note();
  note();
  EXPECT_EQ(seen.front(), 1);
  EXPECT_GT(seen.size(), 3U);  // passes
  EXPECT_LE(seen.back(), 1.001e-3);

  seen.clear();
  ASSERT_TRUE(ranker->observe(rows[0].sample()).ok());
  note();
  while (!ranker->refine(1).converged) note();
  note();
  EXPECT_EQ(seen.size(), 2U);  // what is shown has been fitted anew, not solved
  EXPECT_EQ(seen.front(), 1);
}

TEST(JsfsStream, SaysWhatItLacks) {
  RankerConfig config = config_of({"plain"});
  config.memory.features = 2;
  RankerInBuffer ranker(config);
  const Row first{{1, kNoScore}, SampleKind::labelled, 0};
  const Row second{{kNoScore, 2}, SampleKind::labelled, 1};
  ASSERT_TRUE(ranker->observe(first.sample()).ok());
  EXPECT_TRUE(ranker->refine(10).converged);
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  ASSERT_TRUE(ranker->observe(second.sample()).ok());
  refine_to_the_end(*ranker);
  const Status status = ranker->rank(0);
  EXPECT_EQ(status.code(), StatusCode::failed_precondition);
  EXPECT_NE(std::string(status.reason()).find("in common"), std::string::npos);
}

}  // namespace
}  // namespace whittle::testing
