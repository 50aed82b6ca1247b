// L2GFS: constrained k-means with a weight per cluster and feature; the score is what the weights
// say over all clusters. Larger is better.
//
// One cluster per class. A pass assigns the held points, oldest first, each to the nearest cluster
// (distance sum_j w_qj^beta (x_j - c_qj)^2) that breaks no constraint with the points assigned
// before it - must-link: all of its class, cannot-link: none of another; none feasible: the fewest
// broken, counted as violations - then moves centroids to the means (4.27) and weighs the features
// by their dispersions in each cluster (4.28). Passes go on until no assignment changes, at most
// max_iter. Start: centroids at the class means, equal weights; or, with seed > 0, random points
// and random weights. An empty cluster keeps its centroid and weights. Source: [T] Algorithm 14,
// (4.26)-(4.28), (4.37); beta = -0.1 (docs/methods.md).
//
// Score, by relevance: weight, mean over clusters of w_qj; effective, mean over clusters of
// w_qj^beta with floored dispersions; auto: effective when the scaling is zscore, else weight.
//
// Class E3. observe() assigns the sample and updates its cluster's moments, O(K (m + K)) and 3 K m
// pow, whether or not the sample is held: scores are usable at once. refine() then starts anew from
// the class means of the held points, so that when it has finished the result is the batch solution
// on them, whatever came before; one iteration is one pass, O(n K (m + K)) and 3 K m pow, and may
// be the last for a while.
//
// Memory: held points, WeightedClusters, K^2 + 4 m + N words. Misleads when clusters are not
// classes. Errors of score: failed_precondition with fewer than two classes, or when distances
// overflow.
#ifndef WHITTLE_SELECT_L2GFS_H_
#define WHITTLE_SELECT_L2GFS_H_

#include "whittle/select/selector.h"
#include "whittle/select/solve/weighted_clusters.h"

namespace whittle {

inline constexpr ParamSpec kL2gfsParams[] = {
    {"beta", "exponent of the feature weights, not 1", ParamKind::real, Real(-0.1), -10, 10,
     nullptr},
    {"relevance", "score: the weights, or their effect on the distance; auto: by the scaling",
     ParamKind::choice, 0, 0, 2, "auto|weight|effective"},
    {"max_iter", "passes over the held points at most", ParamKind::integer, 200, 1, 100000,
     nullptr},
    {"seed", "0: start at the class means; else a random start", ParamKind::integer, 0, 0, 16777215,
     nullptr}};

class L2gfs final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    const std::size_t k = memory.classes;
    return ByteCount{}
        .object<L2gfs>()
        .bytes(WeightedClusters::required_bytes(memory))
        .array<std::uint32_t>(k, k)
        .array<Real>(memory.features)
        .array<std::uint32_t>(memory.capacity())
        .bytes(FilledPoints::required_bytes(memory.features))
        .total();
  }
  static Status create(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                       Selector** selector);

  L2gfs(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  void observe(const Observation& seen) override;
  void held_changed() override { started_ = false; }
  Refinement refine(std::uint32_t max_iterations) override;
  Status score(Span<Real> scores, InfoList* info) override;
  void digest(Digest& digest) const override;

  // Cluster (= class number) of a held point; kNoCluster if it has none yet.
  std::uint32_t membership(Slot slot) const { return memberships_[slot]; }
  // The weight w_qj of a feature in a cluster.
  Real weight(std::uint32_t cluster, std::size_t feature) const {
    return clusters_.weight(cluster, feature);
  }

 private:
  std::uint32_t broken_constraints(std::uint32_t label, std::uint32_t cluster) const;
  std::uint32_t choose_cluster(const Real* x, std::uint32_t label, std::uint32_t* broken) const;
  void count_member(std::uint32_t label, std::uint32_t cluster);
  void start();
  void found_at_class_means();
  void found_at_random();
  bool assign_all();
  bool effective() const;
  Real relevance(std::size_t feature) const;
  void report(InfoList& info) const;

  const StreamMemory& memory_;
  Real beta_;
  std::uint32_t relevance_;
  std::uint32_t max_iterations_;
  std::uint32_t seed_;

  WeightedClusters clusters_;          // one per class; of a class not seen: does not exist
  Span<std::uint32_t> class_members_;  // C x K: members with a label
  Span<Real> scaled_;                  // m: a sample that is not held
  Span<std::uint32_t> memberships_;    // N, by slot
  FilledPoints filled_;
  std::uint32_t iterations_ = 0;
  std::uint32_t violations_ = 0;
  bool started_ = false;    // refine has started on the points now held
  bool converged_ = false;  // and no assignment changes any more
};

inline constexpr SelectorType kL2gfs = {
    "l2gfs",
    "constrained k-means, features weighted in each cluster; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kL2gfsParams,
    L2gfs::configure,
    L2gfs::required_bytes,
    L2gfs::create};

}  // namespace whittle

#endif  // WHITTLE_SELECT_L2GFS_H_
