// LSDF against its formula, and which pairs count where.
#include "whittle/select/lsdf.h"

#include "tests/shared/held_cases.h"
#include "tests/shared/link_ratio_cases.h"
#include "whittle/base/math.h"

namespace whittle::testing {
namespace {

std::vector<Judged> lsdf_scores(const std::vector<Point>& points, const Matrix& links,
                                const HeldCase& one) {
  const Matrix edge = neighbour_edges(points, one.k, one.cosine);
  const auto within = [&](std::size_t i, std::size_t j) {
    if (links[i][j] > 0) return 100;
    return edge[i][j] != 0 && (points[i].label < 0 || points[j].label < 0) ? 1 : 0;
  };
  std::vector<Judged> scores;
  for (std::size_t r = 0; r < one.shape.features; ++r) {
    const double between = pair_sum(points, r, [&](auto i, auto j) { return links[i][j] < 0; });
    const double score = is_constant(present_values(points, r))
                             ? no_score()
                             : quotient(between, pair_sum(points, r, within));
    scores.push_back({score, score});
  }
  return scores;
}

TEST(Lsdf, EqualsItsFormulaAfterEveryPrefix) {
  for (const HeldCase& one : held_cases()) {
    check_held_prefixes(
        config_of(kLsdf, one), one,
        [](const auto& points) { return has_cannot_link(closed_links(points, {})); },
        [&](const auto& points, const auto&) {
          return lsdf_scores(points, closed_links(points, {}), one);
        },
        2 * kTolerance);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Lsdf, ExplicitPairsCount) {
  const HeldCase one = paired_case();
  check_explicit_pairs(
      kLsdf, one,
      [&](const auto& points, const auto& links) { return lsdf_scores(points, links, one); },
      2 * kTolerance);
}

// Everybody is everybody's neighbour. By hand: cannot-link pairs (0, 3) and (1, 3), 9 + 4;
// must-link pair (0, 1), 100 and not 101; neighbours with an unlabelled one, 36 + 25 + 9.
TEST(Lsdf, EachPairCountsOnce) {
  const std::vector<Row> rows = {labelled({0}, 0), labelled({1}, 0), labelled({3}, 1), {{6}}};
  EXPECT_EQ(scores_of(kLsdf, rows, 5)[0], Real(9 + 4) / Real(100 + 36 + 25 + 9));
}

// Neighbours of one side only count too: the last point's neighbour is 3, whose own is 1.
TEST(Lsdf, OneSidedNeighboursCount) {
  const std::vector<Row> rows = {labelled({0}, 0), {{1}}, labelled({3}, 1), {{6}}};
  EXPECT_EQ(scores_of(kLsdf, rows, 1)[0], Real(9) / Real(1 + 4 + 9));
}

// Without unlabelled points the neighbours say nothing.
TEST(Lsdf, LabelledNeighboursOfTwoClassesAreNotWithin) {
  const std::vector<Row> rows = {labelled({0, 1}, 0), labelled({1, 2}, 1), labelled({2, 3}, 2)};
  for (const Real score : scores_of(kLsdf, rows, 5)) EXPECT_EQ(score, kInfinity);
}

// All features but 0 have one value per class: nothing within.
TEST(Lsdf, ExactZerosAreInfiniteAndTie) {
  const std::vector<Row> rows = constant_in_classes(labelled({1}, 2), {});
  std::vector<std::uint32_t> order;
  const std::vector<Real> scores = scores_of(kLsdf, rows, 3, &order);
  EXPECT_LT(scores[0], kInfinity);
  for (std::uint32_t r = 1; r < 20; ++r) {
    EXPECT_EQ(scores[r], kInfinity) << r;
    EXPECT_EQ(order[r - 1], r);
  }
}

// One value over the labelled points, another elsewhere: nothing between, something within.
TEST(Lsdf, ConstantOverTheLabelledPointsIsZero) {
  std::vector<Row> rows = {{{}}, {{}}};
  for (int r = 0; r < 20; ++r) {
    rows[0].x.push_back(Real(7.7));
    rows[1].x.push_back(Real(7.8));
  }
  for (std::uint32_t i = 0; i < 12; ++i) {
    rows.push_back(labelled({}, i % 2));
    for (int r = 0; r < 20; ++r) rows.back().x.push_back(log(static_cast<Real>(r + 2)));
  }
  for (const Real score : scores_of(kLsdf, rows, 5)) EXPECT_EQ(score, Real(0));
}

TEST(Lsdf, ScaleShiftAndOrderOfFeatures) {
  check_scale_shift_and_order_of_features(kLsdf, 2 * kTolerance);
}

TEST(Lsdf, NeedsACannotLinkPair) { check_needs_a_cannot_link_pair(kLsdf); }

TEST(Lsdf, FiveNeighboursByDefault) {
  EXPECT_EQ(ParamValues(kLsdfParams).integer(0), 5U);
  ParamValues values(kLsdfParams);
  EXPECT_EQ(values.set(kLsdfParams, "lambda", 1).code(), StatusCode::not_found);
}

}  // namespace
}  // namespace whittle::testing
