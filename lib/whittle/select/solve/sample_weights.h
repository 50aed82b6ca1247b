// SampleWeights: the weight lambda_j >= 0 of every unlabelled point in a JointSparsity, with the
// precision c_j of its prior; 1 for labelled points.
//
// For a given w, lambda maximises, point by point, mu log sigma(s_j lambda_j w'x_j) - c_j
// lambda_j^2 / 2 + log sigma(beta lambda_j), s_j the sign of the (pseudo) label; the last term
// stands for lambda_j >= 0. Newton steps for all at once (the Hessian is diagonal), damped: halved
// until the sum rises, while |gradient| / u > 1e-3, at most 100. Then points with lambda_j < 1e-3
// are removed for good, and c_j <- 1 / (lambda_j^2 + 1 / h_j), h_j the Hessian at the new point.
// Source: [J] (12)-(14), (20).
//
// Cost: a step about 8 exp or log per point. Memory: 3 N Reals, N bytes.
#ifndef WHITTLE_SELECT_SOLVE_SAMPLE_WEIGHTS_H_
#define WHITTLE_SELECT_SOLVE_SAMPLE_WEIGHTS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

class SampleWeights {
 public:
  static constexpr std::size_t required_bytes(std::size_t capacity) {
    return ByteCount{}.array<Real>(capacity, 3).array<std::uint8_t>(capacity).total();
  }
  void place(Arena& arena, std::size_t capacity, Real mu, Real beta);

  void start(std::size_t n) { size_ = n; }
  // Says of a point what it is, and sets its weight to 1, c_j to 1.
  void set(std::size_t i, bool labelled, bool positive);
  // Another weight for an unlabelled point; 0 removes it.
  void set_weight(std::size_t i, Real lambda);

  Real lambda(std::size_t i) const { return lambdas_[i]; }
  bool positive(std::size_t i) const { return (kinds_[i] & kPositive) != 0; }
  // What a point's likelihood is multiplied by.
  Real share(std::size_t i) const { return (kinds_[i] & kLabelled) != 0 ? Real(1) : mu_; }

  // The maximum for w, and the removals; products: w'x by point.
  void refine(const Real* products);
  // Updates the c_j. Returns the terms of the log marginal likelihood that they enter, with the c_j
  // as they were: sum of log 2 sigma(beta lambda_j) - c_j lambda_j^2 / 2 + log(c_j / h_j) / 2.
  Real update(const Real* products);

  void digest(Digest& digest) const {
    digest.add_all(lambdas_.data(), size_);
    digest.add_all(precisions_.data(), size_);
  }

 private:
  static constexpr std::uint8_t kLabelled = 1, kPositive = 2, kRemoved = 4;

  bool adapts(std::size_t i) const { return (kinds_[i] & (kLabelled | kRemoved)) == 0; }
  Real sign(std::size_t i) const { return positive(i) ? Real(1) : Real(-1); }
  Real hessian(std::size_t i, Real product) const;
  bool find_direction(const Real* products);
  bool move(const Real* products);
  void remove_idle();

  std::size_t size_ = 0;
  Real mu_ = 1;
  Real beta_ = 0;
  Span<Real> lambdas_;
  Span<Real> precisions_;  // c
  Span<Real> direction_;
  Span<std::uint8_t> kinds_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SAMPLE_WEIGHTS_H_
