// SvmDual: the dual of the support vector machine with a free bias, for any kernel.
//
//   max over u of  y'u - 1/2 u'Mu,  0 <= y_i u_i <= C,  sum u = 0     (u_i = alpha_i y_i, y_i +-1)
//
// M is symmetric and positive semi-definite, l x l, and may be singular. Adding a constant to the
// points that M is made of changes nothing, since sum u = 0: give the products of centred points.
//
// One iteration takes the products Mu anew, then a Newton step on the points strictly inside their
// box - the linear system by Cholesky with a small ridge, the step by exact line search up to the
// first bound - then up to l moves of the pair that gains most (SMO with second-order choice:
// Fan, Chen, Lin, JMLR 6, 2005). No step lowers the objective. The pairs find which points are
// inside, whatever M; the Newton step then makes the rest exact, where pairs alone would take
// thousands of steps on an ill-conditioned M. Stops when the largest violation, max over points
// that can go up of h less min over points that can go down, h = y - Mu, is within rounding.
//
// Sums run in the lanes of lanes.h or in the order of the points. Warm: u may hold any numbers
// before start(), which puts them into the box and balances them; a solution of a problem a point
// or two away is some iterations from the new one.
//
// Gives up after 16 + 2 l iterations, on data whose products overflow or are all rounding.
//
// Rounding of M in single precision moves the objective by about l C max M 1e-7 of it, where points
// at C are many: nothing to speak of on scaled data with C = 1, parts in a hundred where classes
// overlap and C max M is 1e4. The gap says so.
//
// Reports: objective (dual), gap (primal less dual, at least 0), bias (middle of its optimal
// interval), iterations by their caller's count. Cost of an iteration: f^3/6 + l f for f points
// inside, l^2, and 4 l for each pair: l^3/6 + 6 l^2 at most. Memory, L = capacity: L^2 + L (L + 1)
// / 2 + 5 L Reals, L (4 + 1) bytes.
#ifndef WHITTLE_SELECT_SOLVE_SVM_DUAL_H_
#define WHITTLE_SELECT_SOLVE_SVM_DUAL_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/select/solve/cholesky.h"

namespace whittle {

class SvmDual {
 public:
  static constexpr std::size_t required_bytes(std::size_t capacity) {
    return ByteCount{}
        .array<Real>(capacity, capacity)
        .array<Real>(capacity, 5)
        .array<std::uint32_t>(capacity)
        .array<bool>(capacity)
        .bytes(Cholesky<>::required_bytes(capacity))
        .total();
  }
  void place(Arena& arena, std::size_t capacity);

  // A problem of l points; its kernel, signs and first duals are then to be given, and start()
  // called.
  void resize(std::size_t points, Real c) {
    size_ = points;
    c_ = c;
  }
  std::size_t size() const { return size_; }
  // Row i of M; give elements 0..i, the rest is filled in by start().
  Real* kernel_row(std::size_t i) { return kernel_.data() + i * size_; }
  void set_positive(std::size_t i, bool positive) { positive_[i] = positive; }
  Real* duals() { return duals_.data(); }  // u
  const Real* duals() const { return duals_.data(); }
  void start();
  // Puts any numbers into the box and balances them.
  void make_feasible(Real* u) const;

  // Returns whether this is the end: u is optimal to rounding, or the iterations are used up. Then
  // objective, gap and bias are up to date.
  bool iterate();

  bool optimal() const { return optimal_; }
  Real objective() const { return objective_; }
  Real gap() const { return gap_; }
  Real bias() const { return bias_; }

 private:
  const Real* row(std::size_t i) const { return kernel_.data() + i * size_; }
  Real sign(std::size_t i) const { return positive_[i] ? Real(1) : Real(-1); }
  Real lower(std::size_t i) const { return positive_[i] ? Real(0) : -c_; }
  Real upper(std::size_t i) const { return positive_[i] ? c_ : Real(0); }
  bool can_rise(std::size_t i) const { return duals_[i] < upper(i); }
  bool can_fall(std::size_t i) const { return duals_[i] > lower(i); }

  void measure();
  Real excess_of(std::size_t i) const;
  Real gap_of(Real steeper, Real square) const;
  void restore_sum();
  void take_products();
  void violation_interval(std::size_t* top, Real* highest, Real* lowest) const;
  bool move_pair();
  bool move_inside();
  bool factor_inside();
  void solve_inside();
  bool step_inside();
  void take_step(Real length, bool to_bound, std::size_t blocking);

  std::size_t size_ = 0;
  std::size_t iterations_ = 0;
  bool optimal_ = false;
  Real c_ = 1;
  Real noise_ = 0;  // rounding of h
  Real objective_ = 0;
  Real gap_ = 0;
  Real bias_ = 0;
  std::size_t inside_count_ = 0;
  Span<Real> kernel_;  // size x size
  Span<Real> duals_;
  Span<Real> rest_;       // h = y - Mu
  Span<Real> direction_;  // of the Newton step, by place among the points inside
  Span<Real> ones_;       // solution for a right side of ones; then M times the direction
  Span<Real> spread_;     // the direction by point
  Span<std::uint32_t> inside_;
  Span<bool> positive_;
  Cholesky<> factor_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SVM_DUAL_H_
