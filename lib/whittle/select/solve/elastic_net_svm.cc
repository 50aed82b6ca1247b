#include "whittle/select/solve/elastic_net_svm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/select/solve/centred.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {
namespace {

constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();

// Margins nearer to a kink than a few of these are rounding or a tie.
constexpr Real kNear = 1024 * kEpsilon;

bool at_kink(Place place) { return place == Place::at_minus || place == Place::at_plus; }

}  // namespace

void ElasticNetSvm::place(Arena& arena, std::size_t features, std::size_t capacity,
                          bool proximal) {
  const std::size_t most = most_kinks(features, capacity);
  const Span<Real> by_feature = arena.array<Real>((proximal ? 6 : 5) * features);
  origin_ = by_feature.subspan(0, features);
  moves_of_w_ = by_feature.subspan(features, features);
  pulls_ = by_feature.subspan(2 * features, features);
  held_pulls_ = by_feature.subspan(3 * features, features);
  scratch_ = by_feature.subspan(4 * features, features);
  if (proximal) centre_ = by_feature.subspan(5 * features, features);
  const Span<Real> by_slot = arena.array<Real>(4 * capacity);
  margins_ = by_slot.subspan(0, capacity);
  moves_ = by_slot.subspan(capacity, capacity);
  lengths_ = by_slot.subspan(2 * capacity, capacity);
  shifts_ = by_slot.subspan(3 * capacity, capacity);
  const Span<Real> by_kink = arena.array<Real>(3 * most);
  multipliers_ = by_kink.subspan(0, most);
  ones_ = by_kink.subspan(most, most);
  column_ = by_kink.subspan(2 * most, most);
  kinks_ = arena.array<std::uint32_t>(most);
  signs_ = arena.array<std::int8_t>(features);
  factor_.place(arena, most);
}

void ElasticNetSvm::propose_origin(const FilledPoints& points, bool unlabelled) {
  const HeldPoints& held = points.held();
  const std::size_t m = origin_.size();
  const Real* first = nullptr;
  Real count = 0;
  std::fill(scratch_.begin(), scratch_.end(), Real(0));
  for (const Slot slot : held.order()) {
    if (unlabelled && held.label(slot) != kUnlabelled) continue;
    // Deviations from the first, which stays in its buffer: of a constant feature exactly 0.
    if (first == nullptr) first = points.row(slot, 0);
    add_centred(1, points.row(slot, 1), first, scratch_.data(), m);
    count += 1;
  }
  if (first == nullptr) return;
  for (std::size_t j = 0; j < m; ++j) scratch_[j] = first[j] + scratch_[j] / count;
}

Real ElasticNetSvm::shift(const Real* weights) const {
  return centred_dot(scratch_.data(), origin_.data(), weights, origin_.size());
}

void ElasticNetSvm::take_origin() {
  std::copy(scratch_.begin(), scratch_.end(), origin_.begin());
}

void ElasticNetSvm::begin(const FilledPoints& points, const HingePenalty& penalty, bool balanced,
                          MarginModel& model) {
  points_ = &points;
  penalty_ = penalty;
  balanced_ = balanced;
  model_ = &model;
  bias_only_ = false;
  landing_ = false;
  steps_ = 0;
  slack_ = 1;
  const Real c = penalty.labelled;
  const Real u = penalty.unlabelled;
  const Real slopes[kRoles][3] = {{-c, -c, 0},     {0, c, c},        {-2 * u, -u, 0},
                                  {-u, 0, u},      {0, u, 2 * u},    {0, 0, 0}};
  std::copy(&slopes[0][0], &slopes[0][0] + 3 * kRoles, &slopes_[0][0]);
  measure();
  for (std::size_t j = 0; j < signs_.size(); ++j) {
    const Real w = model.weights[j];
    signs_[j] = penalty.l1 == 0 || w > 0 ? std::int8_t(1) : w < 0 ? std::int8_t(-1) : std::int8_t(0);
  }
  if (!centre_.empty()) std::copy(model.weights.begin(), model.weights.end(), centre_.begin());
  refresh();
}

