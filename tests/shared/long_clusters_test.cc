// Clusters that are fed more points than a float can count one by one.
#include <gtest/gtest.h>

#include <vector>

#include "whittle/memory/stream_memory.h"
#include "whittle/select/solve/fuzzy_clusters.h"
#include "whittle/select/solve/hard_clustering.h"
#include "whittle/select/solve/soft_constraints.h"

namespace whittle::testing {
namespace {

constexpr std::uint32_t kClass = 0;

MemoryConfig two_clusters() {
  MemoryConfig memory;
  memory.features = 1;
  memory.classes = 2;
  return memory;
}

// The most members at -1 and 1, half as many at 3 and 5: as many count of either, the mean is 2.
template <typename Take>
void feed_beyond_the_most(const Take& take) {
  for (std::uint32_t i = 0; i < kMostMembers; ++i) take(i % 2 == 0 ? Real(-1) : Real(1));
  for (std::uint32_t i = 0; i < kMostMembers / 2; ++i) take(i % 2 == 0 ? Real(3) : Real(5));
}

TEST(LongClusters, HardOnesForgetHalf) {
  std::vector<unsigned char> bytes(HardClustering::required_bytes(two_clusters()) + 8);
  Arena arena(bytes.data(), bytes.size());
  HardClustering clustering;
  clustering.place(arena, two_clusters(), Real(-0.1));
  feed_beyond_the_most([&](Real x) { clustering.take(&x, kClass, kNoSlot); });
  const auto distance = [&](Real x) { return clustering.clusters().distance(kClass, &x); };
  EXPECT_LT(distance(2), distance(Real(1.9)));
  EXPECT_LT(distance(2), distance(Real(2.1)));
}

TEST(LongClusters, FuzzyOnesForgetHalf) {
  std::vector<unsigned char> bytes(FuzzyClusters::required_bytes(two_clusters()) + 8);
  Arena arena(bytes.data(), bytes.size());
  FuzzyClusters clusters;
  clusters.place(arena, two_clusters(), Real(-0.1));
  const Real origin = 0;
  const Real degrees[2] = {1, 0};
  clusters.clear(&origin);
  clusters.found(kClass, &origin);
  feed_beyond_the_most([&](Real x) { clusters.take(&x, degrees); });
  const auto distance = [&](Real x) {
    Real distances[2];
    clusters.measure_distances(&x, distances);
    return distances[kClass];
  };
  EXPECT_LT(distance(2), distance(Real(1.9)));
  EXPECT_LT(distance(2), distance(Real(2.1)));
}

TEST(LongClusters, SumsOfDegreesStayBounded) {
  std::vector<unsigned char> bytes(SoftConstraints::required_bytes(two_clusters()) + 8);
  Arena arena(bytes.data(), bytes.size());
  SoftConstraints constraints;
  constraints.place(arena, two_clusters());
  const Real degrees[2] = {1, 0};
  for (std::uint32_t i = 0; i < 2 * kMostMembers; ++i) constraints.add(kClass, degrees);
  Real costs[2];
  constraints.measure_costs(1, costs);  // to be with the other class
  EXPECT_LE(costs[0], static_cast<Real>(kMostMembers));
  EXPECT_GE(costs[0], static_cast<Real>(kMostMembers / 2));
}

}  // namespace
}  // namespace whittle::testing
