// CuttingPlanes: linear lower bounds c_j + g_j'p ("cuts") of a convex function of p over
// P = {0 <= p <= 1, sum p = s}, and the two problems that the level method solves on them:
//
//   minimise()  min over P of max_j c_j + g_j'p, the lower bound, [M] (14)
//   project()   the point of P nearest to another with c_j + g_j'p <= level for all j, [M] (18)
//
// Both by one infeasible primal-dual interior-point method: a Newton step of the perturbed
// optimality conditions, in which p, the bounds on p and the equality are eliminated, so that a
// system with one unknown per cut is left (Cholesky). It does not mind cuts or features that are
// equal, as a simplex method would, and mostly takes 15 to 50 steps; it stops when the
// products of bounds and multipliers are below the accuracy, or can get no smaller in Real, or
// after 80 steps. Single precision is enough, since nothing rests on the last digits: a lower bound
// is made from the multipliers by least(), exactly valid for any multipliers, and a projection that
// is a little off only makes another point to cut at.
//
// Values should be of order one: c_j and g_j in units of the function. s < m: with s = m there is
// nothing to choose. Cost of a step, J cuts: J^2 m / 2 + J^3 / 6 + O(J m). Memory, K = capacity:
// K m + 8 m + 6 K Reals, K (K + 1) / 2 Reals.
#ifndef WHITTLE_SELECT_SOLVE_CUTTING_PLANES_H_
#define WHITTLE_SELECT_SOLVE_CUTTING_PLANES_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/select/solve/cholesky.h"

namespace whittle {

class CuttingPlanes {
 public:
  static constexpr std::size_t required_bytes(std::size_t features, std::size_t capacity) {
    return ByteCount{}
        .array<Real>(capacity, features)
        .array<Real>(features, 8)
        .array<Real>(capacity, 6)
        .bytes(Cholesky<>::required_bytes(capacity))
        .total();
  }
  void place(Arena& arena, std::size_t features, std::size_t capacity);

  // No cuts; the sum of p.
  void clear(std::size_t sum) {
    size_ = 0;
    count_ = sum;
  }
  std::size_t size() const { return size_; }
  // One more cut, c + slopes'p; there must be room.
  void add(Real constant, const Real* slopes);
  // The last cut takes its place.
  void remove(std::size_t cut);

  // Both: fill multipliers(), of minimise() at least 0 with sum 1, and point().
  void minimise(Real accuracy);
  void project(const Real* from, Real level, Real accuracy);
  const Real* multipliers() const { return multipliers_.data(); }
  const Real* point() const { return p_.data(); }

  // min over P of slopes'p.
  Real least(const Real* slopes);

 private:
  Real* slopes(std::size_t cut) { return slopes_.data() + cut * p_.size(); }
  const Real* slopes(std::size_t cut) const { return slopes_.data() + cut * p_.size(); }
  Real value(std::size_t cut) const;
  void begin();
  Real balance(Real product);
  void solve(Real accuracy);
  Real mean_product() const;
  void linearise();
  bool find_direction();
  void find_changes();
  Real below_change(std::size_t r) const;
  Real above_change(std::size_t r) const;
  Real longest_step() const;
  void move(Real step);

  std::size_t size_ = 0;
  std::size_t count_ = 0;  // the sum of p
  bool projecting_ = false;
  Real level_ = 0;   // of the cuts: given when projecting, else unknown
  Real price_ = 0;   // multiplier of sum p = s
  Real target_ = 0;  // of the products of bounds and multipliers
  Real level_change_ = 0;
  Real price_change_ = 0;
  Span<Real> slopes_;     // K x m
  Span<Real> constants_;  // by cut, and the next four
  Span<Real> multipliers_;
  Span<Real> slacks_;
  Span<Real> multiplier_changes_;
  Span<Real> slack_changes_;
  Span<Real> means_;  // of a cut's slopes, weighted by stretch; then scratch
  Span<Real> p_;      // by feature, and the next
  Span<Real> below_;  // multiplier of p >= 0
  Span<Real> above_;  // of p <= 1
  Span<Real> p_changes_;
  Span<Real> stretch_;   // inverse of the reduced Hessian, a diagonal
  Span<Real> gradient_;  // of the barrier function
  Span<Real> from_;      // the point to project
  Span<Real> scratch_;
  Cholesky<> factor_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_CUTTING_PLANES_H_
