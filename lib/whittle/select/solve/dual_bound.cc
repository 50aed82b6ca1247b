#include "whittle/select/solve/dual_bound.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"
#include "whittle/select/solve/centred.h"

namespace whittle {
namespace {

constexpr Real kTie = Real(1) / 1024;  // nearer to a kink than this is a tie

// phi(g) less the least of phi, for slopes of phi.
Real above_least(const Real* slopes, Real g) {
  const Real inside = std::clamp(g, Real(-1), Real(1));
  const Real way = slopes[1] < 0 ? 1 - inside : 1 + inside;
  return std::max(Real(0), -1 - g) * -slopes[0] + std::abs(slopes[1]) * way +
         std::max(Real(0), g - 1) * slopes[2];
}

// phi(g) + phi*(a) - a g: how much phi rises from the kink where its slope is a, beyond a.
Real above_tangent(const Real* slopes, Real slope, Real g) {
  const bool plus = slope >= slopes[1];
  const Real* sides = slopes + (plus ? 1 : 0);  // below the kink and above it
  const Real way = g - (plus ? Real(1) : Real(-1));
  const Real beyond = plus ? -1 - g : g - 1;  // past the other kink
  const Real further = plus ? slopes[1] - slopes[0] : slopes[2] - slopes[1];
  return (way > 0 ? sides[1] - slope : slope - sides[0]) * std::abs(way) +
         further * std::max(Real(0), beyond);
}

// The slope that a solver has for a point. On ties its place is what the solver knows, and g only
// rounding; but where g has come to be elsewhere, g counts.
Real slope_of(const Real* slopes, Place place, Real multiplier, Real g) {
  const bool plus = place == Place::at_plus;
  if (at_kink(place) && slopes[plus ? 1 : 0] < slopes[plus ? 2 : 1]) {
    return std::clamp(multiplier, slopes[plus ? 1 : 0], slopes[plus ? 2 : 1]);
  }
  if (place == Place::low && g < -1 + kTie) return slopes[0];
  if (place == Place::middle && std::abs(g) < 1 + kTie) return slopes[1];
  if (place == Place::high && g > 1 - kTie) return slopes[2];
  return slopes[g < -1 ? 0 : g > 1 ? 2 : 1];
}

}  // namespace

DualBound::DualBound(const HingePenalty& penalty, bool free_bias, Span<const Real> origin,
                     Real* first, Real* second)
    : penalty_(penalty), free_bias_(free_bias), origin_(origin) {
  parts_[0].pull = first;
  parts_[1].pull = second;
  for (const Part& part : parts_) std::fill(part.pull, part.pull + origin.size(), Real(0));
}

void DualBound::add(Role role, Place place, Real multiplier, Real g, const Real* x) {
  const Real weight = loss_weight(penalty_, role);
  Real slopes[3];
  for (std::size_t r = 0; r < 3; ++r) slopes[r] = weight * kLossSlopes[int(role)][r];
  const Real slope = slope_of(slopes, place, multiplier, g);
  Part& part = parts_[free_bias_ && role == Role::negative ? 1 : 0];
  part.terms += above_tangent(slopes, slope, g);
  part.losses += above_least(slopes, g);
  if (slope == 0) return;
  part.slopes += std::abs(slope);
  add_centred(slope, x, origin_.data(), part.pull, origin_.size());
}

Real DualBound::gap(const Real* weights) {
  // A hinge loss is linear in its slope, so a part of the slopes gives that part of the terms; of a
  // loss with two kinks no more than that.
  const Real least = std::min(parts_[0].slopes, parts_[1].slopes);
  Real terms = 0;
  Real losses = 0;
  Real scale[2] = {1, 1};
  for (std::size_t p = 0; p < 2; ++p) {
    if (free_bias_ && parts_[p].slopes > least) scale[p] = least / parts_[p].slopes;
    terms += scale[p] * parts_[p].terms + (1 - scale[p]) * parts_[p].losses;
    losses += parts_[p].losses;
  }
  Real largest = 0;
  for (std::size_t j = 0; j < origin_.size(); ++j) {
    Real& pull = parts_[0].pull[j];
    pull = scale[0] * pull + scale[1] * parts_[1].pull[j];
    largest = std::max(largest, std::abs(pull));
  }
  const Real within = largest > penalty_.l1 ? penalty_.l1 / largest : Real(1);
  Real best = losses + gap_of_features(weights, 0, true);
  best = std::min(best,
                  within * terms + (1 - within) * losses + gap_of_features(weights, within, true));
  if (penalty_.l2 > 0) best = std::min(best, terms + gap_of_features(weights, 1, false));
  return best;
}

// With a part of the pull, which is `within` l1 but for rounding, or may be anything.
Real DualBound::gap_of_features(const Real* weights, Real part, bool within) const {
  const Real l1 = penalty_.l1;
  const Real l2 = penalty_.l2;
  CompensatedSum sum;
  for (std::size_t j = 0; j < origin_.size(); ++j) {
    const Real w = weights[j];
    const Real pull = part * parts_[0].pull[j];
    const Real inside = std::clamp(pull, -l1, l1);
    sum.add(l1 * std::abs(w) + w * inside);
    if (within) {
      sum.add(l2 / 2 * w * w);
    } else {
      const Real rest = l2 * w + (pull - inside);
      sum.add(rest / l2 * rest / 2);
    }
  }
  return sum.value();
}

}  // namespace whittle
