// SPEC's two scores against their formula, from all eigenpairs in double precision, and on graphs
// whose eigenpairs are known.
#include "tests/shared/spec_reference.h"
#include "whittle/select/spec_f2_r4.h"
#include "whittle/select/spec_f3_r.h"

namespace whittle::testing {
namespace {

RankerConfig spec_config(const SelectorType& type, const HeldCase& one) {
  RankerConfig config = config_for(type, one.shape, one.labelled, one.window);
  config.memory.scaling = one.scaled ? Scaling::minmax : Scaling::none;
  const Real lambda = one.lambda < 0 ? kAutoParam : static_cast<Real>(one.lambda);
  EXPECT_TRUE(config.values.set(type.params, "lambda", lambda).ok());
  return config;
}

// Window and buffer small enough for the reference.
std::vector<HeldCase> spec_cases() {
  std::vector<HeldCase> all(8);
  all[0].shape.rows = 24;
  all[1] = {{2, 40, 9, 3, Real(0.5), Real(0.1), Real(0.3), true, 0}, 6, 9};
  all[2] = {{4, 40, 1, 2, Real(0.4), Real(0.2), Real(0.2), false, 0}, 6, 9};
  all[3] = {{5, 30, 16, 4, Real(1), Real(0), Real(0), true, 0}, 14, 0};
  all[4] = {{6, 30, 3, 0, Real(0), Real(0.1), Real(0.5), false, 0}, 0, 12};
  all[5] = {{7, 40, 8, 2, Real(0.3), Real(0.1), Real(0.1), true, 8192}, 8, 8, 10, 12.5};
  all[6] = {{8, 40, 8, 3, Real(0.5), Real(0.2), Real(0.1), true, 0}, 8, 8};
  all[6].missing = Real(0.2);
  all[7] = {{9, 40, 6, 2, Real(0.4), Real(0.2), Real(0.1), true, 64}, 8, 8};
  all[7].scaled = true;
  return all;
}

TEST(Spec, F2R4EqualsItsFormulaAfterEveryPrefix) {
  for (const HeldCase& one : spec_cases()) {
    check_held_prefixes(
        spec_config(kSpecF2R4, one), one, [](const auto& points) { return points.size() >= 2; },
        [&](const auto& points, const auto&) {
          const Spectrum spectrum = spectrum_of(filled(points), one.lambda);
          std::vector<Judged> scores;
          for (std::size_t r = 0; r < one.shape.features; ++r) {
            const bool constant = is_constant(present_values(points, r));
            scores.push_back(constant ? Judged{no_score(), 0}
                                      : both_scores(spectrum, feature_of(filled(points), r), 0).f2);
          }
          return scores;
        },
        2 * kTolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

// The eigenvectors are as uncertain as the next eigenvalue is near: the size of what is compared
// grows with 1 / gap.
TEST(Spec, F3REqualsItsFormulaAfterEveryPrefix) {
  for (const HeldCase& one : spec_cases()) {
    check_held_prefixes(
        spec_config(kSpecF3R, one), one,
        [](const auto& points) { return points.size() >= 2 && classes_of(points) >= 2; },
        [&](const auto& points, const auto&) {
          const Spectrum spectrum = spectrum_of(filled(points), one.lambda);
          const std::size_t classes = classes_of(points);
          const double gap =
              classes < points.size() ? spectrum.values[classes] - spectrum.values[classes - 1] : 1;
          std::vector<Judged> scores;
          for (std::size_t r = 0; r < one.shape.features; ++r) {
            Judged judged = both_scores(spectrum, feature_of(filled(points), r), classes).f3;
            judged.size *= 1 + 0.2 / gap;
            if (is_constant(present_values(points, r))) judged.score = no_score();
            scores.push_back(judged);
          }
          return scores;
        },
        2 * kTolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

// Two groups so far apart that no weight joins them. Feature 0 tells them apart, feature 1 varies
// within them only, feature 2 does both.
std::vector<Row> two_components() {
  std::vector<Row> rows;
  const Real inside[] = {0, 0, Real(0.25), Real(0.25), Real(-0.75), Real(-0.75)};
  for (std::uint32_t i = 0; i < 6; ++i) {
    const Real side = i % 2 == 0 ? Real(-100) : Real(100);
    rows.push_back({{side, inside[i], side + inside[5 - i]}, SampleKind::labelled, i % 2});
  }
  return rows;
}

RankerConfig with_lambda(RankerConfig config, Real lambda) {
  EXPECT_TRUE(config.values.set(config.selector->params, "lambda", lambda).ok());
  return config;
}

TEST(Spec, GraphThatFallsApart) {
  const std::vector<Row> rows = two_components();
  // A feature that is constant on each part lies on the eigenvectors with lambda = 0 alone.
  const auto f2 = scores_of(with_lambda(holding_config(kSpecF2R4, rows), 1), rows);
  EXPECT_EQ(f2[0], Real(0));
  EXPECT_GT(f2[1], Real(0.1));
  EXPECT_LT(f2[2], Real(0.001));
  // xi_1, the one of them that is not xi_0, is what f3 takes for two classes: 2 (a_0^2 + a_1^2) is
  // 2 for such a feature, less what lies along xi_0.
  const auto f3 = scores_of(with_lambda(holding_config(kSpecF3R, rows), 1), rows);
  const std::vector<Vector> x = filled(points_of(rows));
  double total = 0, mean = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      if (i == j) continue;
      total += std::exp(-squared_distance(x[i], x[j]));
      mean += std::exp(-squared_distance(x[i], x[j])) * (i % 2 == 0 ? -1 : 1);
    }
  }
  mean /= total;
  EXPECT_NEAR(static_cast<double>(f3[0]), 2 * (1 - mean * mean), 10 * kTolerance);
  EXPECT_NEAR(static_cast<double>(f3[1]), 0, kTolerance);
  EXPECT_GT(f3[2], Real(1.9));
}

TEST(Spec, APointWithoutAnEdgeHasNoPart) {
  std::vector<Row> rows = make_stream({});
  for (const SelectorType* type : {&kSpecF2R4, &kSpecF3R}) {
    const RankerConfig config = with_lambda(holding_config(*type, rows), 8);
    const auto without = scores_of(config, rows);
    std::vector<Row> with = rows;
    with.push_back({Row{{400, 400, 400, 400, Real(0.5)}}});
    expect_close(without, scores_of(config, with), 1, 10 * kTolerance);
  }
}

// Corners of a simplex: every weight the same, lambda_j = n / (n - 1) for all j > 0.
TEST(Spec, AllPairsAlikeGiveTheKnownEigenvalue) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < 7; ++i) {
    Row row{std::vector<Real>(7, 0), SampleKind::labelled, static_cast<std::uint32_t>(i % 2)};
    row.x[i] = 1;
    rows.push_back(row);
  }
  for (const Real score : scores_of(kSpecF2R4, rows)) {
    EXPECT_NEAR(static_cast<double>(score), std::pow(7.0 / 6, 4), kTolerance);
  }
  // Of the six eigenvectors f3 takes one. Which one is open, not what it gives all features
  // together: they are unit vectors, so their shares of it add up to 1.
  double sum = 0;
  for (const Real score : scores_of(kSpecF3R, rows)) sum += static_cast<double>(score);
  EXPECT_NEAR(sum, 2 - 7.0 / 6, 10 * kTolerance);
}

TEST(Spec, ShiftScalePermutationAndOrder) {
  StreamShape shape;
  shape.features = 6;
  shape.rows = 40;
  shape.universum = 0;
  const std::vector<Row> rows = make_stream(shape);
  std::vector<Row> shifted = rows, scaled = rows, mirrored = rows;
  for (Row& row : shifted) {
    for (Real& value : row.x) value += Real(4096);  // exact on the grid
  }
  for (Row& row : scaled) {
    for (Real& value : row.x) value *= Real(8);
  }
  for (Row& row : mirrored) std::reverse(row.x.begin(), row.x.end());
  const std::vector<Row> backwards(rows.rbegin(), rows.rend());
  for (const SelectorType* type : {&kSpecF2R4, &kSpecF3R}) {
    const auto plain = scores_of(*type, rows);
    expect_close(plain, scores_of(*type, scaled), 1, kTolerance);
    expect_close(plain, scores_of(*type, backwards), 1, 100 * kTolerance);
    auto back = scores_of(*type, mirrored);
    std::reverse(back.begin(), back.end());
    expect_close(plain, back, 1, 100 * kTolerance);
    if (type == &kSpecF2R4) expect_close(plain, scores_of(*type, shifted), 1, 10 * kTolerance);
  }
  // f3 is of the feature as it is: what all have in common is not smooth, but along xi_0.
  const auto f3 = scores_of(kSpecF3R, rows);
  const auto f3_shifted = scores_of(kSpecF3R, shifted);
  for (std::size_t r = 0; r + 1 < f3.size(); ++r) EXPECT_LT(f3_shifted[r], f3[r] / 100) << r;
}

TEST(Spec, EvictedPointsLeaveNoTrace) {
  expect_no_trace_of_the_evicted(kSpecF2R4);
  expect_no_trace_of_the_evicted(kSpecF3R);
}

TEST(Spec, ClustersWinOverNoise) {
  Random random(5);
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < 60; ++i) {
    Row row{{}, i < 12 ? SampleKind::labelled : SampleKind::unlabelled, i % 3};
    for (std::uint32_t r = 0; r < 6; ++r) {
      row.x.push_back(random.uniform() - Real(0.5) + (r < 3 && r == i % 3 ? Real(2) : Real(0)));
    }
    rows.push_back(row);
  }
  for (const SelectorType* type : {&kSpecF2R4, &kSpecF3R}) {
    RankerInBuffer ranker(holding_config(*type, rows));
    for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    ASSERT_TRUE(ranker->rank(3).ok());
    for (std::size_t r = 0; r < 6; ++r) EXPECT_EQ(ranker->ranking().selected()[r], r < 3) << r;
    EXPECT_GT(info_of(*ranker, "lambda_used"), 0);
    if (type == &kSpecF3R) {
      EXPECT_EQ(info_of(*ranker, "converged"), 1);
    }
  }
}

TEST(Spec, EqualFeaturesTieAndBreakByIndex) {
  std::vector<Row> rows = make_stream({});
  for (Row& row : rows) {
    for (std::size_t r = 0; r < 4; ++r) row.x[r] = row.x[0];
  }
  for (const SelectorType* type : {&kSpecF2R4, &kSpecF3R}) {
    RankerInBuffer ranker(holding_config(*type, rows));
    for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    ASSERT_TRUE(ranker->rank(0).ok());
    for (std::uint32_t r = 0; r < 5; ++r) EXPECT_EQ(ranker->ranking().order()[r], r);
    EXPECT_FALSE(has_score(ranker->ranking().scores()[4]));  // constant
  }
}

TEST(Spec, SaysWhatItLacks) {
  const Row zero{{1, 2}, SampleKind::labelled, 0};
  const Row same{{3, 5}, SampleKind::labelled, 0};
  const Row one{{4, 4}, SampleKind::labelled, 1};
  const Row plain{{2, 7}};
  const Row universum{{2, 6}, SampleKind::universum};
  EXPECT_STREQ(status_of(kSpecF3R, {zero, same, plain}).reason(),
               "spec_f3_r needs held samples of two classes");
  EXPECT_EQ(status_of(kSpecF3R, {plain, universum}).code(), StatusCode::failed_precondition);
  EXPECT_TRUE(status_of(kSpecF3R, {zero, one}).ok());
  for (const auto& rows : {std::vector<Row>{universum}, {universum, plain}}) {
    const Status status = status_of(kSpecF2R4, rows);
    EXPECT_EQ(status.code(), StatusCode::failed_precondition);
    EXPECT_STREQ(status.reason(), "the graph has no edge: two held points are needed");
  }
  EXPECT_TRUE(status_of(kSpecF2R4, {zero, plain}).ok());
  const Real huge = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  EXPECT_STREQ(status_of(kSpecF2R4, {zero, Row{{huge, 1}}}).reason(),
               "distances overflow: scale the features down");

  RankerInBuffer narrow(with_lambda(holding_config(kSpecF2R4, {zero}), Real(1e-30)));
  ASSERT_TRUE(narrow->observe(zero.sample()).ok());
  ASSERT_TRUE(narrow->observe(plain.sample()).ok());
  EXPECT_EQ(narrow->rank(0).code(), StatusCode::failed_precondition);
}

// With a given lambda, a value whose square overflows takes its own feature's score away.
TEST(Spec, OverflowGivesNoScore) {
  const Real huge = std::numeric_limits<Real>::max();
  std::vector<Row> rows = two_components();
  for (int i = 0; i < 2; ++i) rows.push_back({Row{{huge, Real(0.5), 0}}});
  for (const SelectorType* type : {&kSpecF2R4, &kSpecF3R}) {
    const auto scores = scores_of(with_lambda(holding_config(*type, rows), 2), rows);
    EXPECT_FALSE(has_score(scores[0]));
    EXPECT_TRUE(has_score(scores[1]));
  }
}

}  // namespace
}  // namespace whittle::testing
