// JointSparsity: Algorithm 1 of [J] for two classes: weights of features and of samples that are
// sparse together, by a Bayesian approach. The solver behind jsfs.
//
// Points x_i (z-scored) with a class or a pseudo label, weights lambda_i (SampleWeights), a prior
// w ~ N(0, (A + B)^-1), A = diag(alpha), B a LocalStructure. A pass:
//   Newton steps for w on sum_i share_i log sigma(s_i lambda_i w'x_i) - w'(A + B)w / 2, (9)-(11),
//     damped: halved until it rises; while |gradient| / d > 1e-3, at most 100;
//   features with |w_r| < 1e-3 max|w| are removed for good; then the same for the lambda;
//   alpha_r <- 1 / (w_r^2 + G_rr + Sigma_rr), Sigma = H^-1 at the new point, G_rr = 1/alpha_r -
//     [(A + B)^-1]_rr, (18), and the c_j, (20).
// It ends when no w changed by more than tol max|w| in a pass, a removed one counting, or after
// max_passes. Start: w = 0, lambda = alpha = c = 1.
//
// In float: alpha spans many decades, but the error of a Cholesky factor is set by the condition of
// the matrix scaled to a unit diagonal, I + A^-1/2 (X'EX + B) A^-1/2 in effect, which is mild.
// G_rr loses digits where alpha_r is large, an error of rounding in 1/alpha_r; (18) adds it to a
// sum that is near 1/alpha_r. Whether a step rises is told from differences of the terms. So no
// double is needed: on g50c scores are within 5e-6 of the largest of those of double, the objective
// within 2e-7. Only where one of the decisions above is a tie in float may it fall otherwise.
//
// The objective is the log marginal likelihood of (17) and (19) at the maximum for the
// hyper-parameters at hand. Passes need not raise it, for the paper re-estimates w, lambda and the
// hyper-parameters in turn, each on its own approximation; where they end is set by the stopping
// rule.
//
// Cost: a Newton step n m^2 / 2 + m^3 / 6, the end of a pass about that and m^3 / 2 more, m counted
// without removed features. Memory: the packed m x m factor, 7 m Reals, 4 m bytes, 2 N Reals,
// SampleWeights.
#ifndef WHITTLE_SELECT_SOLVE_JOINT_SPARSITY_H_
#define WHITTLE_SELECT_SOLVE_JOINT_SPARSITY_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/placed_pointer.h"
#include "whittle/select/solve/cholesky.h"
#include "whittle/select/solve/local_structure.h"
#include "whittle/select/solve/sample_weights.h"
#include "whittle/select/solve/standard_points.h"

namespace whittle {

struct JointSparsityParams {
  Real mu = 1;    // share of the unlabelled points
  Real beta = 5;  // steepness of what keeps lambda positive
  Real tol = Real(1e-3);
  std::uint32_t max_passes = 200;
};

class JointSparsity {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    return ByteCount{}
        .bytes(Cholesky<>::required_bytes(config.features))
        .array<Real>(config.features, 7)
        .array<std::uint32_t>(config.features)
        .array<Real>(config.capacity(), 2)
        .bytes(SampleWeights::required_bytes(config.capacity()))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config, const JointSparsityParams& params);

  // What the points are; both must stay as they are until the problem is solved.
  SampleWeights& samples() { return samples_; }

  // Starts on them, cold; constant features stay out.
  void start(const StandardPoints& points, const LocalStructure& structure);
  // Or from weights and precisions of another time, alpha 0 for a feature that was removed: for
  // refit_step().
  void start_from(const StandardPoints& points, const LocalStructure& structure, const Real* w,
                  const Real* alpha);

  // One Newton step for w alone, all else as it is. True when there was nothing more to gain.
  bool refit_step();
  // One Newton step, or what else a pass consists of. True when the algorithm has ended.
  bool step();

  const Real* w() const { return w_.data(); }          // m
  const Real* alpha() const { return alpha_.data(); }  // m; 0 for a removed feature
  std::uint32_t passes() const { return passes_; }
  bool pass_ended() const { return newton_steps_ == 0; }  // by the last step
  bool converged() const { return converged_; }
  Real objective() const { return objective_; }  // after the last pass
  // What the stopping rule looks at: the largest change of a weight in the last pass, over the
  // largest weight; 1 before a pass has ended, or where its matrix had no factor.
  Real residual() const { return residual_; }

  void digest(Digest& digest) const;

 private:
  void restart(const StandardPoints& points, const LocalStructure& structure);
  bool newton_step();
  void multiply_points(const Real* x, Real* products) const;
  bool find_gradient();
  bool move();
  bool factor_curvature(bool with_data);
  void write_curvature(bool with_data, Real ridge);
  void add_data();
  void gather(const Real* full, Real* part) const;
  void remove_small_features();
  void end_pass();
  Real log_likelihood() const;
  void judge_change();

  JointSparsityParams params_;
  PlacedPointer<const StandardPoints> points_;
  PlacedPointer<const LocalStructure> structure_;
  std::size_t kept_ = 0;  // d, features not removed
  std::uint32_t passes_ = 0;
  std::uint32_t newton_steps_ = 0;  // in this pass
  bool converged_ = false;
  Real objective_ = 0;
  Real residual_ = 1;
  Cholesky<> factor_;             // of the kept features
  Span<std::uint32_t> features_;  // the kept ones
  Span<Real> w_;                  // by feature, like all that follow
  Span<Real> alpha_;
  Span<Real> before_;     // w before the pass
  Span<Real> gradient_;   // or a diagonal, of the kept ones
  Span<Real> direction_;  // by feature
  Span<Real> part_;       // of the kept ones
  Span<Real> product_;    // (A + B) times something
  Span<Real> outputs_;    // w'x by point
  Span<Real> changes_;    // direction'x by point
  SampleWeights samples_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_JOINT_SPARSITY_H_
