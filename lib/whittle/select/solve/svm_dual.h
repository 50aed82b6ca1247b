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
// T is Real, or double. In single precision h is the small difference of products that are C max M
// in size, so the objective is off by about l C max M 1e-7 of it where points at C are many:
// nothing to speak of on scaled data with C = 1, parts in a hundred where classes overlap and C max
// M is 1e4, as on raw data. No scaling helps, for it is the spread of M's eigenvalues that matters,
// and refinement of the Newton step does not either, since the dual point itself, u in single
// precision, is too coarse to be stationary. fsmanifold, which must prove a gap of 1e-4, therefore
// takes double; l0svm, whose features of large values die out within a round or two, Real. The gap
// says how good a solution is.
//
// Reports: objective (dual), gap (primal less dual, at least 0), bias (middle of its optimal
// interval), iterations by their caller's count. Cost of an iteration: f^3/6 + l f for f points
// inside, l^2, and 4 l for each pair: l^3/6 + 6 l^2 at most. Memory, L = capacity: L^2 + L (L + 1)
// / 2 + 5 L elements of T, L (4 + 1) bytes.
#ifndef WHITTLE_SELECT_SOLVE_SVM_DUAL_H_
#define WHITTLE_SELECT_SOLVE_SVM_DUAL_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/select/solve/cholesky.h"

namespace whittle {

template <typename T>
class SvmDual {
 public:
  static constexpr std::size_t required_bytes(std::size_t capacity) {
    return ByteCount{}
        .template array<T>(capacity, capacity)
        .template array<T>(capacity, 5)
        .template array<std::uint32_t>(capacity)
        .template array<bool>(capacity)
        .bytes(Cholesky<T>::required_bytes(capacity))
        .total();
  }
  void place(Arena& arena, std::size_t capacity);

  // A problem of l points; its kernel, signs and first duals are then to be given, and start()
  // called.
  void resize(std::size_t points, T c) {
    size_ = points;
    c_ = c;
  }
  std::size_t size() const { return size_; }
  // Row i of M; give elements 0..i, the rest is filled in by start().
  T* kernel_row(std::size_t i) { return kernel_.data() + i * size_; }
  void set_positive(std::size_t i, bool positive) { positive_[i] = positive; }
  T* duals() { return duals_.data(); }  // u
  const T* duals() const { return duals_.data(); }
  void start();
  // Puts any numbers into the box and balances them.
  void make_feasible(T* u) const;

  // Returns whether this is the end: u is optimal to rounding, or the iterations are used up. Then
  // objective, gap and bias are up to date.
  bool iterate();

  T objective() const { return objective_; }
  T gap() const { return gap_; }
  T bias() const { return bias_; }

 private:
  // NOLINTBEGIN(bugprone-dynamic-static-initializers): constexpr
  static constexpr T kEpsilon = std::numeric_limits<T>::epsilon();
  static constexpr T kInfinite = std::numeric_limits<T>::infinity();
  static constexpr T kSmallest = std::numeric_limits<T>::min();
  static constexpr std::size_t kMixedIterations = 16;
  // NOLINTEND(bugprone-dynamic-static-initializers)

  const T* row(std::size_t i) const { return kernel_.data() + i * size_; }
  T sign(std::size_t i) const { return positive_[i] ? T(1) : T(-1); }
  T lower(std::size_t i) const { return positive_[i] ? T(0) : -c_; }
  T upper(std::size_t i) const { return positive_[i] ? c_ : T(0); }
  bool can_rise(std::size_t i) const { return duals_[i] < upper(i); }
  bool can_fall(std::size_t i) const { return duals_[i] > lower(i); }

  void measure();
  T excess_of(std::size_t i) const;
  T gap_of(T steeper, T square) const;
  void restore_sum();
  void take_products();
  void violation_interval(std::size_t* top, T* highest, T* lowest) const;
  bool move_pair();
  bool move_inside();
  bool factor_inside();
  void solve_inside();
  bool step_inside();
  void take_step(T length, bool to_bound, std::size_t blocking);

  std::size_t size_ = 0;
  std::size_t iterations_ = 0;
  T c_ = 1;
  T noise_ = 0;  // rounding of h
  T objective_ = 0;
  T gap_ = 0;
  T bias_ = 0;
  std::size_t inside_count_ = 0;
  Span<T> kernel_;  // size x size
  Span<T> duals_;
  Span<T> rest_;       // h = y - Mu
  Span<T> direction_;  // of the Newton step, by place among the points inside
  Span<T> ones_;       // solution for a right side of ones; then M times the direction
  Span<T> spread_;     // the direction by point
  Span<std::uint32_t> inside_;
  Span<bool> positive_;
  Cholesky<T> factor_;
};

extern template class SvmDual<float>;
extern template class SvmDual<double>;

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SVM_DUAL_H_
