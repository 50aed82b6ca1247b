// The losses of ElasticNetSvm's problem: convex, piecewise linear in the margin g = w'x + b, with
// kinks at g = -1 and 1 at most.
#ifndef WHITTLE_SELECT_SOLVE_HINGE_LOSSES_H_
#define WHITTLE_SELECT_SOLVE_HINGE_LOSSES_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/real.h"

namespace whittle {

struct HingePenalty {
  Real labelled = 1;    // C
  Real unlabelled = 0;  // C_star
  Real l1 = 0;
  Real l2 = 1;
  Real tolerance = Real(1e-3);
};

// Steps may end, since the next would change nothing that a Real can tell, with a duality gap that
// is no small share of the objective: features of very unequal scale. That is not converged.
inline constexpr Real kConvergedGap = Real(0.05);

// Whether a gap, as a part of the objective, lets a result be called converged. Without penalties
// it tells nothing: DualBound has none but 0 and the objective then.
inline constexpr bool is_near_minimum(const HingePenalty& penalty, Real gap) {
  return gap <= kConvergedGap || (penalty.l1 == 0 && penalty.l2 == 0);
}

// What a point is to the problem: labelled (+1, -1), unlabelled with pull 1, 0 or -1, or nothing.
enum class Role : std::uint8_t { positive, negative, pulled_up, level, pulled_down, absent };
inline constexpr std::size_t kRoles = 6;

inline constexpr bool is_labelled(Role role) {
  return role == Role::positive || role == Role::negative;
}
// Of an unlabelled point whose loss is clipped at s.
inline constexpr Role pull_at(Real g, Real s) {
  const int t = (g > -s ? 1 : 0) - (g < s ? 1 : 0);
  return t > 0 ? Role::pulled_up : t < 0 ? Role::pulled_down : Role::level;
}

// Where its g is: below -1, between, above 1, or held at a kink.
enum class Place : std::uint8_t { low, middle, high, at_minus, at_plus, unset };

inline constexpr bool at_kink(Place place) {
  return place == Place::at_minus || place == Place::at_plus;
}

// Slopes below -1, between, and above 1, in units of the point's weight.
inline constexpr Real kLossSlopes[kRoles][3] = {{-1, -1, 0}, {0, 1, 1}, {-2, -1, 0},
                                                {-1, 0, 1},  {0, 1, 2}, {0, 0, 0}};
inline constexpr Real loss_weight(const HingePenalty& penalty, Role role) {
  return is_labelled(role) ? penalty.labelled : penalty.unlabelled;
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_HINGE_LOSSES_H_
