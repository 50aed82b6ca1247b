// USS against its formula, and what the universum does to the sparsity score.
#include "whittle/select/uss.h"

#include "tests/shared/sparse_reference.h"
#include "whittle/select/ss.h"

namespace whittle::testing {
namespace {

struct UniversumParams {
  double alpha = 1, beta = 1;
  bool printed = false;
};

// All pairs of universum and held points, and of universum points.
Judged universum_terms(const Vector& x, const Vector& u, const UniversumParams& params) {
  if (u.empty()) return {0, 0};
  const double count = static_cast<double>(u.size());
  double far = 0, spread = 0;
  for (const double a : u) {
    for (const double b : x) far += (a - b) * (a - b);
    for (const double b : u) spread += (a - b) * (a - b);
  }
  far *= params.alpha / (count * static_cast<double>(x.size()));
  spread *= params.beta / (params.printed ? count : count * count);
  return {far - spread, far + spread};
}

std::vector<Judged> uss_scores(const std::vector<Point>& points, const std::vector<Point>& u,
                               const UniversumParams& params) {
  const std::vector<Vector> x = filled(points);
  const Vector errors = sparse_errors(x);
  std::vector<Judged> scores;
  for (std::size_t r = 0; r < errors.size(); ++r) {
    const Vector feature = feature_of(x, r);  // n var_r with what is missing filled in
    double deviations = 0;
    for (const double value : feature) {
      deviations += (value - mean_of(feature)) * (value - mean_of(feature));
    }
    const Vector present = present_values(points, r);
    const Judged terms = universum_terms(present, present_values(u, r), params);
    const double share = is_constant(present) ? no_score() : errors[r] / deviations;
    scores.push_back({terms.score - share, terms.size + share});
  }
  return scores;
}

std::vector<Row> universum_of(const std::vector<Row>& rows) {
  std::vector<Row> universum;
  for (const Row& row : rows) {
    if (row.kind == SampleKind::universum) universum.push_back(row);
  }
  return universum;
}

TEST(Uss, EqualsItsFormulaAfterEveryPrefix) {
  for (const HeldCase& one : sparse_cases()) {
    RankerConfig config = sparse_config(kUss, one);
    UniversumParams params;
    if (one.shape.seed % 2 == 1) {
      params = {0.75, 0.5, true};
      ASSERT_TRUE(config.values.set(kUssParams, "alpha", Real(0.75)).ok());
      ASSERT_TRUE(config.values.set(kUssParams, "beta", Real(0.5)).ok());
      ASSERT_TRUE(config.values.set(kUssParams, "universum_norm", 1).ok());
    }
    check_held_prefixes(
        config, one, [](const auto& points) { return !points.empty(); },
        [&](const auto& points, const auto& prefix) {
          const auto u = points_of(universum_of(prefix), offsets_of(one), gains_of(one));
          return uss_scores(points, u, params);
        },
        4 * kTolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Uss, WithoutUniversumIsTheSparsityScoreOverTheSquaredDeviations) {
  const std::vector<Row> rows = {{{1, 2, 5}}, {{3, -1, 5}}, {{-1, 2, 5}}, {{1, 1, 5}}};
  const auto ss = scores_of(kSs, rows);
  const auto uss = scores_of(kUss, rows);
  EXPECT_NEAR(static_cast<double>(uss[0]), -static_cast<double>(ss[0]) / 8, kTolerance);
  EXPECT_NEAR(static_cast<double>(uss[1]), -static_cast<double>(ss[1]) / 6, kTolerance);
  EXPECT_FALSE(has_score(uss[2]));
}

// Universum samples are not reconstructed, and reconstruct nothing.
TEST(Uss, FarUniversumWins) {
  StreamShape shape;
  shape.universum = 0;
  shape.constant_feature = false;
  std::vector<Row> rows = make_stream(shape);
  rows.push_back({{0, 0, 0, 0, 40}, SampleKind::universum});
  rows.push_back({{0, 0, 0, 0, 41}, SampleKind::universum});
  const auto scores = scores_of(kUss, rows);
  EXPECT_EQ(std::max_element(scores.begin(), scores.end()), scores.end() - 1);
}

// The third term is a pure number: with the first two off, scale does not matter.
TEST(Uss, ThirdTermHasNoUnit) {
  std::vector<Row> rows = make_stream({});
  RankerConfig config = holding_config(kUss, rows);
  ASSERT_TRUE(config.values.set(kUssParams, "alpha", 0).ok());
  ASSERT_TRUE(config.values.set(kUssParams, "beta", 0).ok());
  const auto plain = scores_of(config, rows);
  for (Row& row : rows) {
    for (Real& value : row.x) value *= Real(8);
  }
  expect_close(plain, scores_of(config, rows), 1, kTolerance);
}

TEST(Uss, ConstantOverTheHeldPointsHasNoScoreWhateverTheUniversum) {
  std::vector<Row> rows;
  for (int i = 0; i < 6; ++i) rows.push_back({{static_cast<Real>(i), 3}});
  rows.push_back({{1, 7}, SampleKind::universum});
  rows.push_back({{2, 9}, SampleKind::universum});
  const auto scores = scores_of(kUss, rows);
  EXPECT_TRUE(has_score(scores[0]));
  EXPECT_FALSE(has_score(scores[1]));
}

TEST(Uss, OverflowGivesNoScore) {
  std::vector<Row> rows;
  for (int i = 0; i < 6; ++i) rows.push_back({{static_cast<Real>(i), static_cast<Real>(i % 3)}});
  const Real far = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  rows.push_back({{far, 1}, SampleKind::universum});
  const auto scores = scores_of(kUss, rows);
  EXPECT_FALSE(has_score(scores[0]));
  EXPECT_TRUE(has_score(scores[1]));
}

TEST(Uss, EvictedPointsLeaveNoTrace) { expect_no_trace_of_the_evicted(kUss); }

TEST(Uss, SaysWhatItLacks) {
  const Status none = status_of(kUss, {Row{{1, 2}, SampleKind::universum}});
  EXPECT_EQ(none.code(), StatusCode::failed_precondition);
  EXPECT_STREQ(none.reason(), "uss needs a labelled or unlabelled sample held");
  const Real huge = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  EXPECT_EQ(status_of(kUss, {Row{{1, 2}}, Row{{huge, 2}}}).code(), StatusCode::failed_precondition);
  RankerInBuffer ranker(holding_config(kUss, {Row{{1, 2}}}));
  EXPECT_TRUE(ranker.status().ok());
  ParamValues values{Span<const ParamSpec>(kUssParams)};
  EXPECT_EQ(values.set(kUssParams, "lambda", 1).code(), StatusCode::not_found);
}

}  // namespace
}  // namespace whittle::testing
