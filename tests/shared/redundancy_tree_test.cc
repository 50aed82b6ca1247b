// Redundancy elimination against a brute-force spanning tree, and its ties.
#include "whittle/select/solve/redundancy_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/shared/redundancy_reference.h"

namespace whittle::testing {
namespace {

Elimination eliminate(const std::vector<Point>& points, const Order& order, std::size_t most = 200,
                      double min_mi = 0, std::vector<Real> scores = {}) {
  const PlacedPoints held(points);
  if (scores.empty()) scores.assign(order.size(), 0);
  const std::size_t bytes = RedundancyTree::required_bytes(order.size(), most);
  std::vector<std::uint64_t> buffer(bytes / sizeof(std::uint64_t) + 1);
  Arena arena(buffer.data(), bytes);
  RedundancyTree tree;
  tree.place(arena, order.size(), most);
  EXPECT_EQ(arena.left(), 0U);
  Elimination result;
  for (int round = 0; round < 2; ++round) {  // what one leaves behind must not matter to the next
    result.order = order;
    result.kept =
        tree.eliminate(held.points(), {scores.data(), scores.size()}, static_cast<Real>(min_mi),
                       {result.order.data(), result.order.size()});
  }
  return result;
}

Order shuffled(std::uint64_t seed, std::size_t m) {
  Random random(seed);
  Order order(m);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = m; i-- > 1;) {
    std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
  }
  return order;
}

TEST(RedundancyTree, EqualsBruteForce) {
  std::size_t kept = 0, all = 0;
  for (std::size_t seed = 1; seed < 30; ++seed) {
    const std::size_t m = 1 + seed % 13;
    // From nearly the same to nearly independent.
    for (const double noise : {0.01, 0.3, 2.0, 100.0}) {
      const double missing = seed % 3 == 0 ? 0.15 : 0;
      const std::vector<Point> points =
          make_mixtures(seed, 4 + seed, m, noise, missing, seed % 5 == 0 ? 64 : 0);
      const Order order = shuffled(seed, m);
      for (const double min_mi : {0.0, 0.05, 1.0}) {
        for (const std::size_t most : {std::size_t{200}, (m + 1) / 2}) {
          const Elimination result = eliminate(points, order, most, min_mi);
          const Elimination want = eliminated(points, order, std::min(m, most), min_mi);
          ASSERT_EQ(result.order, want.order) << seed << " " << noise << " " << min_mi;
          ASSERT_EQ(result.kept, want.kept);
          kept += result.kept;
          all += m;
        }
      }
    }
  }
  EXPECT_GT(kept, all / 4);
  EXPECT_LT(kept, 3 * all / 4);
}

// Correlations near 0, of which a square near 1 less itself keeps no digits, over many points.
TEST(RedundancyTree, TellsFaintCorrelationsApart) {
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const std::vector<Point> points = make_mixtures(seed, 600, 12, 1000);
    const Order order = shuffled(seed, 12);
    EXPECT_EQ(eliminate(points, order).order, eliminated(points, order, 12, 0).order) << seed;
  }
}

// [T] Figure 3.6, with the tree 1 - 4 - 3 - 2 - 5 - 6: F4 is kept and removes F1 and F3, F2 removes
// F5, F6 stays.
TEST(RedundancyTree, WalksTheTreeOfTheThesis) {
  Random random(2);
  std::vector<Point> points(60);
  for (Point& point : points) {
    double value = 0;
    for (int r = 0; r < 6; ++r) {  // a walk: neighbours in the chain correlate most
      value = 0.8 * value + 2 * static_cast<double>(random.uniform()) - 1;
      point.x.push_back(static_cast<double>(static_cast<Real>(value)));
    }
  }
  // Columns are F1, F4, F3, F2, F5, F6; best first: F4, F1, F2, F3, F5, F6.
  const Order order = {1, 0, 3, 2, 4, 5};
  const Elimination result = eliminate(points, order);
  EXPECT_EQ(result.kept, 3U);
  EXPECT_EQ(result.order, (Order{1, 3, 5, 0, 2, 4}));
}

TEST(RedundancyTree, FeaturesWithoutAScoreStayLastAndOut) {
  const std::vector<Point> points = make_mixtures(5, 20, 6, 0.1);
  const std::vector<Real> scores = {1, 1, kNoScore, 1, kNoScore, 1};
  const Order order = {5, 0, 3, 1, 2, 4};
  const Elimination result = eliminate(points, order, 200, 0, scores);
  EXPECT_EQ(result.order, eliminated(points, order, 4, 0).order);
  EXPECT_EQ(result.order[4], 2U);
  EXPECT_EQ(result.order[5], 4U);
  const std::vector<Real> none(6, kNoScore);
  EXPECT_EQ(eliminate(points, order, 200, 0, none).order, order);
  EXPECT_EQ(eliminate(points, order, 200, 0, none).kept, 0U);
}

