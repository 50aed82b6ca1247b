// From scores to masks: the rules of PruningConfig, groups, costs, margins, dwell.
#include "whittle/rank/pruning_policy.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/shared/pruner_fixture.h"
#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

void set_groups(PrunerInBuffer& pruner, const std::vector<std::uint32_t>& groups,
                const std::vector<Real>& costs) {
  ASSERT_TRUE(pruner
                  ->set_features(0, Span<const std::uint32_t>(groups.data(), groups.size()),
                                 Span<const Real>(costs.data(), costs.size()))
                  .ok());
}

TEST(PruningPolicy, TopKeepsTheBest) {
  PruningConfig config = bare(5);
  config.top = 2;
  PrunerInBuffer pruner(config);
  EXPECT_EQ(pruner.mask(), "11111");
  EXPECT_EQ(pruner.update({3, 1, 4, 2, 5}), "00101");
  EXPECT_EQ(pruner.update({3, 1, 4, 2, 5}, Direction::ascending), "01010");
  EXPECT_EQ(pruner.update({3, kNoScore, kNoScore, kNoScore, kNoScore}), "10000");
}

TEST(PruningPolicy, TopIsHalfOfTheFeaturesUnlessGiven) {
  PrunerInBuffer pruner(bare(5));
  EXPECT_EQ(pruner.update({5, 4, 3, 2, 1}), "11100");
}

