// SC4 against its formula, and what becomes of factors that are 0, infinite or missing.
#include "whittle/select/sc4.h"

#include "tests/shared/held_cases.h"
#include "whittle/base/math.h"

namespace whittle::testing {
namespace {

std::vector<Judged> sc4_scores(const std::vector<Point>& points, const Matrix& links,
                               const HeldCase& one) {
  const Matrix s = edge_weights(points, neighbour_edges(points, one.k, one.cosine), one.lambda);
  std::vector<Judged> scores;
  for (std::size_t r = 0; r < one.shape.features; ++r) {
    const double must = pair_sum(points, r, [&](auto i, auto j) { return links[i][j] > 0; });
    const double cannot = pair_sum(points, r, [&](auto i, auto j) { return links[i][j] < 0; });
    const double score = laplacian_score_of(points, s, r) * quotient(must, cannot);
    scores.push_back({score, score});
  }
  return scores;
}

TEST(Sc4, EqualsItsFormulaAfterEveryPrefix) {
  for (const HeldCase& one : held_cases()) {
    check_held_prefixes(
        config_of(kSc4, one), one,
        [&](const auto& points) {
          return has_cannot_link(closed_links(points, {})) &&
                 any_edge(neighbour_edges(points, one.k, one.cosine));
        },
        [&](const auto& points, const auto&) {
          return sc4_scores(points, closed_links(points, {}), one);
        },
        4 * kTolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Sc4, ExplicitPairsCount) {
  const HeldCase one = paired_case();
  check_explicit_pairs(
      kSc4, one,
      [&](const auto& points, const auto& links) { return sc4_scores(points, links, one); },
      4 * kTolerance);
}

Row labelled(std::vector<Real> x, std::uint32_t label) {
  return {std::move(x), SampleKind::labelled, label};
}

RankerConfig small_config(std::size_t features, std::uint32_t k) {
  RankerConfig config(kSc4);
  config.memory.features = static_cast<std::uint32_t>(features);
  config.memory.classes = 3;
  config.memory.labelled = 16;
  config.memory.window = 16;
  EXPECT_TRUE(config.values.set(kSc4Params, "k", static_cast<Real>(k)).ok());
  return config;
}

std::vector<Real> scores_of(const std::vector<Row>& rows, std::uint32_t k,
                            std::vector<std::uint32_t>* order = nullptr) {
  RankerInBuffer ranker(small_config(rows.front().x.size(), k));
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());
  if (order != nullptr) {
    order->assign(ranker->ranking().order().begin(), ranker->ranking().order().end());
  }
  return {ranker->ranking().scores().begin(), ranker->ranking().scores().end()};
}

// All features but 0 and 1 have one value per class, values whose sums round, from an origin (the
// oldest point) that is far away; feature 1 has one value over the labelled points.
TEST(Sc4, ExactZerosStayZerosAndTie) {
  std::vector<Row> rows;
  rows.push_back({{1, Real(7.7)}});
  for (int r = 2; r < 20; ++r) rows[0].x.push_back(Real(-0.3) * static_cast<Real>(r));
  for (std::uint32_t i = 0; i < 12; ++i) {
    const std::uint32_t c = i % 2;
    rows.push_back(labelled({static_cast<Real>(i * 5 % 7), Real(0.1)}, c));
    for (std::uint32_t r = 2; r < 20; ++r) {
      rows.back().x.push_back(log(static_cast<Real>(2 * r + c)));
    }
  }
  std::vector<std::uint32_t> order;
  const std::vector<Real> scores = scores_of(rows, 10, &order);
  EXPECT_GT(scores[0], Real(0));
  EXPECT_FALSE(has_score(scores[1]));
  for (std::uint32_t r = 2; r < 20; ++r) {
    EXPECT_EQ(scores[r], Real(0)) << r;
    EXPECT_EQ(order[r - 2], r);
  }
}

// Class 1 lacks the features, so their cannot-link sums are 0 and their constraint scores infinite.
// Feature 0 changes along an edge; feature 1 only between the two parts of the graph, so that its
// Laplacian score is 0 and the product none.
TEST(Sc4, InfinityTimesSomethingAndTimesZero) {
  const std::vector<Row> rows = {labelled({1, 3, 0}, 0), labelled({2, 3, 1}, 0),
                                 labelled({kNoScore, kNoScore, 2}, 1), labelled({1, 4, 50}, 0),
                                 labelled({1, 4, 51}, 0)};
  const std::vector<Real> scores = scores_of(rows, 1);
  EXPECT_EQ(scores[0], kInfinity);
  const Real none = kNoScore;
  EXPECT_EQ(std::memcmp(&scores[1], &none, sizeof none), 0) << scores[1];
  EXPECT_GT(scores[2], Real(0));
  EXPECT_LT(scores[2], kInfinity);
}

TEST(Sc4, ScaleShiftAndOrderOfFeatures) {
  const std::vector<Row> rows = make_stream({});
  std::vector<Row> changed = rows;
  for (Row& row : changed) {
    for (Real& value : row.x) value = value * 8 + 4096;  // exact on the grid
    std::reverse(row.x.begin(), row.x.end());
  }
  const std::vector<Real> a = scores_of(rows, 5);
  const std::vector<Real> b = scores_of(changed, 5);
  EXPECT_FALSE(has_score(a[4]));
  EXPECT_FALSE(has_score(b[0]));
  for (std::size_t r = 0; r < 4; ++r) {
    const double expected = static_cast<double>(a[r]);
    EXPECT_NEAR(static_cast<double>(b[4 - r]), expected, 4 * kTolerance * expected) << r;
  }
}

TEST(Sc4, NeedsACannotLinkPairAndAnEdge) {
  RankerInBuffer ranker(small_config(2, 3));
  for (const Row& row : {labelled({1, 2}, 0), labelled({3, 5}, 0), Row{{2, 2}}}) {
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  const Status status = ranker->rank(0);
  EXPECT_EQ(status.code(), StatusCode::failed_precondition);
  EXPECT_STREQ(status.reason(), "sc4 needs a cannot-link pair: labelled samples of two classes");
  ASSERT_TRUE(ranker->observe(labelled({1, 3}, 1).sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());

  RankerConfig config = small_config(2, 3);
  ASSERT_TRUE(config.values.set(kSc4Params, "lambda", Real(1e-30)).ok());
  RankerInBuffer underflow(config);
  for (const Row& row : {labelled({1, 2}, 0), labelled({3, 5}, 1)}) {
    ASSERT_TRUE(underflow->observe(row.sample()).ok());
  }
  EXPECT_EQ(underflow->rank(0).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
