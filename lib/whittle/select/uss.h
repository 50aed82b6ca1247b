// Sparsity Score with Universum: far from the universum samples, these close together, and
// following the sparse combinations that reconstruct each point. Larger is better.
//
// Score of feature r: alpha mean over (u, x) of (u_r - x_r)^2 - beta spread of U - ss_r / (n
// var_r), X the held points, U all universum samples of the stream, ss_r the sparsity score of X,
// var_r the variance over X; in scaled units. The first mean is (mean_U - mean_X)^2 + var_U +
// var_X. Spread of U by universum_norm: mean, over ordered pairs, 2 var_U; printed, (1/u) times
// their sum, 2 u var_U, which grows with u. Without universum samples the first two terms have
// nothing to average and are 0. A feature that is constant over the held points has no score,
// whatever the universum. Source: [U] (8), with the third term divided by n var_r to be a pure
// number (docs/methods.md). Class E2: equal to the batch score of the points held and the universum
// seen.
//
// Parameters: alpha, beta, universum_norm. Cost: as ss. Memory: moments, held points,
// SparseReconstruction. Misleads without minmax: the first two terms are squared units, and with
// zscore the third is a hundredth of the first. Info: converged, iterations. Errors of score: as
// ss.
#ifndef WHITTLE_SELECT_USS_H_
#define WHITTLE_SELECT_USS_H_

#include "whittle/select/selector.h"
#include "whittle/select/solve/sparse_reconstruction.h"
#include "whittle/select/universum_terms.h"
#include "whittle/select/uvs.h"

namespace whittle {

inline constexpr ParamSpec kUssParams[] = {kUvsParams[0], kUvsParams[1], kUvsParams[2]};

class Uss final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    memory.moments = true;
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Uss>().bytes(SparseReconstruction::required_bytes(memory)).total();
  }

  Uss(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
  UniversumTerms terms_;
  SparseReconstruction reconstruction_;
};

inline constexpr SelectorType kUss = {
    "uss",
    "sparsity score with universum: sparse, and far from the universum; needs no labels",
    Direction::descending,
    Exactness::held_points,
    kUssParams,
    Uss::configure,
    Uss::required_bytes,
    create_selector<Uss>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_USS_H_
