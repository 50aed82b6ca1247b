// FuzzyClusters: clusters to which points belong by degrees a_iq, with one weight per feature.
//
// Holds the centroids c_q = sum_i a_iq^2 x_i / sum_i a_iq^2 (4.9), the dispersion of each feature
// D_j = sum over clusters and points of a_iq^2 (x_ij - c_qj)^2, its weight w_j (4.23) (see
// dispersion_weights.h) and the factor w_j^beta of the distance sum_j w_j^beta (x_j - c_qj)^2.
// Can be measured from the held points and their degrees (K per slot) or fed one point at a time.
//
// Memory: Centroids, 3 m + K Reals, 16 K Reals of scratch.
#ifndef WHITTLE_SELECT_SOLVE_FUZZY_CLUSTERS_H_
#define WHITTLE_SELECT_SOLVE_FUZZY_CLUSTERS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/lanes.h"
#include "whittle/base/random.h"
#include "whittle/select/solve/centroids.h"

namespace whittle {

class FuzzyClusters : public Centroids {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory) {
    return ByteCount{}
        .bytes(Centroids::required_bytes(memory))
        .array<Real>(3, memory.features)
        .array<Real>(memory.classes)
        .array<CompensatedSum>(memory.classes, kLanes)
        .total();
  }
  void place(Arena& arena, const MemoryConfig& memory, Real beta);

  // As in Centroids; nothing belongs to the clusters yet.
  void clear(const Real* x);

  // Adds one point to the moments and weighs the features anew. Cost O(m K), 3 m of it pow.
  void take(const Real* x, const Real* degrees);

  // A cluster to which nothing belongs keeps its centroid. Cost O(n m K).
  void move_centroids(const FilledPoints& points, const Real* degrees);
  // Dispersions about the centroids. Cost O(n m K).
  void measure_dispersions(const FilledPoints& points, const Real* degrees);
  // Weights and factors from the dispersions. Cost O(m), 3 m of it pow.
  void weigh();
  // The same weight for every feature that is not constant; or random weights.
  void weigh_equally();
  void weigh_at_random(Random& random);

  // To each of the K clusters; kInfinity where there is none, less than that where there is one.
  void measure_distances(const Real* x, Real* distances) const;
  Real weight(std::size_t j) const { return weights_[j]; }
  Real factor(std::size_t j) const { return factors_[j]; }

  Real objective() const;  // sum of w^beta D: the first term of (4.4)
  // Smallest squared distance between centroids over the mean, weighted by a^2, of the squared
  // distance of points to centroids; features unweighted.
  Real separation() const;
  // Whether all centroids lie so close together that they tell features apart by no more than
  // rounding: the dispersions between clusters are below 16 units in the last place of those
  // within.
  bool merged_to_rounding() const;

  void digest(Digest& digest) const;

 private:
  void halve();
  void spreads_from_clusters();
  Real dispersion_between(std::size_t j) const;

  Real beta_ = 0;
  Span<Real> dispersions_;     // m
  Span<Real> weights_;         // m
  Span<Real> factors_;         // m
  Span<Real> masses_;          // K: sum of a^2
  Span<CompensatedSum> sums_;  // K x 8
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_FUZZY_CLUSTERS_H_
