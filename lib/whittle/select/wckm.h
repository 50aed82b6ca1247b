// wCKM: constrained k-means with degrees of membership and one weight per feature, which is the
// score. Larger is better.
//
// One cluster per class. Minimises, by turns over degrees, centroids and weights,
//   sum_q sum_i sum_j a_iq^2 w_j^beta (x_ij - c_qj)^2
//     + sum over ML pairs of sum_{p != q} a_ip a_rq + sum over CL pairs of sum_p a_ip a_rp
// with passes of SoftClustering (soft_clustering.h) until no degree moves by more than 1e-4, at
// most max_iter. Start: centroids at the class means, equal weights; or, with seed > 0, random
// points and random weights. Source: [T] Algorithm 13, (4.4)-(4.23); beta = -0.1 (docs/methods.md).
// The pairs are those that labels imply; explicit pairs do not count, as in the thesis.
//
// Score, by relevance: weight, w_j; effective, w_j^beta with dispersions floored at 1e-12 n var_j;
// auto: effective when the scaling is zscore, else weight. With beta < 0, w is *larger* for a
// feature with a larger dispersion; what shrinks is w^beta. memberships(): the degrees a_i
// (cluster c starts as class c, unless seed > 0).
//
// Class E3, see clustering_selector.h: once refine has finished, the result is the batch result on
// the held points, whatever came before. observe: O(K (m + K)) and 3 m pow, whether or not the
// sample is held. One iteration of refine is one pass, O(n m K + l K^2) and 3 m pow, l labelled
// points.
//
// Single precision: the end point is within about 1e-4 of that in double precision, the size of the
// stopping rule; where a degree moves by just about 1e-4 one of them may make a pass more.
//
// Memory: held points, 2 SoftClusterings, 4 m Reals. Misleads when clusters are not classes, and
// with many features, where degrees tend to 1/K and clusters to one place: see collapsed. Errors of
// score: failed_precondition with fewer than two classes, or when distances overflow; of
// memberships: failed_precondition, no point in the slot or no class seen yet.
#ifndef WHITTLE_SELECT_WCKM_H_
#define WHITTLE_SELECT_WCKM_H_

#include "whittle/select/clustering_selector.h"
#include "whittle/select/model_answers.h"
#include "whittle/select/solve/soft_clustering.h"

namespace whittle {

class Wckm final : public ClusteringSelector<SoftClustering> {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Wckm>().bytes(bytes_beside_object(memory)).total();
  }
  static Status create(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                       Selector** selector) {
    return create_derived<Wckm>(arena, memory, values, selector);
  }

  Wckm(Arena& arena, const StreamMemory& memory, const ParamValues& values)
      : ClusteringSelector(arena, memory, values, "wckm needs labelled samples of two classes") {}

  Status memberships(Slot slot, Span<Real> degrees) const override;
};

inline constexpr SelectorType kWckm = {
    "wckm",
    "constrained k-means by degrees, features weighted; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kClusteringParams,
    Wckm::configure,
    Wckm::required_bytes,
    Wckm::create,
    &kClusters};

}  // namespace whittle

#endif  // WHITTLE_SELECT_WCKM_H_
