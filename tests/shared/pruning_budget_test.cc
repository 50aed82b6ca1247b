#include "whittle/rank/pruning_budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

struct Problem {
  std::vector<Real> values;
  std::vector<Real> costs;
  Real budget = 0;
};

struct Choice {
  std::vector<std::uint32_t> items;
  Real value = 0;
  Real cost = 0;
  Real optimality = 0;
};

Problem random_problem(Random& random, std::size_t items) {
  Problem problem;
  Real sum = 0;
  for (std::size_t i = 0; i < items; ++i) {
    problem.values.push_back(static_cast<Real>(1 + random.below(64)) / Real(64));
    problem.costs.push_back(static_cast<Real>(random.below(33)) / Real(4));
    sum += problem.costs.back();
  }
  problem.budget = sum * random.uniform();
  return problem;
}

Choice choose(const Problem& problem, std::uint32_t steps) {
  const std::size_t count = problem.values.size();
  std::vector<unsigned char> bytes(BudgetSearch::required_bytes(count) + 8);
  Arena arena(bytes.data(), bytes.size());
  BudgetSearch search;
  search.place(arena, count);
  std::vector<std::uint32_t> items;
  for (std::uint32_t i = 0; i < count; ++i) items.push_back(i);
  const std::size_t chosen = search.choose(
      Span<std::uint32_t>(items.data(), count), Span<const Real>(problem.values.data(), count),
      Span<const Real>(problem.costs.data(), count), problem.budget, steps);
  Choice choice;
  for (std::size_t i = 0; i < count; ++i) {
    if (!search.chosen(i)) continue;
    choice.items.push_back(items[i]);
    choice.value += problem.values[items[i]];
    choice.cost += problem.costs[items[i]];
  }
  std::sort(choice.items.begin(), choice.items.end());
  EXPECT_EQ(chosen, choice.items.size());
  choice.optimality = search.optimality();
  return choice;
}

Real best_value(const Problem& problem) {
  Real best = 0;
  for (unsigned subset = 0; subset < 1U << problem.values.size(); ++subset) {
    Real value = 0;
    Real cost = 0;
    for (std::size_t i = 0; i < problem.values.size(); ++i) {
      if ((subset >> i & 1U) == 0) continue;
      value += problem.values[i];
      cost += problem.costs[i];
    }
    if (cost <= problem.budget) best = std::max(best, value);
  }
  return best;
}

TEST(BudgetSearch, FindsTheBestChoice) {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    const Problem problem = random_problem(random, 9);
    const Choice choice = choose(problem, 10000);
    EXPECT_NEAR(choice.value, best_value(problem), 1e-5) << round;
    EXPECT_LE(choice.cost, problem.budget * Real(1.0001)) << round;
    EXPECT_EQ(choice.optimality, Real(1)) << round;
  }
}

TEST(BudgetSearch, CutShortItKnowsHowFarItMayBeFromTheBest) {
  Random random(8);
  bool cut = false;
  for (int round = 0; round < 40; ++round) {
    const Problem problem = random_problem(random, 9);
    const Choice choice = choose(problem, 1);
    const Real best = best_value(problem);
    EXPECT_LE(choice.cost, problem.budget * Real(1.0001)) << round;
    EXPECT_GE(choice.value, best / 2) << round;
    EXPECT_GE(choice.value, best * choice.optimality * Real(0.9999)) << round;
    cut = cut || choice.optimality < 1;
  }
  EXPECT_TRUE(cut);
}

TEST(BudgetSearch, TakesWhatTheGreedyChoiceWouldMiss) {
  // Greedy by value per cost takes the first and has no room for the second.
  const Problem problem = {{2, 10}, {1, 10}, 10};
  EXPECT_EQ(choose(problem, 0).items, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(choose(problem, 1000).items, (std::vector<std::uint32_t>{1}));
  // And here it takes one where two others are better.
  const Problem pair = {{6, 5, 5}, {5, 5, 5}, 10};
  EXPECT_EQ(choose(pair, 1000).items, (std::vector<std::uint32_t>{0, 1}));
}

TEST(BudgetSearch, ABudgetThatIsMetExactlyIsNotPassedByRounding) {
  const Problem problem = {std::vector<Real>(10, 1), std::vector<Real>(10, Real(0.1)), Real(1)};
  EXPECT_EQ(choose(problem, 1000).items.size(), 10U);
}

TEST(BudgetSearch, WhatCostsNothingIsTaken) {
  const Problem problem = {{1, 1, 1}, {0, 5, 0}, 0};
  EXPECT_EQ(choose(problem, 1000).items, (std::vector<std::uint32_t>{0, 2}));
}

TEST(BudgetSearch, LeavesNoRoomForWhatIsWorthNothing) {
  const Problem all = {{0, 2, 0, 1}, {1, 2, 0, 3}, 6};
  const Problem one = {{0, 2, 0}, {1, 5, 0}, 6};
  // The best single item beats the greedy choice; the last fits beside it.
  const Problem single = {{2, 10, 0}, {1, 9, 1}, Real(9.5)};
  const Problem beside = {{2, 10, 0}, {2, 9, 1}, 10};
  for (const std::uint32_t steps : {0U, 1000U}) {
    EXPECT_EQ(choose(all, steps).items, (std::vector<std::uint32_t>{0, 1, 2, 3})) << steps;
    EXPECT_EQ(choose(one, steps).items, (std::vector<std::uint32_t>{0, 1, 2})) << steps;
    EXPECT_EQ(choose(single, steps).items, (std::vector<std::uint32_t>{1})) << steps;
    EXPECT_EQ(choose(beside, steps).items, (std::vector<std::uint32_t>{1, 2})) << steps;
  }
  const Problem worthless = {{0, 0, 0}, {3, 1, 1}, 2};
  EXPECT_EQ(choose(worthless, 1000).items, (std::vector<std::uint32_t>{1, 2}));
}

TEST(BudgetSearch, BoundsItsWork) {
  // Values and costs in step: nothing can be cut off by the bound.
  Problem problem;
  for (int i = 0; i < 200; ++i) {
    problem.costs.push_back(Real(101 + 2 * i));
    problem.values.push_back(problem.costs.back());
  }
  problem.budget = Real(5000);
  const Choice choice = choose(problem, 2000);
  EXPECT_GT(choice.value, Real(0.9) * choice.optimality * problem.budget);
  EXPECT_GT(choice.optimality, Real(0.95));
}

}  // namespace
}  // namespace whittle::testing
