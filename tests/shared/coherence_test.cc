// Constraint selection ([T] Algorithm 9) against projected vectors, and which pairs enter it.
#include "whittle/select/solve/coherence.h"

#include <gtest/gtest.h>

#include "tests/shared/csfs_reference.h"

namespace whittle::testing {
namespace {

PlacedPairs placed(const PlacedPoints& held, const PairList& list) {
  PlacedPairs pairs;
  for (const PointPair& pair : list) {
    pairs.push_back({held.place_of(pair.newer), held.place_of(pair.older)});
  }
  return pairs;
}

struct Selection {
  Coherent entered;
  Coherent kept;
  std::size_t bytes_left = 0;
};

Selection select(const PlacedPoints& held, std::size_t limit) {
  const std::size_t bytes = ConstraintPairs::required_bytes(held.config(), limit) +
                            Coherence::required_bytes(held.config(), limit);
  std::vector<std::uint64_t> buffer(bytes / sizeof(std::uint64_t) + 1);
  Arena arena(buffer.data(), bytes);
  ConstraintPairs pairs;
  Coherence coherence;
  pairs.place(arena, held.config(), limit);
  coherence.place(arena, held.config(), limit);
  Selection result;
  result.bytes_left = arena.left();
  // Twice: what a selection leaves behind must not matter to the next.
  for (int round = 0; round < 2; ++round) {
    pairs.collect(held.points(), held.constraints());
    result.entered = {placed(held, pairs.must_link()), placed(held, pairs.cannot_link())};
    coherence.select(held.points(), held.filled(), pairs.must_link(), pairs.cannot_link());
  }
  result.kept = {placed(held, pairs.must_link()), placed(held, pairs.cannot_link())};
  return result;
}

std::vector<CloudShape> clouds() {
  std::vector<CloudShape> all(10);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].seed = i + 1;
  all[1].apart = 0;
  all[2].apart = 60;  // few overlaps, and short segments far from each other
  all[3].features = 1;
  all[4].features = 33;
  all[5].repeated = 0.4;  // pairs of no length, ends that coincide
  all[6].offset = 8192;
  all[7].missing = 0.3;
  all[8].groups = 6;
  all[8].labelled = 1;
  all[9].groups = 2;
  all[9].features = 2;
  all[9].labelled = 1;
  all[9].repeated = 0.2;
  all[9].apart = 60;
  return all;
}

TEST(Coherence, KeepsWhatProjectedVectorsKeep) {
  std::size_t dropped = 0;
  for (CloudShape shape : clouds()) {
    for (; shape.seed < 100; shape.seed += 20 * every(4)) {
      const std::vector<Point> points = make_cloud(shape);
      const PlacedPoints held(points);
      for (const std::size_t limit : {2000U, 15U, 1U}) {
        const Coherent entered = {newest_pairs(points, true, limit),
                                  newest_pairs(points, false, limit)};
        const Coherent expected = coherent_pairs(filled_vectors(points), entered);
        const Selection selection = select(held, limit);
        EXPECT_EQ(selection.bytes_left, 0U);
        ASSERT_EQ(selection.entered.must_link, entered.must_link) << shape.seed;
        ASSERT_EQ(selection.entered.cannot_link, entered.cannot_link) << shape.seed;
        ASSERT_EQ(selection.kept.must_link, expected.must_link) << shape.seed << " " << limit;
        ASSERT_EQ(selection.kept.cannot_link, expected.cannot_link) << shape.seed << " " << limit;
        dropped += entered.must_link.size() - expected.must_link.size();
      }
    }
  }
  EXPECT_GT(dropped, 100U / every(4));
}

// An offset that the values carry exactly, so that the points are the same but for it.
TEST(Coherence, OffsetChangesNothing) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    StreamShape shape;
    shape.seed = seed;
    shape.labelled = Real(0.6);
    const std::vector<Point> points = points_of(held_after(make_stream(shape), 24, 24, 2));
    std::vector<Point> moved = points;
    for (Point& point : moved) {
      for (double& value : point.x) value += 16384;
    }
    const Selection plain = select(PlacedPoints(points), 2000);
    const Selection shifted = select(PlacedPoints(moved), 2000);
    EXPECT_EQ(plain.kept.must_link, shifted.kept.must_link);
    EXPECT_EQ(plain.kept.cannot_link, shifted.kept.cannot_link);
  }
}

TEST(Coherence, OneTypeAbsentKeepsAll) {
  CloudShape shape;
  shape.groups = 1;
  shape.labelled = 1;
  shape.points = 6;
  const Selection one_class = select(PlacedPoints(make_cloud(shape)), 2000);
  EXPECT_EQ(one_class.kept.must_link.size(), 15U);
  EXPECT_TRUE(one_class.kept.cannot_link.empty());

  const std::vector<Point> apart = {{{0, 1}, 0}, {{1, 3}, 1}, {{5, 2}, 2}};
  const Selection no_must_link = select(PlacedPoints(apart), 2000);
  EXPECT_TRUE(no_must_link.kept.must_link.empty());
  EXPECT_EQ(no_must_link.kept.cannot_link, (PlacedPairs{{2, 1}, {2, 0}, {1, 0}}));

  const Selection nothing = select(PlacedPoints({{{1, 2}, -1}, {{3, 4}, -1}}), 2000);
  EXPECT_TRUE(nothing.entered.must_link.empty());
  EXPECT_TRUE(nothing.entered.cannot_link.empty());
}

