// HardClustering: constrained k-means with feature weights in each cluster, one cluster per class;
// what l2gfs iterates. Source: [T] Algorithm 14, (4.24)-(4.28).
//
// A pass assigns the held points, oldest first, each to the nearest cluster that breaks no
// constraint with the points assigned before it - must-link: all of its class, cannot-link: none of
// another; none feasible: the fewest broken, counted as violations (4.26) - then moves centroids to
// the means (4.27) and weighs the features by their dispersions in each cluster (4.28). It has
// converged when no assignment changes. A cold start puts the centroids at the class means of the
// labelled points and weighs the features equally, or takes random points and weights. A warm start
// goes on from where the clusters are. An empty cluster keeps its centroid and weights.
//
// Cost of a pass: O(n K (m + K)) and 3 K m pow. Memory: WeightedClusters, K^2 + N words.
#ifndef WHITTLE_SELECT_SOLVE_HARD_CLUSTERING_H_
#define WHITTLE_SELECT_SOLVE_HARD_CLUSTERING_H_

#include <cstddef>
#include <cstdint>

#include "whittle/select/info.h"
#include "whittle/select/solve/weighted_clusters.h"

namespace whittle {

class HardClustering {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory) {
    return ByteCount{}
        .bytes(WeightedClusters::required_bytes(memory))
        .array<std::uint32_t>(memory.classes, memory.classes)
        .array<std::uint32_t>(memory.capacity())
        .total();
  }
  void place(Arena& arena, const MemoryConfig& memory, Real beta);

  // Forgets everything.
  void clear(const HeldPoints& points);
  // Assigns one sample and updates its cluster's moments; the first sample of a class founds its
  // cluster. No sample is kept. Cost O(K (m + K)), 3 K m of it pow. `slot`: kNoSlot if it is not
  // held.
  void take(const Real* x, std::uint32_t label, Slot slot);

  // Over the held points, of at least two classes. start_warm is false, and does nothing, if there
  // is nothing to go on from.
  bool start_warm(const FilledPoints& points);
  void start_cold(const FilledPoints& points, std::uint32_t seed);
  void pass(const FilledPoints& points);
  bool converged() const { return converged_; }
  std::uint32_t passes() const { return passes_; }  // since the start
  // The share of the points whose assignment changed in the last pass; 1 before there are two to
  // tell it from.
  Real residual() const { return residual_; }

  const WeightedClusters& clusters() const { return clusters_; }
  Real objective() const { return clusters_.objective(); }  // (4.24)
  void report_violations(InfoList& info) const { info.integer("violations", violations_); }
  // Of feature j: its weight, or its factor in the distance, mean over the clusters.
  Real relevance(std::size_t j, bool effective) const;
  // Of a held point; kNoCluster if it has none yet.
  std::uint32_t membership(Slot slot) const { return memberships_[slot]; }

  void digest(const HeldPoints& points, Digest& digest) const;

 private:
  std::uint32_t broken_constraints(std::uint32_t label, std::uint32_t cluster) const;
  std::uint32_t choose_cluster(const Real* x, std::uint32_t label, std::uint32_t* broken) const;
  void count_member(std::uint32_t label, std::uint32_t cluster);
  void place_at_class_means(const FilledPoints& points);
  std::uint32_t assign_all(const FilledPoints& points);

  WeightedClusters clusters_;          // one per class; of a class not seen: does not exist
  Span<std::uint32_t> class_members_;  // K x K: members with a label, by class and cluster
  Span<std::uint32_t> memberships_;    // N, by slot
  std::uint32_t violations_ = 0;
  Real residual_ = 1;
  std::uint32_t passes_ = 0;
  bool converged_ = false;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_HARD_CLUSTERING_H_
