// WardClustering: the held points in clusters, as many as suit them.
//
// Agglomerative clustering with Ward linkage: from one cluster per point, the two clusters a, b of
// least height 2 |a| |b| / (|a| + |b|) |centroid_a - centroid_b|^2 become one, again and again; of
// equal heights the one with the older cluster, then with the older partner, a cluster being as old
// as its oldest point. Cut at the K in 2..max(2, floor(sqrt n)) with the smallest Davies-Bouldin
// index, mean over clusters of the worst (s_i + s_j) / |c_i - c_j| with s the mean distance of the
// points to their centroid c; ties: the smallest K; coincident centroids: infinite. Source:
// [T] 3.4.4 (docs/methods.md).
//
// Cost of partition: O(n^2 m) for the distances, O(n^1.5 m) for the indices; heights are updated by
// the formula of Lance and Williams, usually O(n^2), O(n^3) if all clusters lie nearest to one and
// the same each time. Memory: N (N - 1) / 2 Reals, K m + 3 m + K Reals for the largest K, 20 N
// bytes.
#ifndef WHITTLE_SELECT_SOLVE_WARD_CLUSTERING_H_
#define WHITTLE_SELECT_SOLVE_WARD_CLUSTERING_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/status.h"
#include "whittle/memory/feature_sums.h"
#include "whittle/memory/filled_points.h"
#include "whittle/select/solve/packed_triangle.h"

namespace whittle {

class WardClustering {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    const std::size_t n = config.capacity();
    return ByteCount{}
        .bytes(PackedTriangle::required_bytes(n))
        .array<std::uint32_t>(n, 5)
        .array<Real>(max_clusters(n), config.features)
        .array<Real>(max_clusters(n))
        .array<Real>(config.features)
        .bytes(FeatureSums::required_bytes(config.features))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Clusters the points, of which there must be some; `filled` must be up to date.
  // Errors: failed_precondition when the distances overflow; there is no clustering then.
  Status partition(const HeldPoints& points, const FilledPoints& filled);

  std::uint32_t clusters() const { return clusters_; }  // K
  // Of two points, equal if they are in one cluster.
  std::uint32_t cluster(Slot slot) const { return chosen_[slot]; }

 private:
  // Clusters and points go by place in the order of age; a cluster by that of its oldest point.
  using Place = std::uint32_t;

  // max(2, floor(sqrt n))
  static constexpr std::size_t max_clusters(std::size_t n) {
    std::size_t root = 2;
    while ((root + 1) * (root + 1) <= n) ++root;
    return root;
  }
  Status measure_heights(const HeldPoints& points, const FilledPoints& filled);
  void find_nearest_older(std::size_t index);
  void merge_nearest();
  void update_heights(Place kept, Place gone);
  void update_nearest(Place kept, Place gone);
  void measure_clusters(const HeldPoints& points, const FilledPoints& filled);
  Real davies_bouldin() const;
  void choose(const HeldPoints& points);

  std::size_t features_ = 0;
  PackedTriangle heights_;
  Span<Place> active_;            // the clusters, oldest first
  std::size_t active_count_ = 0;  //
  Span<std::uint32_t> sizes_;     // by cluster
  Span<Place> nearest_;           // by cluster: the nearest older one
  Span<Place> owners_;            // by point: its cluster
  Span<std::uint32_t> chosen_;    // by slot: its cluster in the best partition so far
  std::uint32_t clusters_ = 0;    // of that
  Span<Real> centroids_;          // K x m, less the oldest point
  Span<Real> spreads_;            // K: mean distance to the centroid
  Span<Real> deviation_;          // m
  FeatureSums sums_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_WARD_CLUSTERING_H_
