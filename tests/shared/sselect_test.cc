// sSelect against its formula, the side of a point at the mean, and the labels it looks at.
#include "whittle/select/sselect.h"

#include <map>

#include "tests/shared/held_cases.h"

namespace whittle::testing {
namespace {

double entropy(const std::map<int, double>& counts, double all) {
  double sum = 0;
  for (const auto& [key, count] : counts) sum -= count / all * std::log(count / all);
  return sum;
}

// I / sqrt(H H), from the joint and the two separate entropies; 0 if one of these is 0.
double normalised_information(const std::vector<std::pair<int, int>>& pairs) {
  std::map<int, double> left, right, both;
  for (const auto& [a, b] : pairs) {
    ++left[a];
    ++right[b];
    ++both[a * 1000 + b];
  }
  if (left.size() < 2 || right.size() < 2) return 0;
  const double all = static_cast<double>(pairs.size());
  const double a = entropy(left, all), b = entropy(right, all);
  return (a + b - entropy(both, all)) / std::sqrt(a * b);
}

Judged sselect_score(const std::vector<Point>& points, const Matrix& s, std::size_t r, double eta) {
  const double ls = laplacian_score_of(points, s, r);
  const double mean = weighted_mean(points, s, r);
  double peak = 0;
  for (const double value : present_values(points, r))
    peak = std::max(peak, std::fabs(value - mean));
  std::vector<std::pair<int, int>> pairs;
  for (const Point& point : points) {
    if (point.label < 0 || std::isnan(point.x[r])) continue;
    pairs.emplace_back(point.x[r] - mean >= -1e-6 * peak ? 1 : 0, point.label);
  }
  return {eta * ls + (1 - eta) * (1 - normalised_information(pairs)), 1};
}

TEST(Sselect, EqualsItsFormulaAfterEveryPrefix) {
  for (const HeldCase& one : held_cases()) {
    RankerConfig config = config_of(kSselect, one);
    double eta = static_cast<double>(Real(0.1));
    if (one.shape.seed % 2 == 1) {
      eta = 0.75;
      ASSERT_TRUE(config.values.set(kSselectParams, "eta", Real(0.75)).ok());
    }
    check_held_prefixes(
        config, one,
        [&](const auto& points) { return any_edge(neighbour_edges(points, one.k, one.cosine)); },
        [&](const auto& points, const auto&) {
          const Matrix s =
              edge_weights(points, neighbour_edges(points, one.k, one.cosine), one.lambda);
          std::vector<Judged> scores;
          for (std::size_t r = 0; r < one.shape.features; ++r) {
            scores.push_back(sselect_score(points, s, r, eta));
          }
          return scores;
        },
        kTolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

struct Setting {
  Real eta = 0;  // the labels alone
  std::uint32_t k = 10;
};

void rank_rows(const std::vector<Row>& rows, const Setting& setting, std::vector<Real>* scores,
               std::vector<std::uint32_t>* order) {
  RankerConfig config(kSselect);
  config.memory.features = static_cast<std::uint32_t>(rows.front().x.size());
  config.memory.classes = 4;
  config.memory.labelled = 32;
  config.memory.window = 32;
  ASSERT_TRUE(config.values.set(kSselectParams, "eta", setting.eta).ok());
  ASSERT_TRUE(config.values.set(kSselectParams, "k", static_cast<Real>(setting.k)).ok());
  RankerInBuffer ranker(config);
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  scores->assign(ranker->ranking().scores().begin(), ranker->ranking().scores().end());
  order->assign(ranker->ranking().order().begin(), ranker->ranking().order().end());
}

std::vector<Real> scores_of(const std::vector<Row>& rows, const Setting& setting) {
  std::vector<Real> scores;
  std::vector<std::uint32_t> order;
  rank_rows(rows, setting, &scores, &order);
  return scores;
}

Row labelled(std::vector<Real> x, std::uint32_t label) {
  return {std::move(x), SampleKind::labelled, label};
}

// Features 1 and 2 tell the classes apart, one the other way round; 3 does so with an offset: the
// same score to the bit, so they rank by index, before 0, which tells nothing.
TEST(Sselect, FeaturesThatCutAlikeTie) {
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < 11; ++i) {
    const std::uint32_t c = i < 4 ? 0 : 1;
    const Real side = c == 0 ? Real(-1) : Real(1);
    const Real noise = static_cast<Real>(i * 7 % 5) / 7;
    rows.push_back(
        labelled({static_cast<Real>(i % 2), side + noise / 9, noise / 9 - side, side + 300}, c));
  }
  std::vector<Real> scores;
  std::vector<std::uint32_t> order;
  rank_rows(rows, {}, &scores, &order);
  EXPECT_EQ(scores[1], scores[2]);
  EXPECT_EQ(scores[1], scores[3]);
  EXPECT_GE(scores[1], Real(0));
  EXPECT_LT(scores[1], Real(1e-6));
  EXPECT_GT(scores[0], Real(0.5));
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 2, 3, 0}));
}

// The middle of three points is at the weighted mean: + by the rule, whatever rounding makes of it.
TEST(Sselect, APointAtTheMeanCountsAsPlus) {
  for (int i = 1; i <= 40; ++i) {
    const Real unit = Real(1) / static_cast<Real>(i);
    const std::vector<Row> rows = {labelled({-unit}, 0), labelled({0}, 1), labelled({unit}, 1)};
    EXPECT_LT(scores_of(rows, {0, 1})[0], Real(1e-6)) << unit;
  }
}

TEST(Sselect, WithoutLabelsOrWithOneClassOnlyTheGraphSpeaks) {
  StreamShape shape;
  shape.constant_feature = false;
  for (const std::uint32_t classes : {0U, 1U}) {
    shape.classes = classes;
    const std::vector<Row> rows = make_stream(shape);
    for (const Real score : scores_of(rows, {0, 10})) EXPECT_EQ(score, Real(1));
    const std::vector<Real> graph = scores_of(rows, {1, 10});
    const std::vector<Real> both = scores_of(rows, {Real(0.5), 10});
    for (std::size_t r = 0; r < graph.size(); ++r) {
      EXPECT_NEAR(static_cast<double>(both[r]), static_cast<double>(graph[r]) / 2 + 0.5, 1e-6);
    }
  }
}

TEST(Sselect, ScaleShiftAndPermutationOfClasses) {
  const std::vector<Row> rows = make_stream({});
  std::vector<Row> changed = rows;
  for (Row& row : changed) {
    for (Real& value : row.x) value = value * 8 + 4096;  // exact on the grid
    row.label = 3 - row.label;
  }
  const std::vector<Real> a = scores_of(rows, {Real(0.5), 5});
  const std::vector<Real> b = scores_of(changed, {Real(0.5), 5});
  for (std::size_t r = 0; r + 1 < a.size(); ++r) {
    EXPECT_NEAR(static_cast<double>(a[r]), static_cast<double>(b[r]), 4 * kTolerance) << r;
  }
  EXPECT_FALSE(has_score(a.back()));
  EXPECT_FALSE(has_score(b.back()));
}

TEST(Sselect, NeedsAnEdge) {
  RankerConfig config(kSselect);
  config.memory.features = 2;
  config.memory.classes = 1;
  config.memory.labelled = 2;
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker->observe(labelled({1, 2}, 0).sample()).ok());
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
