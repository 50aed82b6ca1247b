// l1svm: its objective against bounds from the dual in double precision, and on a stream. Weights
// are not compared: they need not be unique.
#include "whittle/select/l1svm.h"

#include <algorithm>

#include "tests/shared/filled_reference.h"
#include "tests/shared/hinge_reference.h"
#include "whittle/select/drsvm.h"

namespace whittle::testing {
namespace {

struct L1Case {
  StreamShape shape;
  double c;
  double l1;
};

std::vector<L1Case> l1_cases() {
  return {{{1, 40, 5, 2, Real(0.6), Real(0.1), Real(0.2), true, 0}, 1, 3},
          {{2, 30, 12, 2, Real(0.6), Real(0), Real(0.1), true, 0}, 1, 0.5},  // m > n
          {{3, 40, 4, 3, Real(0.7), Real(0.1), Real(0.3), false, 0}, 1, 1},
          {{4, 30, 1, 2, Real(0.6), Real(0), Real(0.2), false, 1024}, 2, 1}};
}

RankerConfig config_of(const L1Case& one) {
  RankerConfig config = config_for(kL1svm, one.shape, 10, 6);
  EXPECT_TRUE(config.values.set(kL1svmParams, "C", static_cast<Real>(one.c)).ok());
  EXPECT_TRUE(config.values.set(kL1svmParams, "lambda1", static_cast<Real>(one.l1)).ok());
  return config;
}

// Of a small l2 that is added, w the minimum with it: the objective at w is nearly the minimum
// without; and that is at least the minimum with it less the penalty at its own weights.
void expect_minimum(double objective, double squared_weights, const std::vector<Vector>& x,
                    const std::vector<int>& y, const L1Case& one) {
  HingeParams params = {one.c, 0, one.l1, 0.01, 0};
  params.precision = 1e-5;
  const HingeSolution near = reference_svm(x, y, params);
  EXPECT_LT(near.gap, 2e-4 * near.objective);
  double squares = 0;
  for (const double w : near.w) squares += w * w;
  EXPECT_LT(objective, (near.objective - params.l2 / 2 * squares) * (1 + 1e-3));
  EXPECT_GT(objective + params.l2 / 2 * squared_weights, (near.objective - near.gap) * (1 - 1e-4));
}

double squares_of(const FeatureRanker& ranker) {
  double sum = 0;
  for (const Real score : ranker.ranking().scores()) {
    if (has_score(score)) sum += static_cast<double>(score) * static_cast<double>(score);
  }
  return sum;
}

TEST(L1svm, ReachesTheMinimumAfterPrefixes) {
  for (const L1Case& one : l1_cases()) {
    if (one.shape.seed % every(2) != 0) continue;
    SCOPED_TRACE(one.shape.seed);
    RankerInBuffer ranker(config_of(one));
    ASSERT_TRUE(ranker.status().ok());
    EXPECT_EQ(ranker.left(), 0U);
    std::vector<Row> prefix;
    std::size_t compared = 0;
    for (const Row& row : make_stream(one.shape)) {
      prefix.push_back(row);
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
      ranker->refine(static_cast<std::uint32_t>(prefix.size() % 3));
      if (prefix.size() % (12 * every(2)) != 0) continue;
      EXPECT_TRUE(ranker->refine(100000).converged);
      const auto points = points_of(held_after(prefix, 10, 6, one.shape.classes));
      const Status status = ranker->rank(0);
      if (!status.ok() || one.shape.classes > 2) continue;
      EXPECT_EQ(info_of(*ranker, "converged"), 1);
      expect_minimum(info_of(*ranker, "objective"), squares_of(*ranker), filled(points),
                     signs_of(points, 1), one);
      ++compared;
    }
    EXPECT_TRUE(compared > 0 || one.shape.classes > 2);
  }
}

TEST(L1svm, OneAgainstTheRestGivesAnObjectivePerClass) {
  const L1Case one = l1_cases()[2];
  const std::vector<Row> rows = make_stream(one.shape);
  RankerInBuffer ranker(config_of(one));
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->refine(100000).converged);
  ASSERT_TRUE(ranker->rank(0).ok());
  const auto points = points_of(held_after(rows, 10, 6, 3));
  const InfoEntry& entry = ranker->info()[0];
  ASSERT_STREQ(entry.name, "objective");
  ASSERT_EQ(entry.kind, InfoKind::list);
  ASSERT_EQ(entry.numbers.size(), 3U);
  for (int c = 0; c < 3; c += static_cast<int>(every(3))) {
    // The weights of one class alone are not told: at most as large as the scores.
    expect_minimum(static_cast<double>(entry.numbers[static_cast<std::size_t>(c)]),
                   squares_of(*ranker), filled(points), signs_of(points, c), one);
  }
}

TEST(L1svm, IsDrsvmWithoutTheSecondPenalty) {
  const L1Case one = l1_cases()[0];
  RankerInBuffer l1svm(config_of(one));
  RankerConfig config = config_for(kDrsvm, one.shape, 10, 6);
  ASSERT_TRUE(config.values.set(kDrsvmParams, "lambda2", 0).ok());
  RankerInBuffer drsvm(config);
  for (const Row& row : make_stream(one.shape)) {
    ASSERT_TRUE(l1svm->observe(row.sample()).ok());
    ASSERT_TRUE(drsvm->observe(row.sample()).ok());
  }
  EXPECT_TRUE(l1svm->refine(100000).converged);
  EXPECT_TRUE(drsvm->refine(100000).converged);
  ASSERT_TRUE(l1svm->rank(0).ok());
  ASSERT_TRUE(drsvm->rank(0).ok());
  for (std::size_t r = 0; r < one.shape.features; ++r) {
    const Real a = l1svm->ranking().scores()[r];
    const Real b = drsvm->ranking().scores()[r];
    EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << r;
  }
}

// Separable, and nothing holds the weights back but |w|_1, or nothing at all.
TEST(L1svm, SeparableDataEndsToo) {
  StreamShape shape = {5, 16, 3, 2, Real(1), Real(0), Real(0), false, 0};
  std::vector<Row> rows = make_stream(shape);
  for (Row& row : rows) row.x[0] = row.label == 0 ? Real(-1) : Real(1);
  for (const double l1 : {0.01, 0.0}) {
    const L1Case one = {shape, 1, l1};
    RankerConfig config = config_of(one);
    config.memory.labelled = 16;
    RankerInBuffer ranker(config);
    for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    EXPECT_TRUE(ranker->refine(100000).converged);
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_EQ(info_of(*ranker, "converged"), 1);
    // w = (1, 0, 0) costs l1; something smaller in all may cost less.
    EXPECT_LE(info_of(*ranker, "objective"), l1 * (1 + 1e-3) + 1e-4);
    for (const Row& row : rows) {
      std::uint32_t label = 2;
      ASSERT_TRUE(ranker->predict({row.x.data(), row.x.size()}, &label).ok());
      EXPECT_EQ(label, row.label);
    }
  }
}

TEST(L1svm, SaysWhatItLacks) {
  StreamShape shape = {6, 8, 3, 2, Real(0), Real(0), Real(0), false, 0};
  RankerInBuffer ranker(config_for(kL1svm, shape, 8, 8));
  for (const Row& row : make_stream(shape)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  const std::uint64_t before = ranker->state_digest();
  EXPECT_TRUE(ranker->refine(10).converged);
  const Status status = ranker->rank(0);
  EXPECT_EQ(status.code(), StatusCode::failed_precondition);
  EXPECT_STREQ(status.reason(), "l1svm needs labelled samples of two classes");
  EXPECT_EQ(ranker->state_digest(), before);
}

}  // namespace
}  // namespace whittle::testing
