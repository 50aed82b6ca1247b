// Sparsity Score: how badly a feature follows the sparse combinations that reconstruct each point
// from the others. Smaller is better.
//
// Score of feature r over the held points: sum_i (f_ri - sum_j s_ij f_rj)^2, s_i the lasso of x_i
// on the other points with kappa_i = 0.05 max_{j != i} |<x_j, x_i>|; see SparseReconstruction.
// Source: [U] (4). Class E2: equal to the batch score of the points held.
//
// No parameters. Cost: score as SparseReconstruction. Memory: held points, SparseReconstruction.
// Misleads without zscore: dot products, and so the combinations, are then ruled by offsets and
// units, and the error of a feature by its unit.
// Info: converged, iterations. Errors of score: failed_precondition without a held point, or when
// dot products overflow.
#ifndef WHITTLE_SELECT_SS_H_
#define WHITTLE_SELECT_SS_H_

#include "whittle/select/selector.h"
#include "whittle/select/solve/sparse_reconstruction.h"

namespace whittle {

class Ss final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Ss>().bytes(SparseReconstruction::required_bytes(memory)).total();
  }

  Ss(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
  SparseReconstruction reconstruction_;
};

inline constexpr SelectorType kSs = {
    "ss",
    "sparsity score: follows sparse combinations of other samples; needs no labels",
    Direction::ascending,
    Exactness::held_points,
    {},
    Ss::configure,
    Ss::required_bytes,
    create_selector<Ss>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SS_H_
