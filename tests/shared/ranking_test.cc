#include "whittle/rank/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/shared/ranker_fixture.h"
#include "whittle/select/catalog.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

std::vector<std::uint32_t> order_of(const std::vector<Real>& scores, Direction direction,
                                    std::uint32_t top, std::vector<bool>* selected = nullptr) {
  std::vector<unsigned char> bytes(Ranking::required_bytes(scores.size()));
  Arena arena(bytes.data(), bytes.size());
  Ranking ranking;
  ranking.place(arena, scores.size());
  EXPECT_EQ(arena.left(), 0U);
  std::copy(scores.begin(), scores.end(), ranking.mutable_scores().begin());
  ranking.arrange(direction, top);
  if (selected != nullptr) {
    selected->assign(ranking.selected().begin(), ranking.selected().end());
  }
  return {ranking.order().begin(), ranking.order().end()};
}

using Order = std::vector<std::uint32_t>;

TEST(Ranking, TiesBreakByIndexAndMissingScoresComeLast) {
  const std::vector<Real> scores = {2, kNoScore, 1, 2, kInfinity, kNoScore, 1, -kInfinity};
  EXPECT_EQ(order_of(scores, Direction::ascending, 0), (Order{7, 2, 6, 0, 3, 4, 1, 5}));
  EXPECT_EQ(order_of(scores, Direction::descending, 0), (Order{4, 0, 3, 2, 6, 7, 1, 5}));
}

TEST(Ranking, SelectsTheTopThatHaveAScore) {
  const std::vector<Real> scores = {3, kNoScore, 1, 2};
  std::vector<bool> selected;
  order_of(scores, Direction::ascending, 2, &selected);
  EXPECT_EQ(selected, (std::vector<bool>{false, false, true, true}));
  order_of(scores, Direction::ascending, 0, &selected);
  EXPECT_EQ(selected, (std::vector<bool>{true, false, true, true}));
  order_of(scores, Direction::ascending, 9, &selected);
  EXPECT_EQ(selected, (std::vector<bool>{true, false, true, true}));
  order_of({kNoScore}, Direction::ascending, 1, &selected);
  EXPECT_EQ(selected, (std::vector<bool>{false}));
}

TEST(Ranking, EqualsAStableSortOnRandomScores) {
  Random random(8);
  for (std::uint32_t m = 1; m < 200; m += 7) {
    std::vector<Real> scores(m);
    for (Real& score : scores) {
      score = random.below(9) == 0 ? kNoScore : static_cast<Real>(random.below(20));
    }
    for (const Direction direction : {Direction::ascending, Direction::descending}) {
      Order expected(m);
      for (std::uint32_t i = 0; i < m; ++i) expected[i] = i;
      std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (has_score(scores[a]) != has_score(scores[b])) return has_score(scores[a]);
        if (!has_score(scores[a])) return false;
        return direction == Direction::ascending ? scores[a] < scores[b] : scores[b] < scores[a];
      });
      EXPECT_EQ(order_of(scores, direction, 0), expected);
    }
  }
}

TEST(FeatureRanker, RankingBeforeAnySampleIsAnError) {
  StreamShape shape;
  RankerInBuffer ranker(config_for(kVariance, shape));
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  EXPECT_FALSE(ranker->ranking().valid());
}

TEST(FeatureRanker, GraphScoresSayWhatTheyLack) {
  StreamShape shape;
  shape.features = 1;
  RankerConfig config = config_for(kLs, shape, 4, 4);
  ASSERT_TRUE(config.values.set(kLsParams, "lambda", Real(1e-6)).ok());
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker->observe(Row{{1}}.sample()).ok());
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);  // no edge
  ASSERT_TRUE(ranker->observe(Row{{100}}.sample()).ok());
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);  // the weight underflows
  EXPECT_FALSE(ranker->ranking().valid());
  EXPECT_EQ(ranker->info().size(), 0U);
  ASSERT_TRUE(ranker->observe(Row{{100}}.sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());

  RankerInBuffer huge(config_for(kLs, shape, 4, 4));
  for (const Real x : {Real(-1), Real(1)}) {
    ASSERT_TRUE(huge->observe(Row{{x * std::numeric_limits<Real>::max() / 2}}.sample()).ok());
  }
  EXPECT_EQ(huge->rank(0).code(), StatusCode::failed_precondition);  // distances overflow
}

TEST(FeatureRanker, RankingChangesNothing) {
  StreamShape shape;
  for (const SelectorType* type : {static_cast<const SelectorType*>(&kVariance), &kUvs, &kFisher,
                                   &kCs1, &kCs2, &kLs, &kCls, &kL2gfs}) {
    RankerInBuffer ranker(config_for(*type, shape, 8, 8));
    for (const Row& row : make_stream(shape)) {
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
      const std::uint64_t before = ranker->state_digest();
      static_cast<void>(ranker->rank(1));
      static_cast<void>(ranker->rank(0));
      ASSERT_EQ(ranker->state_digest(), before) << type->id;
    }
  }
}

TEST(FeatureRanker, TwoInstancesNeverTouchEachOther) {
  StreamShape shape;
  RankerInBuffer alone(config_for(kLs, shape, 8, 8));
  RankerInBuffer one(config_for(kLs, shape, 8, 8));
  RankerInBuffer other(config_for(kLs, shape, 8, 8));
  StreamShape noise = shape;
  noise.seed = 99;
  const auto rows = make_stream(shape);
  const auto others = make_stream(noise);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_TRUE(alone->observe(rows[i].sample()).ok());
    ASSERT_TRUE(one->observe(rows[i].sample()).ok());
    ASSERT_TRUE(other->observe(others[i].sample()).ok());
  }
  EXPECT_EQ(alone->state_digest(), one->state_digest());
  EXPECT_NE(alone->state_digest(), other->state_digest());
}

TEST(ParamValues, SetsChecksAndLeavesUnchanged) {
  ParamValues values(kLsParams);
  EXPECT_EQ(values.integer(0), 10U);
  EXPECT_EQ(values[1], kAutoParam);
  EXPECT_EQ(values.set(kLsParams, "depth", 1).code(), StatusCode::not_found);
  EXPECT_EQ(values.set(kLsParams, "k", 0).code(), StatusCode::out_of_range);
  EXPECT_EQ(values.set(kLsParams, "k", Real(2.5)).code(), StatusCode::invalid_argument);
  EXPECT_EQ(values.set(kLsParams, "k", kNoScore).code(), StatusCode::invalid_argument);
  EXPECT_EQ(values.set(kLsParams, "lambda", 0).code(), StatusCode::out_of_range);
  EXPECT_EQ(values.set(kLsParams, "lambda", kInfinity).code(), StatusCode::out_of_range);
  EXPECT_EQ(values.set(kLsParams, "metric", 2).code(), StatusCode::out_of_range);
  EXPECT_EQ(values.set(kLsParams, "use_labels", -1).code(), StatusCode::out_of_range);
  EXPECT_EQ(values.integer(0), 10U);
  EXPECT_EQ(values[1], kAutoParam);
  EXPECT_TRUE(values.set(kLsParams, "k", 3).ok());
  EXPECT_EQ(values.integer(0), 3U);
}

TEST(Catalog, FindsById) {
  const SelectorType* const types[] = {&kVariance, &kUvs};
  const Catalog catalog(types);
  EXPECT_EQ(catalog.find("uvs"), &kUvs);
  EXPECT_EQ(catalog.find("ls"), nullptr);
  EXPECT_EQ(catalog.find(""), nullptr);
  EXPECT_EQ(catalog.size(), 2U);
}

}  // namespace
}  // namespace whittle::testing
