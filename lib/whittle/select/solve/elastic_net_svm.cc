#include "whittle/select/solve/elastic_net_svm.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"
#include "whittle/select/solve/centred.h"

namespace whittle {

void ElasticNetSvm::place(Arena& arena, std::size_t features, std::size_t capacity, bool proximal) {
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

void ElasticNetSvm::take_origin() { std::copy(scratch_.begin(), scratch_.end(), origin_.begin()); }

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
  for (std::size_t role = 0; role < kRoles; ++role) {
    const Real weight = loss_weight(penalty, static_cast<Role>(role));
    for (std::size_t r = 0; r < 3; ++r) slopes_[role][r] = weight * kLossSlopes[role][r];
  }
  measure();
  for (std::size_t j = 0; j < signs_.size(); ++j) {
    const Real w = model.weights[j];
    signs_[j] = penalty.l1 == 0 || w > 0 ? std::int8_t(1)
                : w < 0                  ? std::int8_t(-1)
                                         : std::int8_t(0);
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

bool ElasticNetSvm::step() {
  if (!finite_) return true;
  if (++steps_ % (4 * static_cast<std::uint32_t>(origin_.size() + margins_.size()) + 40) == 0) {
    slack_ *= 2;
  }
  aim();
  keep_slopes();
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

void ElasticNetSvm::keep_slopes() {
  for (std::size_t k = 0; k < held_; ++k) model_->slopes[kinks_[k]] = multipliers_[k] * ridge_;
}

// No multiplier is beyond its limits. True if that is the end.
bool ElasticNetSvm::prove() {
  if (!balanced_ && held_ == 0 && fixed_sum() != 0) {
    bias_only_ = true;
    return false;
  }
  if (!fresh_) {
    if (unsteady_) {
      refresh();
    } else {
      refresh_sums();
    }
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
    case Role::positive:
      return penalty_.labelled * std::max(Real(0), 1 - g);
    case Role::negative:
      return penalty_.labelled * std::max(Real(0), 1 + g);
    case Role::pulled_up:
      return u * (1 + std::max(Real(1), std::abs(g)) - g);
    case Role::level:
      return u * (1 + std::max(Real(1), std::abs(g)));
    case Role::pulled_down:
      return u * (1 + std::max(Real(1), std::abs(g)) + g);
    case Role::absent:
      break;
  }
  return 0;
}

void ElasticNetSvm::again() {
  steps_ = 0;
  slack_ = 1;
  refresh_sums();
}

Real ElasticNetSvm::product(const Real* weights, const Real* x) const {
  return centred_dot(x, origin_.data(), weights, origin_.size());
}

}  // namespace whittle
