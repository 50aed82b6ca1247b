// ElasticNetSvm: the minimum over w and b, exactly, by an active set, of
//   sum_i phi_i(g_i) + l1 |w|_1 + l2/2 |w|^2,   g_i = w'(x_i - origin) + b,
// phi_i convex and piecewise linear with kinks at g = -1 and 1: the hinge loss of a labelled point,
// or C_star (|1 - g|_+ + |1 + g|_+ - t g) of an unlabelled one, t its pull (1, 0, -1). With
// `balanced`, b is given and the origin is the mean of the unlabelled points: mean(g) = b over them
// is then the balance constraint of [S] (6), met by construction. Else b is free.
//
// Instead of the ADMM of [S] (12)-(30): that takes thousands of iterations to the tolerance and
// gains little from a near start, while the set of kinks hardly changes with one sample. The state
// is w, b and for each point whether it stays at a kink. One step: the minimum with those points at
// their kinks and the signs of w as they are, a system of Schur complement X_K X_K' (K the points
// at kinks, columns with w_j != 0), solved by a Cholesky factor that is kept by appending,
// removing, updates and down-dates, and made anew when a down-date loses definiteness; then the
// exact minimum along the line to it, past any kinks and changes of sign that the slope overcomes.
// A point or weight at whose kink it ends joins the set; at the full step the worst multiplier
// beyond its limits leaves. The objective falls with every step (but for what brings points back to
// kinks that a change has moved), so every state is usable; the end is the minimum to rounding:
// multipliers within 0.01 tolerance of their limits, a slack that doubles every 4 (m + n) + 40
// steps, so that rounding cannot go on for ever.
//
// l2 = 0: the proximal point method, which ends for piecewise linear objectives: a ridge around the
// last minimum, until it changes the objective by less than 0.05 tolerance.
//
// After any change of the points begin() starts from a model that was the minimum before: the
// factor is built from its points at kinks (k^2 m / 2 for k of them, about the cost of two steps),
// and a few steps do the rest. Single precision is enough: products are of differences from the
// origin, multipliers are corrected by iterative refinement, and sums are computed anew before the
// end is believed, the factor too if it has lost digits.
//
// Ties: after a step of length 0 the kinks of the points that stand at theirs without being held
// are shifted a little away from them, each by its own amount, so that the next steps have a
// length; at the end the shifts are taken back, and the set is tried without them.
//
// Cost of a step: (n + 3 k) m + 2 k^2 multiplications and additions, and n + m operations for each
// kink passed. Memory, N points, K = min(N, m + 1): 5 m + 4 N + 3 K + K (K + 1) / 2 Reals, 4 K + m
// bytes; m Reals more for l2 = 0.
#ifndef WHITTLE_SELECT_SOLVE_ELASTIC_NET_SVM_H_
#define WHITTLE_SELECT_SOLVE_ELASTIC_NET_SVM_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "whittle/base/arena.h"
#include "whittle/base/placed_pointer.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/memory/filled_points.h"
#include "whittle/select/solve/cholesky.h"
#include "whittle/select/solve/dual_bound.h"

namespace whittle {

// A solution, or the way to it. `bias` is b, for the origin of the solver.
struct MarginModel {
  Span<Real> weights;  // m
  Span<Place> places;  // N, by slot
  Span<Role> roles;    // N, by slot: given
  Span<Real> slopes;   // N, by slot: of the losses of points held at kinks, as of the last step
  Real bias = 0;
};

class ElasticNetSvm {
 public:
  static constexpr std::size_t most_kinks(std::size_t features, std::size_t capacity) {
    return capacity < features + 1 ? capacity : features + 1;
  }
  static constexpr std::size_t required_bytes(std::size_t features, std::size_t capacity,
                                              bool proximal) {
    const std::size_t most = most_kinks(features, capacity);
    return ByteCount{}
        .array<Real>(features, proximal ? 6 : 5)
        .array<Real>(capacity, 4)
        .array<Real>(most, 3)
        .array<std::uint32_t>(most)
        .array<std::int8_t>(features)
        .bytes(Cholesky<>::required_bytes(most))
        .total();
  }
  void place(Arena& arena, std::size_t features, std::size_t capacity, bool proximal);

  // Moves the origin to the mean of the points, or of the unlabelled ones. shift(w) is then what to
  // add to a bias so that w'x + b stays, until take_origin().
  void propose_origin(const FilledPoints& points, bool unlabelled);
  Real shift(const Real* weights) const;
  void take_origin();

