// The active set of ElasticNetSvm: which points and weights stay at their kinks.
#include <algorithm>
#include <cmath>

#include "whittle/select/solve/centred.h"
#include "whittle/select/solve/elastic_net_svm.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {

Real ElasticNetSvm::kink_of(Slot slot, Place kink) const {
  return shifts_[slot] + (kink == Place::at_plus ? Real(1) : Real(-1));
}

Real ElasticNetSvm::slope(Slot slot) const {
  return slopes_[int(model_->roles[slot])][int(model_->places[slot])];
}

Real ElasticNetSvm::jump(Role role, Place kink) const {
  const Real* slopes = slopes_[int(role)];
  return kink == Place::at_minus ? slopes[1] - slopes[0] : slopes[2] - slopes[1];
}

// By the margin; beyond a kink that this role has not is still the middle.
Place ElasticNetSvm::region(Slot slot) const {
  const Role role = model_->roles[slot];
  if (margins_[slot] < -1 && jump(role, Place::at_minus) > 0) return Place::low;
  if (margins_[slot] > 1 && jump(role, Place::at_plus) > 0) return Place::high;
  return Place::middle;
}

// A point keeps its place unless its margin is clearly elsewhere: on ties the place is what the
// solution knows, and the margin only rounding.
Place ElasticNetSvm::settled_place(Slot slot) const {
  const Place place = model_->places[slot];
  const Role role = model_->roles[slot];
  if (place == Place::unset) return region(slot);
  if (at_kink(place)) return jump(role, place) > 0 ? place : region(slot);
  const Real near = 4 * kNear;
  const Real g = margins_[slot];
  const bool to_minus = std::abs(g + 1) < near && jump(role, Place::at_minus) > 0;
  const bool to_plus = std::abs(g - 1) < near && jump(role, Place::at_plus) > 0;
  const bool stays = place == Place::middle || (place == Place::low && to_minus) ||
                     (place == Place::high && to_plus);
  return (to_minus || to_plus) && stays ? place : region(slot);
}

// Computes margins and pulls of the present set from the points, without shifts.
void ElasticNetSvm::refresh_sums() {
  std::fill(pulls_.begin(), pulls_.end(), Real(0));
  for (const Slot slot : points_->held().order()) {
    if (model_->roles[slot] == Role::absent) continue;
    shifts_[slot] = 0;
    margins_[slot] = product(model_->weights.data(), points_->row(slot, 0)) + model_->bias;
    if (!at_kink(model_->places[slot])) pull_by(slope(slot), slot);
  }
  fresh_ = true;
}

// The same, and the set: points whose places are kinks, and the factor for them.
void ElasticNetSvm::refresh() {
  held_ = 0;
  factor_.clear();
  for (const Slot slot : points_->held().order()) {
    if (model_->roles[slot] == Role::absent) continue;
    margins_[slot] = product(model_->weights.data(), points_->row(slot, 0)) + model_->bias;
    model_->places[slot] = settled_place(slot);
    if (at_kink(model_->places[slot]) && !hold(slot)) model_->places[slot] = region(slot);
  }
  refresh_sums();
}

// Takes a point whose place is a kink into the set. False if it depends on those there.
bool ElasticNetSvm::hold(Slot slot) {
  if (held_ == kinks_.size()) return false;
  const std::size_t m = origin_.size();
  const Real* x = points_->row(slot, 0);
  for (std::size_t j = 0; j < m; ++j) scratch_[j] = signs_[j] != 0 ? x[j] - origin_[j] : Real(0);
  Real* row = factor_.row(held_);
  for (std::size_t k = 0; k < held_; ++k) {
    row[k] =
        bias_square_ + centred_dot(points_->row(kinks_[k], 0), origin_.data(), scratch_.data(), m);
  }
  row[held_] = bias_square_ + dot(scratch_.data(), scratch_.data(), m);
  if (!factor_.append(64 * kEpsilon)) return false;
  kinks_[held_++] = slot;
  return true;
}

void ElasticNetSvm::let_go(std::size_t k, Place place) {
  const Slot slot = kinks_[k];
  model_->places[slot] = place;
  pull_by(slope(slot), slot);
  factor_.remove(k, column_.data());
  --held_;
  for (; k < held_; ++k) kinks_[k] = kinks_[k + 1];
}

void ElasticNetSvm::pull_by(Real factor, Slot slot) {
  if (factor == 0) return;
  add_centred(factor, points_->row(slot, 0), origin_.data(), pulls_.data(), pulls_.size());
}

// Elements of a feature in the points held.
void ElasticNetSvm::column_of_kinks(std::size_t feature) {
  for (std::size_t k = 0; k < held_; ++k) {
    column_[k] = points_->value(kinks_[k], feature) - origin_[feature];
  }
}

