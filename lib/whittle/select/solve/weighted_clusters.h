// WeightedClusters: k-means clusters whose distance weighs each feature in each cluster.
//
// Holds, per cluster q and feature j, the centroid c_qj, the dispersion D_qj = sum over members of
// (x_j - c_qj)^2, the weight w_qj (see dispersion_weights.h) and the factor w_qj^beta of the
// distance sum_j w_qj^beta (x_j - c_qj)^2. Clusters can be measured from the held points and their
// memberships or fed one point at a time.
//
// Memory: Centroids, 3 K m Reals, 16 K Reals of scratch, K words.
#ifndef WHITTLE_SELECT_SOLVE_WEIGHTED_CLUSTERS_H_
#define WHITTLE_SELECT_SOLVE_WEIGHTED_CLUSTERS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/lanes.h"
#include "whittle/base/random.h"
#include "whittle/select/solve/centroids.h"

namespace whittle {

inline constexpr std::uint32_t kNoCluster = kUnlabelled;

class WeightedClusters : public Centroids {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory) {
    const std::size_t k = memory.classes;
    return ByteCount{}
        .bytes(Centroids::required_bytes(memory))
        .array<Real>(k, 3 * std::size_t{memory.features})
        .array<CompensatedSum>(k, kLanes)
        .array<std::uint32_t>(k)
        .total();
  }
  void place(Arena& arena, const MemoryConfig& memory, Real beta);

  // As in Centroids; a cluster that is founded has no member.
  void clear(const Real* x);
  void found(std::uint32_t q, const Real* x);

  // Adds one point to a cluster's moments and weighs all features anew. Cost O(m K),
  // 3 m K of it pow.
  void take(std::uint32_t q, const Real* x);

  // Centroids at the means of the members (memberships by slot, kNoCluster allowed); an empty
  // cluster keeps its own. Cost O(n m).
  void move_centroids(const FilledPoints& points, const std::uint32_t* memberships);
  // Dispersions about the centroids, then weights and factors; an empty cluster keeps its own.
  // Every held point must have a cluster. Cost O(n m + K m pow).
  void measure_dispersions(const FilledPoints& points, const std::uint32_t* memberships);
  // The same weight for every feature that is not constant; or random weights.
  void weigh_equally();
  void weigh_at_random(Random& random);

  Real distance(std::uint32_t q, const Real* x) const;
  Real weight(std::uint32_t q, std::size_t j) const { return weights_[q * features_ + j]; }
  Real factor(std::uint32_t q, std::size_t j) const { return factors_[q * features_ + j]; }

  Real objective() const;  // sum over clusters and features of w^beta D: (4.24)
  // Smallest squared distance between centroids over the mean squared distance of a point to its
  // centroid, unweighted.
  Real separation() const;

  void digest(Digest& digest) const;

 private:
  Real* dispersion(std::uint32_t q) const { return dispersions_.data() + q * features_; }
  void halve();
  void weigh(std::uint32_t q);
  void spreads_from_clusters();

  Real beta_ = 0;
  Span<Real> dispersions_;       // K x m
  Span<Real> weights_;           // K x m
  Span<Real> factors_;           // K x m
  Span<CompensatedSum> sums_;    // K x 8
  Span<std::uint32_t> members_;  // K
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_WEIGHTED_CLUSTERS_H_