  // Starts from `model`, whose spans must stay. Weights of 0 are a cold start. The bias is kept if
  // `balanced`.
  void begin(const FilledPoints& points, const HingePenalty& penalty, bool balanced,
             MarginModel& model);
  // Starts from where the last step ended, after pulls of unlabelled points have changed.
  void again();
  // One step; true when nothing is left to do: the model is the minimum (or sums overflow).
  bool step();

  // For the gap of a model; works in what the next step computes anew, and ends with it.
  DualBound bound(const HingePenalty& penalty, bool balanced) {
    return {penalty, !balanced, origin_, scratch_.data(), moves_of_w_.data()};
  }

  // w'(x - origin) of any full vector.
  Real product(const Real* weights, const Real* x) const;
  // Of a held point, as of the last begin() and step().
  Real margin(Slot slot) const { return margins_[slot]; }
  bool finite() const { return finite_; }

 private:
  static constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();
  // Margins nearer to a kink than a few of these are rounding or a tie.
  static constexpr Real kNear = 1024 * kEpsilon;

  struct Breakpoint {
    Real at = 0;
    Real jump = 0;  // of the slope along the line
    std::uint32_t index = 0;
    bool feature = false;
    bool exists = false;
  };

  Real slope(Slot slot) const;
  Real jump(Role role, Place kink) const;
  Place region(Slot slot) const;
  Place settled_place(Slot slot) const;
  void measure();
  void refresh_sums();
  void refresh();
  bool hold(Slot slot);
  void let_go(std::size_t k, Place place);
  void pull_by(Real factor, Slot slot);
  void aim();
  void solve_multipliers(Real sum);
  bool correct();
  void measure_moves();
  Real kink_of(Slot slot, Place kink) const;
  void keep_slopes();
  void part_ties();
  bool still() const;
  Real misplacement(Slot slot, Real g) const;
  bool lands() const;
  bool put_in_place();
  Breakpoint next_point() const;
  Breakpoint next_feature(const Breakpoint& before) const;
  void pass(const Breakpoint& point);
  Real search(Breakpoint* stop);
  void move(Real step);
  void stop_at(const Breakpoint& stop);
  void column_of_kinks(std::size_t feature);
  bool change_set();
  bool prove();
  void drop_roundings();
  bool recentre();
  Real gradient(std::size_t feature) const;
  Real loss(Slot slot) const;
  Real fixed_sum() const;

  PlacedPointer<const FilledPoints> points_;
  PlacedPointer<MarginModel> model_;
  HingePenalty penalty_;
  bool balanced_ = false;
  bool bias_only_ = false;  // the next step moves b alone
  bool landing_ = false;    // the next step is to prove the set without shifts
  bool unsteady_ = false;   // the factor has lost digits
  bool fresh_ = false;      // sums and factor were computed for the present set
  bool finite_ = true;
  Real slopes_[kRoles][3] = {};
  Real ridge_ = 1;        // l2, or that of the proximal point method
  Real bias_square_ = 1;  // the bias as one more column of X: its element squared
  Real rounding_ = 0;     // of the sums over points
  Real bias_move_ = 0;
  Real move_length_ = 0;  // |moves_of_w_|
  Real longest_ = 0;      // the largest of lengths_
  Real slack_ = 1;
  std::uint32_t steps_ = 0;

  Span<Real> origin_;          // m
  Span<Real> moves_of_w_;      // m: the line's direction
  Span<Real> pulls_;           // m: sum of slope_i x_i over the points not held at kinks
  Span<Real> held_pulls_;      // m: the same over those held, over the ridge
  Span<Real> scratch_;         // m
  Span<Real> centre_;          // m, or none: of the ridge
  Span<std::int8_t> signs_;    // m: of w_j, 0 if it stays at 0
  Span<Real> margins_;         // N, by slot
  Span<Real> moves_;           // N, by slot: of the margins along the line
  Span<Real> lengths_;         // N, by slot: |x - origin|
  Span<Real> shifts_;          // N, by slot: of its kinks
  Span<std::uint32_t> kinks_;  // K: the slots held at kinks
  Span<Real> multipliers_;     // K: their slopes, over the ridge
  Span<Real> ones_;            // K: scratch
  Span<Real> column_;          // K: scratch
  std::size_t held_ = 0;
  Cholesky<> factor_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_ELASTIC_NET_SVM_H_
