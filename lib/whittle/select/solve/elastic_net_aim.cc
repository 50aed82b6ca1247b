// The aim of a step of ElasticNetSvm: the minimum for the present set, and the way there.
#include <algorithm>
#include <cmath>

#include "whittle/select/solve/centred.h"
#include "whittle/select/solve/elastic_net_svm.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {

// Whether the line is too short to matter to any margin, or than the sums can tell.
bool ElasticNetSvm::still() const {
  const Real farthest = move_length_ * longest_ + std::abs(bias_move_);
  if (bias_only_) return false;
  return farthest <= 64 * kEpsilon || (farthest <= kNear / 8 && move_length_ * ridge_ <= rounding_);
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
    for (std::size_t r = 0; r < 3; ++r)
      sum += static_cast<Real>(counts[role][r]) * slopes_[role][r];
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
                 model_->bias - kink_of(kinks_[k], model_->places[kinks_[k]]) + bias_square_ * sum;
    multipliers_[k] = 0;
  }
  solve_multipliers(sum);
  for (std::size_t j = 0; j < m; ++j) {
    if (signs_[j] != 0) moves_of_w_[j] -= held_pulls_[j] + model_->weights[j];
  }
  measure_moves();
  unsteady_ = false;
  for (int pass = 0; pass < 2 && correct(); ++pass) {
    unsteady_ = pass > 0;
    measure_moves();
  }
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
  if (!(worst > (landing_ ? kNear / 16 : kNear / 4))) return false;
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

}  // namespace whittle