TEST(Coherence, EqualSharesStay) {
  // ML (0, 0)-(0, 2); CL from each of its ends along x: they touch its line in one point.
  const std::vector<Point> points = {{{0, 0}, 0}, {{0, 2}, 0}, {{3, 0}, 1}};
  const Selection selection = select(PlacedPoints(points), 2000);
  // The CL pair (0, 2)-(3, 0) projects onto the whole ML pair, (0, 0)-(3, 0) onto a point of it.
  EXPECT_EQ(selection.kept.must_link, (PlacedPairs{{1, 0}}));
  EXPECT_EQ(selection.kept.cannot_link, (PlacedPairs{{2, 0}}));
}

// Up to 1e-6 of the length of the segment it falls on, an overlap counts as none.
TEST(Coherence, OverlapsThatOnlyRoundingMakesAreNone) {
  // The CL pair 3-2 stands on the middle of the ML pair, leaning by less than that or by more; 5-4
  // is clear of it, so that not all shares are zero.
  for (const bool rounding : {true, false}) {
    const double lean = rounding ? 0x1p-22 : 0x1p-18;
    const std::vector<Point> points = {{{-1, 0}, 0},   {{1, 0}, 0},  {{0, 0}, 1},
                                       {{lean, 4}, 2}, {{20, 0}, 3}, {{21, 0}, 4}};
    const PlacedPoints held(points);
    const PlacedPairs kept = select(held, 2000).kept.cannot_link;
    const Coherent all = {newest_pairs(points, true, 2000), newest_pairs(points, false, 2000)};
    EXPECT_EQ(kept, coherent_pairs(filled_vectors(points), all).cannot_link);
    EXPECT_EQ(std::count(kept.begin(), kept.end(), PlacedPair{3, 2}), rounding ? 1 : 0);
  }
}

TEST(Coherence, TheNewestPairsEnter) {
  std::vector<Point> points;
  for (int i = 0; i < 6; ++i) points.push_back({{static_cast<double>(i * i % 5)}, i % 2});
  const Selection selection = select(PlacedPoints(points), 4);
  EXPECT_EQ(selection.entered.must_link, (PlacedPairs{{5, 3}, {5, 1}, {4, 2}, {4, 0}}));
  EXPECT_EQ(selection.entered.cannot_link, (PlacedPairs{{5, 4}, {5, 2}, {5, 0}, {4, 3}}));
}

TEST(Coherence, ExplicitPairsEnterWithTheirClosure) {
  // 1 must link with class 0, 3 cannot link with 1; 4 and 5 are in a pair of their own.
  const std::vector<Point> points = {{{0, 0}, 0},  {{1, 0}, -1}, {{4, 1}, 1},
                                     {{2, 5}, -1}, {{7, 1}, -1}, {{8, 2}, -1}};
  const PlacedPoints held(points, {{1, 0}, {5, 4}}, {{3, 1}});
  const Selection selection = select(held, 2000);
  EXPECT_EQ(selection.entered.must_link, (PlacedPairs{{5, 4}, {1, 0}}));
  EXPECT_EQ(selection.entered.cannot_link, (PlacedPairs{{3, 1}, {3, 0}, {2, 1}, {2, 0}}));
  const Coherent expected = coherent_pairs(filled_vectors(points), selection.entered);
  EXPECT_EQ(selection.kept.must_link, expected.must_link);
  EXPECT_EQ(selection.kept.cannot_link, expected.cannot_link);
}

TEST(Coherence, PairListFindsPairsInEitherOrder) {
  CloudShape shape;
  shape.labelled = 0.7;
  const std::vector<Point> points = make_cloud(shape);
  const PlacedPoints held(points);
  ConstraintPairs pairs;
  std::vector<std::uint64_t> buffer(1024);
  Arena arena(buffer.data(), buffer.size() * sizeof(std::uint64_t));
  pairs.place(arena, held.config(), 20);
  pairs.collect(held.points(), held.constraints());
  for (const bool must : {true, false}) {
    const PlacedPairs expected = newest_pairs(points, must, 20);
    const PairList& list = must ? pairs.must_link() : pairs.cannot_link();
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool listed = std::count(expected.begin(), expected.end(), PlacedPair{i, j}) == 1;
        EXPECT_EQ(list.contains(held.points(), held.slot(i), held.slot(j)), listed);
        EXPECT_EQ(list.contains(held.points(), held.slot(j), held.slot(i)), listed);
      }
    }
  }
}

}  // namespace
}  // namespace whittle::testing