// The line ended where a weight becomes 0 or a point comes to its kink.
void ElasticNetSvm::stop_at(const Breakpoint& stop) {
  if (stop.feature) {
    model_->weights[stop.index] = 0;
    signs_[stop.index] = 0;
    column_of_kinks(stop.index);
    if (!factor_.downdate(column_.data())) refresh();
    return;
  }
  const Slot slot = stop.index;
  const Place from = model_->places[slot];
  const Real slope_before = slope(slot);
  const bool up = moves_[slot] > 0;
  model_->places[slot] = (from == Place::middle) == up ? Place::at_plus : Place::at_minus;
  margins_[slot] = kink_of(slot, model_->places[slot]);
  if (hold(slot)) {
    pull_by(-slope_before, slot);
  } else {
    model_->places[slot] = from;
    pass(stop);
  }
}

// How far a point is out of its place for a margin g.
Real ElasticNetSvm::misplacement(Slot slot, Real g) const {
  const Role role = model_->roles[slot];
  const Place place = model_->places[slot];
  Real beyond = 0;
  if (role == Role::absent || at_kink(place)) return beyond;
  if (jump(role, Place::at_minus) > 0) {
    beyond = std::max(beyond, place == Place::low      ? g + 1
                              : place == Place::middle ? -1 - g
                                                       : Real(0));
  }
  if (jump(role, Place::at_plus) > 0) {
    beyond = std::max(beyond, place == Place::high     ? 1 - g
                              : place == Place::middle ? g - 1
                                                       : Real(0));
  }
  return beyond;
}

// Puts the points that are out of their places where they are. False if there are none.
bool ElasticNetSvm::put_in_place() {
  bool any = false;
  for (const Slot slot : points_->held().order()) {
    if (!(misplacement(slot, margins_[slot]) > slack_ * kNear / 8)) continue;
    const Real before = slope(slot);
    model_->places[slot] = region(slot);
    pull_by(slope(slot) - before, slot);
    any = true;
  }
  return any;
}

// Shifts the kinks of points that stand at theirs, but are not held, out of their way.
void ElasticNetSvm::part_ties() {
  for (const Slot slot : points_->held().order()) {
    const Role role = model_->roles[slot];
    const Place place = model_->places[slot];
    if (role == Role::absent || at_kink(place)) continue;
    for (const Place kink : {Place::at_minus, Place::at_plus}) {
      const bool is_above =
          place == Place::low || (place == Place::middle && kink == Place::at_plus);
      const bool is_limit =
          place == Place::middle || (place == Place::low) == (kink == Place::at_minus);
      if (!is_limit || !(jump(role, kink) > 0)) continue;
      if (!(std::abs(margins_[slot] - kink_of(slot, kink)) < kNear / 4)) continue;
      const auto stamp = static_cast<std::uint32_t>(points_->held().stamp(slot));
      const Real own = static_cast<Real>((stamp * 2654435769U) >> 8) * Real(1.0 / 16777216);
      const Real way = kNear * (1 + own);
      shifts_[slot] += margins_[slot] - kink_of(slot, kink) + (is_above ? way : -way);
    }
  }
}

// At the minimum for the present set: frees the point or the weight whose multiplier is furthest
// beyond its limits. False if there is none.
bool ElasticNetSvm::change_set() {
  Real largest = 0;
  for (const Real w : model_->weights) largest = std::max(largest, std::abs(w));
  const Real part = Real(0.01) * penalty_.tolerance;
  const Real least = slack_ * (rounding_ + part * ridge_ * largest);
  Real worst = 0;
  std::size_t chosen = 0;
  bool feature = false;
  for (std::size_t j = 0; j < signs_.size(); ++j) {
    if (signs_[j] != 0) continue;
    const Real excess = std::abs(gradient(j)) - penalty_.l1;
    if (!(excess > least) || !(excess > worst)) continue;
    worst = excess;
    chosen = j;
    feature = true;
  }
  Place freed = Place::middle;
  for (std::size_t k = 0; k < held_; ++k) {
    const Slot slot = kinks_[k];
    const bool plus = model_->places[slot] == Place::at_plus;
    const Real* slopes = slopes_[int(model_->roles[slot])] + (plus ? 1 : 0);
    const Real multiplier = multipliers_[k] * ridge_;
    const Real excess = std::max(slopes[0] - multiplier, multiplier - slopes[1]);
    const Real slack = slack_ * std::max(part, 64 * kEpsilon) * (slopes[1] - slopes[0]);
    if (!(excess > slack) || !(excess * lengths_[slot] > worst)) continue;
    worst = excess * lengths_[slot];
    chosen = k;
    feature = false;
    const bool above = multiplier > slopes[1];
    freed = above == plus ? (plus ? Place::high : Place::low) : Place::middle;
  }
  if (!(worst > 0)) return false;
  if (!feature) {
    let_go(chosen, freed);
    return true;
  }
  signs_[chosen] = gradient(chosen) > 0 ? std::int8_t(-1) : std::int8_t(1);
  column_of_kinks(chosen);
  factor_.update(column_.data());
  return true;
}

// Of everything but |w_j|, for a weight that is 0.
Real ElasticNetSvm::gradient(std::size_t feature) const {
  const Real centre = centre_.empty() || penalty_.l2 > 0 ? Real(0) : centre_[feature];
  return pulls_[feature] + ridge_ * (held_pulls_[feature] - centre);
}

}  // namespace whittle
