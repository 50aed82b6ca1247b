// ULS against its formula, and what the universum does to the Laplacian score.
#include "whittle/select/uls.h"

#include "tests/shared/held_cases.h"
#include "whittle/select/ls.h"

namespace whittle::testing {
namespace {

struct UniversumParams {
  double alpha = 1, beta = 1;
  bool printed = false;
};

// All pairs of universum and held points, and of universum points.
Judged universum_terms(const std::vector<Point>& x, const std::vector<Point>& u, std::size_t r,
                       const UniversumParams& params) {
  const Vector fx = present_values(x, r);
  const Vector fu = present_values(u, r);
  if (fu.empty()) return {0, 0};
  const double nu = static_cast<double>(fu.size());
  double far = 0, spread = 0;
  for (const double a : fu) {
    for (const double b : fx) far += (a - b) * (a - b);
    for (const double b : fu) spread += (a - b) * (a - b);
  }
  far *= params.alpha / (nu * static_cast<double>(fx.size()));
  spread *= params.beta / (params.printed ? nu : nu * nu);
  return {far - spread, far + spread};
}

std::vector<Judged> uls_scores(const std::vector<Point>& points, const std::vector<Point>& u,
                               const HeldCase& one, const UniversumParams& params) {
  const Matrix s = edge_weights(points, neighbour_edges(points, one.k, one.cosine), one.lambda);
  std::vector<Judged> scores;
  for (std::size_t r = 0; r < one.shape.features; ++r) {
    const double ls = laplacian_score_of(points, s, r);
    const Judged terms = universum_terms(points, u, r, params);
    scores.push_back({terms.score - 2 * ls, terms.size + 2 * ls});
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

TEST(Uls, EqualsItsFormulaAfterEveryPrefix) {
  for (const HeldCase& one : held_cases()) {
    RankerConfig config = config_of(kUls, one);
    UniversumParams params;
    if (one.shape.seed % 2 == 1) {
      params = {0.75, 0.5, true};
      ASSERT_TRUE(config.values.set(kUlsParams, "alpha", Real(0.75)).ok());
      ASSERT_TRUE(config.values.set(kUlsParams, "beta", Real(0.5)).ok());
      ASSERT_TRUE(config.values.set(kUlsParams, "universum_norm", 1).ok());
    }
    check_held_prefixes(
        config, one,
        [&](const auto& points) { return any_edge(neighbour_edges(points, one.k, one.cosine)); },
        [&](const auto& points, const auto& prefix) {
          const auto u = points_of(universum_of(prefix), offsets_of(one), gains_of(one));
          return uls_scores(points, u, one, params);
        },
        2 * kTolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

std::vector<Real> scores_of(const SelectorType& type, const std::vector<Row>& rows,
                            const char* off = nullptr) {
  RankerConfig config(type);
  config.memory.features = static_cast<std::uint32_t>(rows.front().x.size());
  config.memory.classes = 2;
  config.memory.labelled = 32;
  config.memory.window = 32;
  EXPECT_TRUE(off == nullptr || config.values.set(type.params, off, 0).ok());
  RankerInBuffer ranker(config);
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());
  const auto scores = ranker->ranking().scores();
  return {scores.begin(), scores.end()};
}

TEST(Uls, WithoutUniversumIsTwiceTheLaplacianScoreNegated) {
  StreamShape shape;
  shape.universum = 0;
  const std::vector<Row> rows = make_stream(shape);
  const std::vector<Real> uls = scores_of(kUls, rows);
  const std::vector<Real> ls = scores_of(kLs, rows, "use_labels");
  for (std::size_t r = 0; r + 1 < uls.size(); ++r) EXPECT_EQ(uls[r], Real(-2) * ls[r]) << r;
  EXPECT_FALSE(has_score(uls.back()));
}

// All features but one are the same to ls; the universum lies far away in the last one only.
TEST(Uls, FarUniversumWins) {
  StreamShape shape;
  shape.universum = 0;
  shape.constant_feature = false;
  std::vector<Row> rows = make_stream(shape);
  rows.push_back({{0, 0, 0, 0, 40}, SampleKind::universum});
  rows.push_back({{0, 0, 0, 0, 41}, SampleKind::universum});
  const std::vector<Real> scores = scores_of(kUls, rows);
  EXPECT_EQ(std::max_element(scores.begin(), scores.end()), scores.end() - 1);
}

TEST(Uls, LabelsDoNotMatter) {
  const std::vector<Row> rows = make_stream({});
  std::vector<Row> relabelled = rows;
  for (Row& row : relabelled) row.label = 0;
  const std::vector<Real> a = scores_of(kUls, rows);
  const std::vector<Real> b = scores_of(kUls, relabelled);
  for (std::size_t r = 0; r + 1 < a.size(); ++r) EXPECT_EQ(a[r], b[r]) << r;
}

TEST(Uls, ConstantOverTheHeldPointsHasNoScoreWhateverTheUniversum) {
  std::vector<Row> rows;
  for (int i = 0; i < 6; ++i) rows.push_back({{static_cast<Real>(i), 3}});
  rows.push_back({{1, 7}, SampleKind::universum});
  rows.push_back({{2, 9}, SampleKind::universum});
  const std::vector<Real> scores = scores_of(kUls, rows);
  EXPECT_TRUE(has_score(scores[0]));
  EXPECT_FALSE(has_score(scores[1]));
}

TEST(Uls, ShiftChangesNoScore) {
  const std::vector<Row> rows = make_stream({});
  std::vector<Row> shifted = rows;
  for (Row& row : shifted) {
    for (Real& value : row.x) value += Real(8192);  // exact on the grid
  }
  const std::vector<Real> plain = scores_of(kUls, rows);
  const std::vector<Real> moved = scores_of(kUls, shifted);
  for (std::size_t r = 0; r + 1 < plain.size(); ++r) {
    EXPECT_NEAR(static_cast<double>(plain[r]), static_cast<double>(moved[r]), 10 * kTolerance);
  }
}

TEST(Uls, NeedsAnEdge) {
  RankerConfig config(kUls);
  config.memory.features = 2;
  config.memory.window = 4;
  RankerInBuffer ranker(config);
  const Row universum{{1, 2}, SampleKind::universum};
  const Row plain{{1, 2}};
  ASSERT_TRUE(ranker->observe(universum.sample()).ok());
  ASSERT_TRUE(ranker->observe(plain.sample()).ok());
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
}

TEST(Uls, OverflowGivesNoScore) {
  std::vector<Row> rows;
  for (int i = 0; i < 6; ++i) rows.push_back({{static_cast<Real>(i), static_cast<Real>(i % 3)}});
  const Real far = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  rows.push_back({{far, 1}, SampleKind::universum});
  const std::vector<Real> scores = scores_of(kUls, rows);
  EXPECT_FALSE(has_score(scores[0]));
  EXPECT_TRUE(has_score(scores[1]));
}

}  // namespace
}  // namespace whittle::testing
