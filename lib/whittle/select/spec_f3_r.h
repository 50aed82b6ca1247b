// SPEC, phi_3: how much of a feature lies on the smoothest eigenvectors of the graph of all pairs,
// as many as there are classes less one. Larger is better.
//
// Score of feature r over the held points: sum_{j=1}^{C-1} (2 - lambda_j) a_j^2, a_j = fhat'xi_j,
// fhat = D^1/2 f / |D^1/2 f|, (lambda_j, xi_j) the eigenpairs, ascending from j = 0, of
// L = I - D^-1/2 S D^-1/2, S_ij = exp(-d2_ij / lambda) for every pair (CompleteGraph). C: the
// classes among the held points, at most n. Source: [T] 2.3. Class E2: equal to the batch score of
// the points held.
//
// xi_0 = D^1/2 e / |D^1/2 e| is taken out first, by moving its eigenvalue past all others; where
// the graph falls apart (weights underflow), the other eigenvectors with lambda = 0 stay. A point
// without any edge has D_i = 0: an eigenvector of its own, with lambda = 1 and a_j = 0. If
// lambda_{C-1} = lambda_C, which of their eigenvectors counts is a matter of rounding, though of
// the same on every machine; if they are close, the score is as uncertain.
//
// Parameters: lambda. Cost: score n^2/2 (m + 20) for the weights, then as SymmetricEigen: 2/3 n^3
// and about 5 n^2 m. Memory: held points, CompleteGraph, SymmetricEigen, N m Reals. Misleads with
// an offset: f is normalised as it is, so what all points have in common takes its share of
// |fhat| = 1 and the score goes to 0; scale by zscore. Info: lambda_used, converged. Errors of
// score: failed_precondition without held points of two classes, and as CompleteGraph::build.
#ifndef WHITTLE_SELECT_SPEC_F3_R_H_
#define WHITTLE_SELECT_SPEC_F3_R_H_

#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/complete_graph.h"
#include "whittle/select/solve/symmetric_eigen.h"

namespace whittle {

inline constexpr ParamSpec kSpecF3RParams[] = {kLambdaParam};

class SpecF3R final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<SpecF3R>()
        .bytes(CompleteGraph::required_bytes(memory))
        .bytes(SymmetricEigen::required_bytes(memory.capacity(), memory.features))
        .array<Real>(memory.capacity(), std::size_t{memory.features} + 1)
        .array<bool>(memory.capacity())
        .total();
  }

  SpecF3R(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  void write_features();
  void write_affinity();
  void choose_smoothest();
  Real feature_score(std::size_t feature) const;

  const StreamMemory& memory_;
  Real lambda_;
  CompleteGraph graph_;
  SymmetricEigen eigen_;
  Span<Real> column_;    // N: a feature, by point; D_i^-1/2
  Span<Real> features_;  // N x m: D^1/2 (f - mu_D) by point, then its products with eigenvectors
  Span<bool> chosen_;    // N: whether an eigenvector is among the C - 1
};

inline constexpr SelectorType kSpecF3R = {
    "spec_f3_r",
    "SPEC phi_3: follows the clusters of the graph of all pairs; needs two classes",
    Direction::descending,
    Exactness::held_points,
    kSpecF3RParams,
    SpecF3R::configure,
    SpecF3R::required_bytes,
    create_selector<SpecF3R>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SPEC_F3_R_H_