// Sizes that roundings, the ridge and the column of the bias are compared with.
void ElasticNetSvm::measure() {
  const auto m = static_cast<Real>(origin_.size());
  Real squares = 0;
  Real pull = 0;
  Real count = 0;
  longest_ = 0;
  for (const Slot slot : points_->held().order()) {
    const Role role = model_->roles[slot];
    if (role == Role::absent) continue;
    const Real square = squared_distance(points_->row(slot, 0), origin_.data(), origin_.size());
    lengths_[slot] = std::sqrt(square);
    squares += square;
    longest_ = std::max(longest_, lengths_[slot]);
    pull += lengths_[slot] * (slopes_[int(role)][2] - slopes_[int(role)][0]);
    count += 1;
  }
  const Real spread = count > 0 ? squares / (count * m) : Real(0);  // mean square of an element
  finite_ = squares < kInfinity && pull < kInfinity;
  rounding_ = 8 * kEpsilon * pull / std::sqrt(m);
  bias_square_ = balanced_ ? Real(0) : spread > 0 ? spread : Real(1);
  ridge_ = penalty_.l2;
  if (ridge_ > 0) return;
  const Real size = std::sqrt(spread);
  ridge_ = Real(0.1) * std::max(penalty_.l1, penalty_.labelled * size) * size;
  if (!(ridge_ > 0)) ridge_ = 1;
}

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

// Computes everything for the present set from the points, without shifts.
void ElasticNetSvm::refresh() {
  fresh_ = true;
  held_ = 0;
  factor_.clear();
  std::fill(pulls_.begin(), pulls_.end(), Real(0));
  for (const Slot slot : points_->held().order()) {
    if (model_->roles[slot] == Role::absent) continue;
    shifts_[slot] = 0;
    margins_[slot] = product(model_->weights.data(), points_->row(slot, 0)) + model_->bias;
    const Place place = settled_place(slot);
    model_->places[slot] = place;
    if (at_kink(place) && !hold(slot)) model_->places[slot] = region(slot);
    if (!at_kink(model_->places[slot])) pull_by(slope(slot), slot);
  }
}

// Takes a point whose place is a kink into the set. False if it depends on those there.
bool ElasticNetSvm::hold(Slot slot) {
  if (held_ == kinks_.size()) return false;
  const std::size_t m = origin_.size();
  const Real* x = points_->row(slot, 0);
  for (std::size_t j = 0; j < m; ++j) scratch_[j] = signs_[j] != 0 ? x[j] - origin_[j] : Real(0);
  Real* row = factor_.row(held_);
  for (std::size_t k = 0; k < held_; ++k) {
    row[k] = bias_square_ + centred_dot(points_->row(kinks_[k], 0), origin_.data(),
                                        scratch_.data(), m);
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

bool ElasticNetSvm::step() {
  if (!finite_) return true;
  if (++steps_ % (4 * static_cast<std::uint32_t>(origin_.size() + margins_.size()) + 40) == 0) {
    slack_ *= 2;
  }
  aim();
  Breakpoint stop;
  const Real length = still() || (landing_ && lands()) ? Real(1) : search(&stop);
  landing_ = false;
  move(length);
  bias_only_ = false;
  if (stop.exists) stop_at(stop);
  if (stop.exists && length <= 64 * kEpsilon) part_ties();
  if (length < 1 || stop.exists || change_set()) {
    fresh_ = false;
    return false;
  }
  return prove();
}

// Whether the line is too short to matter to any margin.
bool ElasticNetSvm::still() const {
  return !bias_only_ && move_length_ * longest_ + std::abs(bias_move_) <= 64 * kEpsilon;
}

// How far a point is out of its place for a margin g.
Real ElasticNetSvm::misplacement(Slot slot, Real g) const {
  const Role role = model_->roles[slot];
  const Place place = model_->places[slot];
  Real beyond = 0;
  if (role == Role::absent || at_kink(place)) return beyond;
  if (jump(role, Place::at_minus) > 0) {
    beyond = std::max(beyond, place == Place::low ? g + 1 : place == Place::middle ? -1 - g : Real(0));
  }
  if (jump(role, Place::at_plus) > 0) {
    beyond = std::max(beyond, place == Place::high ? 1 - g : place == Place::middle ? g - 1 : Real(0));
  }
  return beyond;
}

// Whether the full step takes no point out of its place, and no weight to the other sign, by more
// than rounding.
bool ElasticNetSvm::lands() const {
  for (std::size_t j = 0; j < signs_.size() && penalty_.l1 > 0; ++j) {
    const Real w = model_->weights[j] + moves_of_w_[j];
    if (static_cast<Real>(signs_[j]) * w * longest_ < -kNear / 64) return false;
  }
  for (const Slot slot : points_->held().order()) {
    if (misplacement(slot, margins_[slot] + moves_[slot]) > slack_ * kNear / 8) return false;
  }
  return true;
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
      const bool is_above = place == Place::low || (place == Place::middle && kink == Place::at_plus);
      const bool is_limit = place == Place::middle ||
                            (place == Place::low) == (kink == Place::at_minus);
      if (!is_limit || !(jump(role, kink) > 0)) continue;
      if (!(std::abs(margins_[slot] - kink_of(slot, kink)) < kNear / 4)) continue;
      const auto stamp = static_cast<std::uint32_t>(points_->held().stamp(slot));
      const Real own = static_cast<Real>((stamp * 2654435769U) >> 8) * Real(1.0 / 16777216);
      const Real way = kNear * (1 + own);
      shifts_[slot] += margins_[slot] - kink_of(slot, kink) + (is_above ? way : -way);
    }
  }
}

