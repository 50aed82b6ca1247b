// SC4 against its formula, and what becomes of factors that are 0, infinite or missing.
#include "whittle/select/sc4.h"

#include "tests/shared/held_cases.h"
#include "tests/shared/link_ratio_cases.h"

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

// All features but 0 and 1 have one value per class; feature 1 has one over the labelled points.
TEST(Sc4, ExactZerosStayZerosAndTie) {
  const std::vector<Row> rows = constant_in_classes({{1, Real(7.7)}}, {Real(0.1)});
  std::vector<std::uint32_t> order;
  const std::vector<Real> scores = scores_of(kSc4, rows, 10, &order);
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
  const std::vector<Real> scores = scores_of(kSc4, rows, 1);
  EXPECT_EQ(scores[0], kInfinity);
  const Real none = kNoScore;
  EXPECT_EQ(std::memcmp(&scores[1], &none, sizeof none), 0) << scores[1];
  EXPECT_GT(scores[2], Real(0));
  EXPECT_LT(scores[2], kInfinity);
}

TEST(Sc4, ScaleShiftAndOrderOfFeatures) {
  check_scale_shift_and_order_of_features(kSc4, 4 * kTolerance);
}

TEST(Sc4, NeedsACannotLinkPairAndAnEdge) {
  check_needs_a_cannot_link_pair(kSc4);

  RankerConfig config = small_config(kSc4, 2, 3);
  ASSERT_TRUE(config.values.set(kSc4Params, "lambda", Real(1e-30)).ok());
  RankerInBuffer underflow(config);
  for (const Row& row : {labelled({1, 2}, 0), labelled({3, 5}, 1)}) {
    ASSERT_TRUE(underflow->observe(row.sample()).ok());
  }
  EXPECT_EQ(underflow->rank(0).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
