#include "whittle/select/solve/balanced_rounds.h"

#include <algorithm>
#include <limits>

namespace whittle {
namespace {

// Margins below this are rounding: a point has no first pull.
constexpr Real kNoMargin = 64 * std::numeric_limits<Real>::epsilon();

}  // namespace

Real BalancedRounds::mean_label(std::size_t problem) const {
  const HeldPoints& points = models_->points().held();
  const OneVsRest problems(points);
  int sum = 0;
  for (const Slot slot : points.order()) sum += problems.sign(slot, problem);
  return static_cast<Real>(sum) / static_cast<Real>(points.labelled());
}

// Labelled points get their roles, unlabelled ones the pulls of their margins; with `only_new`
// those that have none.
void BalancedRounds::take_pulls(Real s, bool only_new) {
  const FilledPoints& points = models_->points();
  const OneVsRest problems(points.held());
  const bool matter = balanced() && penalty_.unlabelled > 0;
  for (const Slot slot : points.held().order()) {
    Role& role = model_->roles[slot];
    const int sign = problems.sign(slot, problem_);
    if (sign != 0) {
      role = sign > 0 ? Role::positive : Role::negative;
    } else if (!matter) {
      role = Role::absent;
    } else if (!only_new || role == Role::absent || is_labelled(role)) {
      const Real g = models_->solver().product(model_->weights.data(), points.row(slot, 0));
      role = pull_at(g + model_->bias, s);
    }
  }
}

void BalancedRounds::begin_round() {
  steps_ = 0;
  models_->solver().begin(models_->points(), penalty_, balanced(), *model_);
}

void BalancedRounds::begin_warm(std::size_t problem, MarginModel& model) {
  problem_ = problem;
  model_ = &model;
  rounds_ = 0;
  starting_ = false;
  converged_ = false;
  if (balanced()) model.bias = mean_label(problem);
  take_pulls(s_, true);
  begin_round();
}

void BalancedRounds::begin_cold(std::size_t problem, MarginModel& model, const Real* first) {
  problem_ = problem;
  model_ = &model;
  first_ = first;
  rounds_ = 0;
  steps_ = 0;
  converged_ = false;
  starting_ = !convex();
  std::fill(model.weights.begin(), model.weights.end(), Real(0));
  std::fill(model.places.begin(), model.places.end(), Place::unset);
  model.bias = 0;
  if (!starting_) {
    begin_warm(problem, model);
    return;
  }
  models_->take_labels(problem, model);
  HingePenalty start = penalty_;
  start.l1 = 0;
  models_->solver().begin(models_->points(), start, false, model);
}

// One step of the solver; true when the round is over.
bool BalancedRounds::solve_step() {
  solved_ = models_->solver().step();
  return solved_ || ++steps_ >= max_steps_;
}

bool BalancedRounds::step() {
  if (!solve_step()) return false;
  if (starting_) {
    starting_ = false;
    model_->bias = 0;  // -w'xbar, for the origin at the mean of the unlabelled points
    take_pulls(kNoMargin, false);
    const Real* const first = first_.get();
    if (first == nullptr) {
      std::fill(model_->weights.begin(), model_->weights.end(), Real(0));
    } else {
      std::copy(first, first + model_->weights.size(), model_->weights.begin());
    }
    std::fill(model_->places.begin(), model_->places.end(), Place::unset);
    model_->bias = mean_label(problem_);
    begin_round();
    return false;
  }
  ++rounds_;
  const bool moved = !convex() && renew_pulls();
  converged_ = !moved && solved_ && models_->solver().finite();
  if (!moved || rounds_ >= kMostRounds) return true;
  steps_ = 0;
  models_->solver().again();
  return false;
}

// Takes the pulls of the margins; false if none is new.
bool BalancedRounds::renew_pulls() {
  bool moved = false;
  for (const Slot slot : models_->points().held().order()) {
    Role& role = model_->roles[slot];
    if (is_labelled(role)) continue;
    const Role now = pull_at(models_->solver().margin(slot), s_);
    moved = moved || now != role;
    role = now;
  }
  return moved;
}

Real BalancedRounds::balance_residual(std::size_t problem, const MarginModel& model) const {
  const FilledPoints& points = models_->points();
  if (!balanced()) return 0;
  CompensatedSum sum;
  Real count = 0;
  for (const Slot slot : points.held().order()) {
    if (points.held().label(slot) != kUnlabelled) continue;
    sum.add(models_->solver().product(model.weights.data(), points.row(slot, 0)));
    count += 1;
  }
  return sum.value() / count + model.bias - mean_label(problem);
}

void BalancedRounds::digest(Digest& digest) const {
  digest.add(rounds_);
  digest.add(steps_);
  digest.add(starting_);
}

}  // namespace whittle