std::vector<Point> columns(const std::vector<Vector>& features) {
  std::vector<Point> points(features.front().size());
  for (const Vector& feature : features) {
    for (std::size_t i = 0; i < points.size(); ++i) points[i].x.push_back(feature[i]);
  }
  return points;
}

// Of equal edges, the one whose end outside ranks best, then whose end inside does. All four say
// the same (up to sign and scale, exactly): a star around the best.
TEST(RedundancyTree, EqualEdgesGoToTheBestRanked) {
  const Vector x = {1, 2, 4, 8, 3};
  const Vector minus = {-1, -2, -4, -8, -3};
  const Vector twice = {2, 4, 8, 16, 6};
  const Elimination star = eliminate(columns({twice, x, minus, x}), {2, 1, 0, 3});
  EXPECT_EQ(star.kept, 1U);
  EXPECT_EQ(star.order, (Order{2, 1, 0, 3}));
  // b and c repeat each other, and a correlates with both alike: b, the better, joins a; then c
  // joins b, to which it is nearer. So c stays.
  const Vector y = {1, 0, 5, 5, 4};
  const Elimination chain = eliminate(columns({x, y, y}), {0, 2, 1});
  EXPECT_EQ(chain.order, (Order{0, 1, 2}));
  EXPECT_EQ(chain.kept, 2U);
}

// Sums of four of 15 orthogonal features of 16 points: correlations are quarters, without rounding.
std::vector<Point> quarter_sums(const std::vector<std::vector<unsigned>>& sums) {
  std::vector<Vector> features;
  for (const std::vector<unsigned>& parts : sums) {
    Vector feature(16, 0);
    for (unsigned i = 0; i < 16; ++i) {
      for (const unsigned part : parts) feature[i] += __builtin_parity(i & part) == 0 ? 1 : -1;
    }
    features.push_back(feature);
  }
  return columns(features);
}

// 4 is as near to 1 as to 3, which joined the tree before: 1, which ranks better, has it. 1 and 2
// go with 0, so 4 stays, as 3 does.
TEST(RedundancyTree, EqualEdgesGoToTheBestRankedInside) {
  const std::vector<Point> points =
      quarter_sums({{1, 2, 3, 4}, {1, 2, 7, 8}, {2, 3, 4, 5}, {3, 4, 5, 6}, {5, 6, 7, 8}});
  const Elimination result = eliminate(points, {0, 1, 2, 3, 4});
  EXPECT_EQ(result.order, (Order{0, 3, 4, 1, 2}));
  EXPECT_EQ(result.kept, 3U);
}

// Copies with a little noise, some upside down, of which 1 - rho^2 is about 1e-5.
TEST(RedundancyTree, TellsCloseCopiesApart) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    Random random(seed);
    std::vector<Point> points(30);
    for (Point& point : points) {
      const double source = 2 * static_cast<double>(random.uniform()) - 1;
      for (int r = 0; r < 9; ++r) {
        const double value = source + 0.006 * static_cast<double>(random.uniform());
        point.x.push_back(static_cast<double>(static_cast<Real>(r % 2 == 0 ? value : -value)));
      }
    }
    const Order order = shuffled(seed, 9);
    EXPECT_EQ(eliminate(points, order).order, eliminated(points, order, 9, 0).order) << seed;
  }
}

// Unrelated features weigh 0, and 0 is not below 0: the best alone stays, unless min_mi spares
// them.
TEST(RedundancyTree, UnrelatedFeaturesNeedAMinimum) {
  const std::vector<Point> points =
      columns({{1, 1, -1, -1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {5, 5, 5, 5}});
  const Order order = {1, 0, 2, 3};
  EXPECT_EQ(eliminate(points, order).kept, 1U);
  EXPECT_EQ(eliminate(points, order, 200, 1e-9).kept, 4U);
  EXPECT_EQ(eliminate(points, order, 200, 1e-9).order, order);
}

// 1 - rho^2 is at least 1e-6: I at most 6.9.
TEST(RedundancyTree, MutualInformationHasAMost) {
  const std::vector<Point> points = columns({{1, 2, 4}, {1, 2, 4}});
  EXPECT_EQ(eliminate(points, {0, 1}, 200, 6.9).kept, 1U);
  EXPECT_EQ(eliminate(points, {0, 1}, 200, 6.92).kept, 2U);
}

// Deviations whose squares overflow say nothing of a correlation, and do no harm.
TEST(RedundancyTree, OverflowIsUnrelated) {
  const double huge = sizeof(Real) == 4 ? 3e38 : 1e308;
  const std::vector<Point> points =
      columns({{huge, -huge, 0, huge}, {1, 2, 4, 3}, {1, 2, 4, 3}, {huge, -huge, 0, huge}});
  const Elimination result = eliminate(points, {1, 0, 2, 3}, 200, 0.01);
  EXPECT_EQ(result.order, (Order{1, 0, 3, 2}));
  EXPECT_EQ(result.kept, 3U);
}

}  // namespace
}  // namespace whittle::testing