// The sum of the slopes of the points that are not held.
Real ElasticNetSvm::fixed_sum() const {
  std::int32_t counts[kRoles][3] = {};
  for (const Slot slot : points_->held().order()) {
    const Role role = model_->roles[slot];
    if (role == Role::absent || at_kink(model_->places[slot])) continue;
    ++counts[int(role)][int(model_->places[slot])];
  }
  Real sum = 0;  // of few terms: exactly 0 where as many pull up as down
  for (std::size_t role = 0; role < kRoles; ++role) {
    for (std::size_t r = 0; r < 3; ++r) sum += static_cast<Real>(counts[role][r]) * slopes_[role][r];
  }
  return sum;
}

// The direction to the minimum for the present set.
void ElasticNetSvm::aim() {
  const std::size_t m = origin_.size();
  bias_move_ = 0;
  if (bias_only_) {
    std::fill(moves_of_w_.begin(), moves_of_w_.end(), Real(0));
    bias_move_ = fixed_sum() > 0 ? Real(-1) : Real(1);
    measure_moves();
    return;
  }
  // moves_of_w_: first the weights if nothing were held.
  for (std::size_t j = 0; j < m; ++j) {
    const Real centre = centre_.empty() || penalty_.l2 > 0 ? Real(0) : centre_[j];
    const Real pull = pulls_[j] + penalty_.l1 * static_cast<Real>(signs_[j]);
    moves_of_w_[j] = signs_[j] != 0 ? centre - pull / ridge_ : Real(0);
  }
  std::fill(held_pulls_.begin(), held_pulls_.end(), Real(0));
  const Real sum = balanced_ || held_ == 0 ? Real(0) : -fixed_sum() / ridge_;
  for (std::size_t k = 0; k < held_; ++k) {
    column_[k] = centred_dot(points_->row(kinks_[k], 0), origin_.data(), moves_of_w_.data(), m) +
                 model_->bias -
                 kink_of(kinks_[k], model_->places[kinks_[k]]) + bias_square_ * sum;
    multipliers_[k] = 0;
  }
  solve_multipliers(sum);
  for (std::size_t j = 0; j < m; ++j) {
    if (signs_[j] != 0) moves_of_w_[j] -= held_pulls_[j] + model_->weights[j];
  }
  measure_moves();
  for (int pass = 0; pass < 2 && correct(); ++pass) measure_moves();
}

// Adds to the multipliers the solution of (X_K X_K' + bias) y - e b = column_, e'y = sum, b the
// move of the bias, and its pull.
void ElasticNetSvm::solve_multipliers(Real sum) {
  if (held_ == 0) return;
  factor_.solve(column_.data());
  if (!balanced_) {
    std::fill(ones_.begin(), ones_.begin() + held_, Real(1));
    factor_.solve(ones_.data());
    Real of_column = 0;
    Real of_ones = 0;
    for (std::size_t k = 0; k < held_; ++k) {
      of_column += column_[k];
      of_ones += ones_[k];
    }
    const Real move = (sum - of_column) / of_ones;
    bias_move_ += move;
    add_multiple(move, ones_.data(), column_.data(), held_);
  }
  for (std::size_t k = 0; k < held_; ++k) {
    multipliers_[k] += column_[k];
    add_centred(column_[k], points_->row(kinks_[k], 0), origin_.data(), held_pulls_.data(),
                held_pulls_.size());
  }
}

