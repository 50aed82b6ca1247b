// SPEC, phi_2 with r^4: how little of a feature lies on the rough eigenvectors of the graph of all
// pairs. Smaller is better.
//
// Score of feature r over the held points: sum_{j>=1} a_j^2 lambda_j^4 / sum_{j>=1} a_j^2,
// a_j = fhat'xi_j, fhat = D^1/2 f / |D^1/2 f|, (lambda_j, xi_j) the eigenpairs, ascending from
// j = 0, of L = I - D^-1/2 S D^-1/2, S_ij = exp(-d2_ij / lambda) for every pair (CompleteGraph).
// Source: [T] 2.3. Class E2: equal to the batch score of the points held.
//
// No eigenpair is needed: lambda_0 = 0 and xi_0 = D^1/2 e / |D^1/2 e|, so with u = f - mu_D the
// score is |L^2 D^1/2 u|^2 / |D^1/2 u|^2 = sum D_i v_i^2 / sum D_i u_i^2, v = (D^-1 (D - S))^2 u,
// all from differences of values. Where the graph falls apart (weights underflow), one of the
// eigenvectors with lambda = 0 is left out, xi_0 as above; a point without any edge has D_i = 0 and
// no part in the score. Shift and scale of a feature do not matter, its effect on distances apart.
//
// Parameters: lambda. Cost: score n^2/2 (m + 20) for the weights, n^2 for each feature. Memory:
// held points, CompleteGraph, 2 N Reals. Misleads when most features are noise: distances are then
// noise too, and all scores near 1. Errors of score: failed_precondition, as CompleteGraph::build.
#ifndef WHITTLE_SELECT_SPEC_F2_R4_H_
#define WHITTLE_SELECT_SPEC_F2_R4_H_

#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/complete_graph.h"

namespace whittle {

inline constexpr ParamSpec kSpecF2R4Params[] = {kLambdaParam};

class SpecF2R4 final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<SpecF2R4>()
        .bytes(CompleteGraph::required_bytes(memory))
        .array<Real>(memory.capacity(), 2)
        .total();
  }

  SpecF2R4(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  Real feature_score(std::size_t feature);

  const StreamMemory& memory_;
  Real lambda_;
  CompleteGraph graph_;
  Span<Real> values_;    // N: u, then L u, by point
  Span<Real> smoothed_;  // N
};

inline constexpr SelectorType kSpecF2R4 = {
    "spec_f2_r4",
    "SPEC phi_2 with r^4: smooth on the graph of all pairs; needs no labels",
    Direction::ascending,
    Exactness::held_points,
    kSpecF2R4Params,
    SpecF2R4::configure,
    SpecF2R4::required_bytes,
    create_selector<SpecF2R4>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SPEC_F2_R4_H_
