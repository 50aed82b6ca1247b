// Agglomerative clustering against merging from centroids, its ties, and the choice of K.
#include "whittle/select/solve/ward_clustering.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/shared/csfs_reference.h"

namespace whittle::testing {
namespace {

struct Partition {
  Status status;
  std::vector<std::size_t> clusters;  // by point: the oldest point of its cluster
  std::size_t count = 0;
};

Partition partition(const PlacedPoints& held) {
  const std::size_t bytes = WardClustering::required_bytes(held.config());
  std::vector<std::uint64_t> buffer(bytes / sizeof(std::uint64_t) + 1);
  Arena arena(buffer.data(), bytes);
  WardClustering ward;
  ward.place(arena, held.config());
  EXPECT_EQ(arena.left(), 0U);
  Partition result;
  for (int round = 0; round < 2; ++round) {  // what one leaves behind must not matter to the next
    result.status = ward.partition(held.points(), held.filled());
  }
  if (!result.status.ok()) return result;
  for (std::size_t i = 0; i < held.points().size(); ++i) {
    std::size_t oldest = 0;
    while (ward.cluster(held.slot(oldest)) != ward.cluster(held.slot(i))) ++oldest;
    result.clusters.push_back(oldest);
  }
  result.count = ward.clusters();
  const std::set<std::size_t> distinct(result.clusters.begin(), result.clusters.end());
  EXPECT_EQ(distinct.size(), result.count);
  return result;
}

TEST(WardClustering, EqualsMergingFromCentroids) {
  std::set<std::size_t> counts;
  for (std::size_t seed = 1; seed < 40; seed += every(7)) {
    CloudShape shape;
    shape.seed = seed;
    shape.points = 1 + seed;
    shape.features = 1 + seed % 11;
    shape.groups = 1 + seed % 6;
    shape.apart = static_cast<double>(seed % 3) * 3;
    shape.repeated = seed % 4 == 0 ? 0.3 : 0;
    shape.missing = seed % 5 == 0 ? 0.2 : 0;
    const std::vector<Point> points = make_cloud(shape);
    const Partition result = partition(PlacedPoints(points));
    ASSERT_TRUE(result.status.ok());
    ASSERT_EQ(result.clusters, ward_clusters(filled_vectors(points))) << seed;
    counts.insert(result.count);
  }
  EXPECT_GT(counts.size(), 3U);
}

TEST(WardClustering, LargeOffsetsCostNoDigits) {
  for (std::uint64_t seed = 1; seed < 8; ++seed) {
    StreamShape shape;
    shape.seed = seed;
    shape.classes = 3;
    const std::vector<Point> points = points_of(held_after(make_stream(shape), 16, 20, 3));
    std::vector<Point> moved = points;
    for (Point& point : moved) {
      for (double& value : point.x) value += 16384;  // exact on the grid of the stream
    }
    EXPECT_EQ(partition(PlacedPoints(moved)).clusters, partition(PlacedPoints(points)).clusters);
  }
}

TEST(WardClustering, FewPoints) {
  const Partition one = partition(PlacedPoints({{{1, 2}, -1}}));
  EXPECT_EQ(one.count, 1U);
  EXPECT_EQ(one.clusters, (std::vector<std::size_t>{0}));
  const Partition two = partition(PlacedPoints({{{1, 2}, -1}, {{1, 2}, -1}}));
  EXPECT_EQ(two.clusters, (std::vector<std::size_t>{0, 1}));
  const Partition three = partition(PlacedPoints({{{1}, -1}, {{5}, -1}, {{2}, -1}}));
  EXPECT_EQ(three.clusters, (std::vector<std::size_t>{0, 1, 0}));
}

// Up to 8 points, K = 2 is all there is.
TEST(WardClustering, EqualHeightsMergeTheOlderFirst) {
  using Clusters = std::vector<std::size_t>;
  // Point 2 lies in the middle: it joins the older.
  EXPECT_EQ(partition(PlacedPoints({{{0}, -1}, {{2}, -1}, {{1}, -1}})).clusters,
            (Clusters{0, 1, 0}));
  // Point 0 does: the older joins it.
  EXPECT_EQ(partition(PlacedPoints({{{1}, -1}, {{2}, -1}, {{0}, -1}})).clusters,
            (Clusters{0, 0, 2}));
  // A square, whose oldest point takes the older of its neighbours; the other two are left.
  EXPECT_EQ(
      partition(PlacedPoints({{{0, 0}, -1}, {{1, 1}, -1}, {{1, 0}, -1}, {{0, 1}, -1}})).clusters,
      (Clusters{0, 1, 0, 1}));
  EXPECT_EQ(
      partition(PlacedPoints({{{0, 0}, -1}, {{1, 0}, -1}, {{1, 1}, -1}, {{0, 1}, -1}})).clusters,
      (Clusters{0, 0, 2, 2}));
  // Clusters tie like points: after 1-2 and 3-4, point 0 is as far from both, and joins the older.
  EXPECT_EQ(
      partition(PlacedPoints({{{0}, -1}, {{8}, -1}, {{9}, -1}, {{-8}, -1}, {{-9}, -1}})).clusters,
      (Clusters{0, 0, 0, 3, 3}));
  // Once 0 and 3 are one, that is as far from 2 as 1 is, which was the nearest: 4/3 3 = 4.
  EXPECT_EQ(
      partition(
          PlacedPoints({{{-0.5, 0, 0}, -1}, {{3, 1, 1}, -1}, {{1, 1, 1}, -1}, {{0.5, 0, 0}, -1}}))
          .clusters,
      (Clusters{0, 1, 0, 0}));
}

TEST(WardClustering, ChoosesTheSmallestDaviesBouldinIndex) {
  // Three tight groups of three: K = 3.
  std::vector<Point> groups;
  for (int i = 0; i < 9; ++i) {
    groups.push_back({{static_cast<double>(100 * (i % 3) + i / 3)}, -1});
  }
  const Partition three = partition(PlacedPoints(groups));
  EXPECT_EQ(three.count, 3U);
  EXPECT_EQ(three.clusters, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
  const std::vector<Vector> x = filled_vectors(groups);
  EXPECT_LT(davies_bouldin(x, ward_clusters(x, 3)), davies_bouldin(x, ward_clusters(x, 2)));
}

// Nine points in two places: K = 3 would give two clusters the same centroid.
TEST(WardClustering, CoincidentCentroidsAreNotChosen) {
  std::vector<Point> places(9, Point{{3, 1}, -1});
  places[4].x = {8, 2};
  const Partition result = partition(PlacedPoints(places));
  EXPECT_EQ(result.count, 2U);
  EXPECT_EQ(result.clusters, (std::vector<std::size_t>{0, 0, 0, 0, 4, 0, 0, 0, 0}));
  // In one place: every index is infinite, the smallest K stays.
  EXPECT_EQ(partition(PlacedPoints(std::vector<Point>(16, Point{{3, 1}, -1}))).count, 2U);
}

TEST(WardClustering, DistancesThatOverflowAreAnError) {
  const double far = sizeof(Real) == 4 ? 1e19 : 1e154;
  const Partition result = partition(PlacedPoints({{{far}, -1}, {{-far}, -1}, {{0}, -1}}));
  EXPECT_EQ(result.status.code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