// Iterative refinement of the multipliers; false if there was nothing worth it.
bool ElasticNetSvm::correct() {
  const std::size_t m = origin_.size();
  Real worst = 0;
  for (std::size_t k = 0; k < held_; ++k) {
    const Slot slot = kinks_[k];
    column_[k] = margins_[slot] + moves_[slot] - kink_of(slot, model_->places[slot]);
    worst = std::max(worst, std::abs(column_[k]));
  }
  if (!(worst > 64 * kEpsilon)) return false;
  std::copy(held_pulls_.begin(), held_pulls_.end(), scratch_.begin());
  solve_multipliers(0);
  for (std::size_t j = 0; j < m; ++j) {
    if (signs_[j] != 0) moves_of_w_[j] += scratch_[j] - held_pulls_[j];
  }
  return true;
}

void ElasticNetSvm::measure_moves() {
  const std::size_t m = origin_.size();
  move_length_ = std::sqrt(dot(moves_of_w_.data(), moves_of_w_.data(), m));
  for (const Slot slot : points_->held().order()) {
    if (model_->roles[slot] == Role::absent) continue;
    moves_[slot] = bias_move_;
    if (bias_only_) continue;
    moves_[slot] += centred_dot(points_->row(slot, 0), origin_.data(), moves_of_w_.data(), m);
  }
}

void ElasticNetSvm::move(Real step) {
  if (step == 0) return;
  add_multiple(step, moves_of_w_.data(), model_->weights.data(), origin_.size());
  model_->bias += step * bias_move_;
  for (const Slot slot : points_->held().order()) {
    if (model_->roles[slot] != Role::absent) margins_[slot] += step * moves_[slot];
  }
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
  model_->places[slot] =
      (from == Place::middle) == up ? Place::at_plus : Place::at_minus;
  margins_[slot] = kink_of(slot, model_->places[slot]);
  if (hold(slot)) {
    pull_by(-slope_before, slot);
  } else {
    model_->places[slot] = from;
    pass(stop);
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

// No multiplier is beyond its limits. True if that is the end.
bool ElasticNetSvm::prove() {
  if (!balanced_ && held_ == 0 && fixed_sum() != 0) {
    bias_only_ = true;
    return false;
  }
  if (!fresh_) {
    refresh();
    landing_ = true;
    return false;
  }
  if (put_in_place()) {
    fresh_ = false;
    return false;
  }
  if (penalty_.l2 == 0 && recentre()) return false;
  drop_roundings();
  return true;
}

// Weights that are no more than rounding are 0.
void ElasticNetSvm::drop_roundings() {
  if (penalty_.l1 == 0) return;
  for (Real& w : model_->weights) {
    if (std::abs(w) * longest_ <= kNear / 64 && std::abs(w) * ridge_ <= rounding_) w = 0;
  }
}

// The next step of the proximal point method; false if it would change the objective too little.
bool ElasticNetSvm::recentre() {
  Real moved = 0;
  Real size = 0;
  Real objective = 0;
  for (std::size_t j = 0; j < centre_.size(); ++j) {
    const Real w = model_->weights[j];
    moved += (w - centre_[j]) * (w - centre_[j]);
    size += w * w;
    objective += penalty_.l1 * std::abs(w);
    centre_[j] = w;
  }
  for (const Slot slot : points_->held().order()) objective += loss(slot);
  objective = std::max(objective, Real(0.01) * penalty_.labelled);  // separable: it may be 0
  return ridge_ * std::sqrt(moved * size) > Real(0.05) * penalty_.tolerance * objective;
}

Real ElasticNetSvm::loss(Slot slot) const {
  const Role role = model_->roles[slot];
  const Real g = margins_[slot];
  const Real u = penalty_.unlabelled;
  switch (role) {
    case Role::positive: return penalty_.labelled * std::max(Real(0), 1 - g);
    case Role::negative: return penalty_.labelled * std::max(Real(0), 1 + g);
    case Role::pulled_up: return u * (1 + std::max(Real(1), std::abs(g)) - g);
    case Role::level: return u * (1 + std::max(Real(1), std::abs(g)));
    case Role::pulled_down: return u * (1 + std::max(Real(1), std::abs(g)) + g);
    case Role::absent: break;
  }
  return 0;
}

Real ElasticNetSvm::product(const Real* weights, const Real* x) const {
  return centred_dot(x, origin_.data(), weights, origin_.size());
}

}  // namespace whittle
