// The sparsity score against its formula, with an independent solver, and where it can be worked
// out by hand.
#include "whittle/select/ss.h"

#include "tests/shared/sparse_reference.h"

namespace whittle::testing {
namespace {

TEST(Ss, EqualsItsFormulaAfterEveryPrefix) {
  for (const HeldCase& one : sparse_cases()) {
    check_held_prefixes(
        sparse_config(kSs, one), one, [](const auto& points) { return !points.empty(); },
        [](const auto& points, const auto&) {
          const Vector errors = sparse_errors(filled(points));
          std::vector<Judged> scores;
          for (std::size_t r = 0; r < errors.size(); ++r) {
            const bool constant = is_constant(present_values(points, r));
            scores.push_back({constant ? no_score() : errors[r], errors[r]});
          }
          return scores;
        },
        4 * kTolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

// Two points: s = (x'y - kappa) / y'y with kappa = 0.05 x'y.
TEST(Ss, TwoPointsByHand) {
  const std::vector<Row> rows = {{{1, 2}}, {{3, -1}}};  // x'y = 1, x'x = 5, y'y = 10
  const double s = 0.95 / 10, t = 0.95 / 5;
  const auto scores = scores_of(kSs, rows);
  EXPECT_NEAR(static_cast<double>(scores[0]), (1 - s * 3) * (1 - s * 3) + (3 - t * 1) * (3 - t * 1),
              10 * kTolerance);
  EXPECT_NEAR(static_cast<double>(scores[1]),
              (2 + s * 1) * (2 + s * 1) + (-1 - t * 2) * (-1 - t * 2), 10 * kTolerance);
}

// A point with an exact copy is 0.95 of it: 0.05 of everything is left.
TEST(Ss, CopiesLeaveTheShareOfThePenalty) {
  const std::vector<Row> rows = {{{3, 0, 1}}, {{3, 0, 1}}, {{0, 2, 0}}, {{0, 2, 0}}};
  const auto scores = scores_of(kSs, rows);
  EXPECT_NEAR(static_cast<double>(scores[0]), 2 * 9 * 0.0025, kTolerance);
  EXPECT_NEAR(static_cast<double>(scores[1]), 2 * 4 * 0.0025, kTolerance);
  EXPECT_NEAR(static_cast<double>(scores[2]), 2 * 1 * 0.0025, kTolerance);
}

TEST(Ss, OrthogonalAndZeroPointsStayWhole) {
  const std::vector<Row> rows = {{{2, 0, 1}}, {{0, 3, 1}}, {{0, 0, 1}}};
  EXPECT_FALSE(has_score(scores_of(kSs, rows)[2]));  // constant
  const std::vector<Row> orthogonal = {{{2, 0}}, {{0, 3}}, {{0, 0}}};
  const auto scores = scores_of(kSs, orthogonal);
  EXPECT_EQ(scores[0], Real(4));
  EXPECT_EQ(scores[1], Real(9));
}

TEST(Ss, OnePointHasNothingButConstants) {
  for (const Real score : scores_of(kSs, {{{1, 2, 0}}})) EXPECT_FALSE(has_score(score));
}

// Labels do not matter, and a universum sample does not enter.
TEST(Ss, LabelsAndUniversumDoNotMatter) {
  StreamShape shape;
  shape.universum = 0;
  shape.rows = 40;
  shape.constant_feature = false;
  const std::vector<Row> rows = make_stream(shape);
  std::vector<Row> other = rows;
  for (Row& row : other) row.kind = SampleKind::unlabelled;
  other.push_back({{90, 80, 70, 60, 50}, SampleKind::universum});
  EXPECT_EQ(scores_of(kSs, rows), scores_of(kSs, other));
}

TEST(Ss, ScalePermutationAndOrder) {
  StreamShape shape;
  shape.features = 6;
  shape.rows = 40;
  shape.universum = 0;
  shape.constant_feature = false;
  const std::vector<Row> rows = make_stream(shape);
  std::vector<Row> scaled = rows, mirrored = rows;
  for (Row& row : scaled) {
    for (Real& value : row.x) value *= Real(8);
  }
  for (Row& row : mirrored) std::reverse(row.x.begin(), row.x.end());
  const auto plain = scores_of(kSs, rows);
  expect_close(plain, scores_of(kSs, scaled), 64, kTolerance);
  expect_close(plain, scores_of(kSs, {rows.rbegin(), rows.rend()}), 1, 20 * kTolerance);
  auto back = scores_of(kSs, mirrored);
  std::reverse(back.begin(), back.end());
  expect_close(plain, back, 1, 20 * kTolerance);
}

TEST(Ss, EvictedPointsLeaveNoTrace) { expect_no_trace_of_the_evicted(kSs); }

// Points in a plane, seen through four features, and two features of noise.
TEST(Ss, FeaturesThatFollowTheOthersWin) {
  Random random(3);
  std::vector<Row> rows;
  for (int i = 0; i < 60; ++i) {
    const Real a = random.uniform() * Real(4) - Real(2);
    const Real b = random.uniform() * Real(4) - Real(2);
    const Real noise[] = {random.uniform() * Real(4) - Real(2),
                          random.uniform() * Real(4) - Real(2)};
    rows.push_back({{noise[0], a, b, a - b, noise[1], a + b}});
  }
  RankerConfig config = holding_config(kSs, rows);
  config.memory.window = 60;
  RankerInBuffer ranker(config);
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(4).ok());
  for (std::size_t r = 0; r < 6; ++r) {
    EXPECT_EQ(ranker->ranking().selected()[r], r != 0 && r != 4) << r;
  }
  EXPECT_EQ(info_of(*ranker, "converged"), 1);
  EXPECT_GE(info_of(*ranker, "iterations"), 60);
  EXPECT_LE(info_of(*ranker, "iterations"), 60 * 20);
}

// What an offset makes of the points: nearly parallel vectors, on which coordinate descent would
// take thousands of sweeps.
TEST(Ss, NearlyParallelPointsConverge) {
  StreamShape shape;
  shape.offset = 64;
  shape.rows = 40;
  const std::vector<Row> rows = make_stream(shape);
  RankerInBuffer ranker(holding_config(kSs, rows));
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 1);
  EXPECT_LE(info_of(*ranker, "iterations"), 40 * 20);
}

TEST(Ss, TiesBreakByIndex) {
  std::vector<Row> rows = make_stream({});
  for (Row& row : rows) {
    for (std::size_t r = 0; r < 4; ++r) row.x[r] = row.x[0];
  }
  RankerInBuffer ranker(holding_config(kSs, rows));
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  for (std::uint32_t r = 0; r < 5; ++r) EXPECT_EQ(ranker->ranking().order()[r], r);
}

TEST(Ss, SaysWhatItLacks) {
  const Status none = status_of(kSs, {Row{{1, 2}, SampleKind::universum}});
  EXPECT_EQ(none.code(), StatusCode::failed_precondition);
  EXPECT_STREQ(none.reason(), "ss needs a labelled or unlabelled sample held");
  const Real huge = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  const Status over = status_of(kSs, {Row{{1, 2}}, Row{{huge, 2}}});
  EXPECT_EQ(over.code(), StatusCode::failed_precondition);
  EXPECT_STREQ(over.reason(), "dot products overflow: scale the features down");
}

}  // namespace
}  // namespace whittle::testing
