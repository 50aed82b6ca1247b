// The line search of ElasticNetSvm.
#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/select/solve/elastic_net_svm.h"

namespace whittle {

namespace {

// A move that is less, relative to its terms, is rounding.
constexpr Real kFlat = 16 * std::numeric_limits<Real>::epsilon();

}  // namespace

// The minimum along the line, as a part of the way to the aim (1 without a kink before; of the unit
// if the bias moves alone). `stop`: the kink that it ends at, if it does. On the way the slope is
// -curvature (1 - t) plus the jumps of the kinks passed.
Real ElasticNetSvm::search(Breakpoint* stop) {
  const Real curvature = ridge_ * move_length_ * move_length_;
  Real jumps = bias_only_ ? -std::abs(fixed_sum()) : Real(0);
  for (;;) {
    const Breakpoint next = next_feature(next_point());
    if (bias_only_) {
      if (!next.exists) return 0;
    } else {
      const Real least = jumps > 0 ? 1 - jumps / curvature : Real(1);  // without a further kink
      if (!next.exists || !(next.at < least)) return std::max(least, Real(0));
    }
    const Real slope = bias_only_ ? jumps : jumps - curvature * (1 - next.at);
    if (!(slope + next.jump < 0)) {
      *stop = next;
      return next.at;
    }
    jumps += next.jump;
    pass(next);
  }
}

// The kink that a point comes to first, of all that move by more than rounding.
ElasticNetSvm::Breakpoint ElasticNetSvm::next_point() const {
  Breakpoint next;
  const Real least_bias = kFlat * std::abs(bias_move_);
  for (const Slot slot : points_->held().order()) {
    const Role role = model_->roles[slot];
    const Place place = model_->places[slot];
    if (role == Role::absent || at_kink(place)) continue;
    const Real move = moves_[slot];
    if (!(std::abs(move) > kFlat * move_length_ * lengths_[slot] + least_bias)) continue;
    const bool up = move > 0;
    if (place == (up ? Place::high : Place::low)) continue;  // no further kink that way
    const bool plus = (place == Place::middle) == up;
    const Place kink = plus ? Place::at_plus : Place::at_minus;
    const Real kink_jump = jump(role, kink);
    if (!(kink_jump > 0)) continue;
    const Real at = std::max((kink_of(slot, kink) - margins_[slot]) / move, Real(0));
    if (next.exists && !(at < next.at)) continue;
    next = {at, kink_jump * std::abs(move), slot, false, true};
  }
  return next;
}

// The same with weights that come to 0.
ElasticNetSvm::Breakpoint ElasticNetSvm::next_feature(const Breakpoint& before) const {
  Breakpoint next = before;
  if (penalty_.l1 == 0 || bias_only_) return next;
  const Real least = kFlat * move_length_;
  for (std::size_t j = 0; j < signs_.size(); ++j) {
    const Real move = moves_of_w_[j];
    const auto sign = static_cast<Real>(signs_[j]);
    if (!(sign * move < 0) || !(std::abs(move) > least)) continue;
    const Real at = std::max(-model_->weights[j] / move, Real(0));
    if (next.exists && !(at < next.at)) continue;
    next = {at, 2 * penalty_.l1 * std::abs(move), static_cast<std::uint32_t>(j), true, true};
  }
  return next;
}

// Goes past a kink.
void ElasticNetSvm::pass(const Breakpoint& point) {
  if (point.feature) {
    signs_[point.index] = static_cast<std::int8_t>(-signs_[point.index]);
    return;
  }
  const Slot slot = point.index;
  const Place place = model_->places[slot];
  const Real before = slope(slot);
  const bool up = moves_[slot] > 0;
  model_->places[slot] = place != Place::middle ? Place::middle : up ? Place::high : Place::low;
  pull_by(slope(slot) - before, slot);
}

}  // namespace whittle
