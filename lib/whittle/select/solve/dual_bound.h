// DualBound: how far the objective of a linear model lies above the least there is, at most, for a
// problem of ElasticNetSvm,
//   sum_i phi_i(g_i) + l1 |w|_1 + l2/2 |w|^2.
//
// Slopes a_i of the losses, each within its limits, make a dual value, which no model's objective
// is below. The gap between the two is a sum of terms none of which is negative, so single
// precision tells it to its rounding and not to that of the objective:
//   sum_i [phi_i(g_i) + phi_i*(a_i) - a_i g_i]
//     + sum_j [(l2 w_j + out_j)^2 / (2 l2) + l1 |w_j| + w_j in_j],   sum_i a_i x_i = v = in + out,
// in_j the part of v_j within [-l1, l1]; without l2, all of v must be. The slope of a point that
// stays at a kink is what the solver had for it, of any other that of its loss where it is. Where b
// is free, the slopes must sum to 0: those of the class that pulls more are shrunk. Then all slopes
// as they are, shrunk until v lies within l1, or 0 (the dual value is then the least of the losses,
// the gap no more than the objective); the least gap counts.
//
// Cost: O(m) for a point, O(m) at the end. Memory: 2 m Reals, the caller's.
#ifndef WHITTLE_SELECT_SOLVE_DUAL_BOUND_H_
#define WHITTLE_SELECT_SOLVE_DUAL_BOUND_H_

#include <cstddef>

#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/select/solve/hinge_losses.h"

namespace whittle {

class DualBound {
 public:
  // `origin`: what the points are less of; `first` and `second`: m Reals each to work in.
  DualBound(const HingePenalty& penalty, bool free_bias, Span<const Real> origin, Real* first,
            Real* second);

  // Adds a point x of margin g; `place`: what the solver knows of it, unset if nothing; multiplier:
  // the slope at the kink where it stays, if it does.
  void add(Role role, Place place, Real multiplier, Real g, const Real* x);

  // For the weights that the margins came from, m; once.
  Real gap(const Real* weights);

 private:
  // The points of one class; all of them where b is given.
  struct Part {
    Real* pull = nullptr;  // sum a_i x_i
    Real slopes = 0;       // sum |a_i|
    Real terms = 0;        // of the gap, with the slopes as they are
    Real losses = 0;       // what they are with slopes of 0: phi_i(g_i) less the least of phi_i
  };

  Real gap_of_features(const Real* weights, Real part, bool within) const;

  HingePenalty penalty_;
  bool free_bias_;
  Span<const Real> origin_;
  Part parts_[2];
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_DUAL_BOUND_H_
