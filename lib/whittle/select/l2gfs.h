// L2GFS: constrained k-means with a weight per cluster and feature; the score is what the weights
// say over all clusters. Larger is better.
//
// One cluster per class, passes of HardClustering (hard_clustering.h) until no assignment changes,
// at most max_iter. Start: centroids at the class means, equal weights; or, with seed > 0, random
// points and random weights. Source: [T] Algorithm 14, (4.26)-(4.28), (4.37); beta = -0.1
// (docs/methods.md). Explicit pairs do not count, as in the thesis.
//
// Score, by relevance: weight, mean over clusters of w_qj; effective, mean over clusters of
// w_qj^beta with dispersions floored at 1e-12 n var_j; auto: effective when the scaling is zscore,
// else weight. memberships(): 1 for the cluster of the point (cluster c starts as class c, unless
// seed > 0), else 0.
//
// Class E3, see clustering_selector.h: once refine has finished, the result is the batch result on
// the held points, whatever came before. observe: O(K (m + K)) and 3 K m pow, whether or not the
// sample is held. One iteration of refine is one pass, O(n K (m + K)) and 3 K m pow, and may be the
// last for a while.
//
// Single precision: assignments are those of the batch algorithm in double precision but for points
// as near to two clusters as rounding, about 1e-6 of the distance; there passes may part.
//
// Memory: held points, 2 HardClusterings, 4 m Reals. Misleads when clusters are not classes. Errors
// of score: failed_precondition with fewer than two classes, or when distances overflow; of
// memberships: failed_precondition, no point in the slot or no class seen yet.
#ifndef WHITTLE_SELECT_L2GFS_H_
#define WHITTLE_SELECT_L2GFS_H_

#include "whittle/select/clustering_selector.h"
#include "whittle/select/model_answers.h"
#include "whittle/select/solve/hard_clustering.h"

namespace whittle {

class L2gfs final : public ClusteringSelector<HardClustering> {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<L2gfs>().bytes(bytes_beside_object(memory)).total();
  }
  static Status create(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                       Selector** selector) {
    return create_derived<L2gfs>(arena, memory, values, selector);
  }

  L2gfs(Arena& arena, const StreamMemory& memory, const ParamValues& values)
      : ClusteringSelector(arena, memory, values, "l2gfs needs labelled samples of two classes") {}

  Status memberships(Slot slot, Span<Real> degrees) const override;
};

inline constexpr SelectorType kL2gfs = {
    "l2gfs",
    "constrained k-means, features weighted in each cluster; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kClusteringParams,
    L2gfs::configure,
    L2gfs::required_bytes,
    L2gfs::create,
    &kClusters};

}  // namespace whittle

#endif  // WHITTLE_SELECT_L2GFS_H_