TEST(PruningPolicy, TopSkipsAGroupThatDoesNotFit) {
  PruningConfig config = bare(6);
  config.top = 3;
  config.groups = 1;
  PrunerInBuffer pruner(config);
  set_groups(pruner, {kOwnUnit, 0, kOwnUnit, 0, 0, kOwnUnit}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(pruner.update({1, 9, 2, 3, 4, 5}), "010110");   // the group is as good as its best
  EXPECT_EQ(pruner.update({10, 9, 2, 3, 4, 5}), "101001");  // two places are left: too few
}

TEST(PruningPolicy, ThresholdTakesWhatIsAsGood) {
  PruningConfig config = bare(4);
  config.rule = PruningRule::threshold;
  config.threshold = 2;
  PrunerInBuffer pruner(config);
  EXPECT_EQ(pruner.update({1, 2, 3, kNoScore}), "0110");
  EXPECT_EQ(pruner.update({1, 2, 3, kNoScore}, Direction::ascending), "1100");
  EXPECT_EQ(pruner.update({1, Real(0.5), 0, kNoScore}), "1000");  // never empty
  EXPECT_EQ(pruner.update({1, kInfinity, 0, kNoScore}), "0100");
}

TEST(PruningPolicy, DecisionIsTheRankings) {
  PruningConfig config = bare(4);
  config.rule = PruningRule::decision;
  config.groups = 1;
  PrunerInBuffer pruner(config);
  set_groups(pruner, {0, kOwnUnit, kOwnUnit, 0}, {1, 1, 1, 1});
  EXPECT_EQ(pruner.update({1, 4, 3, 2}, Direction::descending, 2), "0110");
  EXPECT_EQ(pruner.update({1, 0, 3, 2}, Direction::descending, 2), "1011");
}

TEST(PruningPolicy, BudgetPaysAGroupOnce) {
  PruningConfig config = bare(4);
  config.rule = PruningRule::budget;
  config.budget = 6;
  config.groups = 1;
  PrunerInBuffer pruner(config);
  set_groups(pruner, {kOwnUnit, 0, 0, kOwnUnit}, {2, 1, 1, 4});
  const Real group_cost[] = {2};
  ASSERT_TRUE(pruner->set_group_costs(0, Span<const Real>(group_cost)).ok());
  // Values 1, 2/3, 1/3, 0: the group is worth 1 and costs 4.
  EXPECT_EQ(pruner.update({4, 3, 2, 1}), "1110");
  EXPECT_EQ(pruner->mask_cost(), Real(6));
  EXPECT_EQ(pruner->full_cost(), Real(10));
  EXPECT_EQ(pruner->optimality(), Real(1));
  // The last is worth 1, the group 1/3 together, the first 0; it fits into what is left.
  EXPECT_EQ(pruner.update({1, Real(1.5), Real(1.5), 4}), "1001");
}

TEST(PruningPolicy, ABudgetWithRoomForAllKeepsAllThatHasAScore) {
  PruningConfig config = bare(4);
  config.rule = PruningRule::budget;
  config.budget = 4;
  PrunerInBuffer pruner(config);
  EXPECT_EQ(pruner.update({4, 3, 2, 1}), "1111");
  EXPECT_EQ(pruner.update({4, 3, 2, 1}, Direction::ascending), "1111");
  EXPECT_EQ(pruner.update({4, -kInfinity, 2, kNoScore}), "1110");
  config.budget = 3;
  PrunerInBuffer less(config);
  EXPECT_EQ(less.update({4, 3, 1, 2}), "1101");  // the worst goes first
}

TEST(PruningPolicy, BudgetIsNeverPassedNorLessThanTheCheapest) {
  Random random(3);
  PruningConfig config = bare(8);
  config.rule = PruningRule::budget;
  config.budget = 10;
  config.dwell = 3;
  config.score_margin = Real(0.3);
  config.value = PruningValue::rank;
  PrunerInBuffer pruner(config);
  std::vector<Real> costs;
  for (int r = 0; r < 8; ++r) costs.push_back(static_cast<Real>(1 + random.below(6)));
  set_groups(pruner, std::vector<std::uint32_t>(8, kOwnUnit), costs);
  for (int step = 0; step < 50; ++step) {
    pruner.pass(1);
    std::vector<Real> scores;
    for (int r = 0; r < 8; ++r) scores.push_back(random.uniform());
    pruner.update(scores);
    EXPECT_LE(pruner->mask_cost(), Real(10)) << step;
    EXPECT_GE(pruner->mask_cost(), Real(5)) << step;  // none of the costs would fit beside it
  }
  PruningConfig poor = bare(2);
  poor.rule = PruningRule::budget;
  poor.budget = Real(0.5);
  PrunerInBuffer least(poor);
  set_groups(least, {kOwnUnit, kOwnUnit}, {3, 2});
  EXPECT_EQ(least.update({2, 1}), "01");
}

TEST(PruningPolicy, ANewcomerMustBeBetterByTheMargin) {
  PruningConfig config = bare(4);
  config.top = 2;
  config.rank_margin = 1;
  PrunerInBuffer pruner(config);
  EXPECT_EQ(pruner.update({4, 3, 2, 1}), "1100");
  EXPECT_EQ(pruner.update({4, 2, 3, 1}), "1100");  // one place is not enough
  EXPECT_EQ(pruner.update({4, 1, 3, 2}), "1010");  // two are
  PruningConfig schmitt = bare(2);
  schmitt.rule = PruningRule::threshold;
  schmitt.threshold = 10;
  schmitt.score_margin = Real(0.1);
  PrunerInBuffer trigger(schmitt);
  EXPECT_EQ(trigger.update({12, Real(9.5)}), "10");
  EXPECT_EQ(trigger.update({Real(9.5), 12}), "11");
  EXPECT_EQ(trigger.update({Real(8.5), 12}), "01");
}

TEST(PruningPolicy, AUnitStaysAsItIsForAWhile) {
  PruningConfig config = bare(4);
  config.top = 2;
  config.dwell = 10;
  PrunerInBuffer pruner(config);
  pruner.pass(20);
  EXPECT_EQ(pruner.update({4, 3, 2, 1}), "1100");  // 2 and 3 were switched off
  pruner.pass(9);
  EXPECT_EQ(pruner.update({1, 2, 3, 4}), "1100");
  pruner.pass(1);
  EXPECT_EQ(pruner.update({1, 2, 3, 4}), "0011");
  EXPECT_EQ(pruner->statistics().mask_changes, 2U);
  EXPECT_EQ(pruner->statistics().switches, 6U);
  EXPECT_EQ(pruner->mask_id(), 2U);
}

// Scores that are noise about the same mean: the masks of a policy with defaults change rarely.
TEST(PruningPolicy, DefaultsDoNotFlutter) {
  const auto changes = [](const PruningConfig& config) {
    PrunerInBuffer pruner(config);
    Random random(9);
    for (int step = 0; step < 100; ++step) {
      pruner.pass(128);
      std::vector<Real> scores;
      for (int r = 0; r < 8; ++r) scores.push_back(Real(8 - r) + Real(2.4) * random.uniform());
      pruner.update(scores);
    }
    EXPECT_EQ(pruner->statistics().updates, 100U);
    return pruner->statistics().mask_changes;
  };
  PruningConfig usual = bare(8);
  const std::uint64_t loose = changes(usual);
  usual.rank_margin = PruningConfig().rank_margin;
  usual.dwell = PruningConfig().dwell;
  EXPECT_GT(loose, 20U);
  EXPECT_LT(changes(usual), loose / 4);
}

TEST(PruningPolicy, WithoutAScoreTheMaskStays) {
  PruningConfig config = bare(3);
  config.top = 1;
  PrunerInBuffer pruner(config);
  EXPECT_EQ(pruner.update({1, 2, 3}), "001");
  EXPECT_EQ(pruner.update({kNoScore, kNoScore, kNoScore}), "001");
  EXPECT_EQ(pruner.last().code(), StatusCode::failed_precondition);
  EXPECT_EQ(pruner.update({1, 2}), "001");
  EXPECT_EQ(pruner.last().code(), StatusCode::invalid_argument);
}

}  // namespace
}  // namespace whittle::testing
