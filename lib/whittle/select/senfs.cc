#include "whittle/select/senfs.h"

#include <algorithm>
#include <cmath>

#include "whittle/select/solve/select_nonzero.h"

namespace whittle {

Senfs::Senfs(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory),
      penalty_{values[0], values[1], values[2], values[3], values[5]},
      s_(values[4]) {
  const MemoryConfig& config = memory.config();
  const std::size_t problems = max_problems(config.classes);
  models_.place(arena, config, penalty_.l2 == 0);
  trial_.weights = arena.array<Real>(config.features);
  trial_.places = arena.array<Place>(config.capacity());
  trial_.roles = arena.array<Role>(config.capacity());
  trial_.slopes = arena.array<Real>(config.capacity());
  objectives_ = arena.array<Real>(problems);
  iterations_ = arena.array<std::uint32_t>(problems);
  const Span<bool> flags = arena.array<bool>(2 * problems);
  known_ = flags.subspan(0, problems);
  cold_ = flags.subspan(problems, problems);
  rounds_.set(models_, penalty_, s_, values.integer(6));
}

void Senfs::observe(const Observation& seen) {
  if (seen.kind != SampleKind::universum) prepared_ = false;
}

void Senfs::prepare() {
  const HeldPoints& points = memory_.points();
  models_.prepare(points, points.size() > points.labelled());
  std::fill(cold_.begin(), cold_.end(), false);
  prepared_ = true;
  begun_ = false;
  settled_ = true;
  overflow_ = false;
  problem_ = 0;
  pass_ = Pass::first;
  find_problem();
}

// The next problem that there is to solve, from problem_ on; after the last of them `done`.
void Senfs::find_problem() {
  const OneVsRest problems(memory_.points());
  for (; pass_ != Pass::done; ++problem_) {
    if (problem_ == models_.problems()) {
      // A convex problem has no other solution; a cold start need not be done twice.
      pass_ = pass_ == Pass::first && !rounds_.convex() ? Pass::restart : Pass::done;
      problem_ = 0;
      if (pass_ == Pass::done) return;
    }
    if (problems.exists(problem_) && !cold_[problem_]) return;
  }
}

void Senfs::begin_problem() {
  begun_ = true;
  if (pass_ == Pass::restart) {
    rounds_.begin_cold(problem_, trial_, models_.model(problem_).weights.data());
  } else if (known_[problem_]) {
    rounds_.begin_warm(problem_, models_.model(problem_));
  } else {
    rounds_.begin_cold(problem_, models_.model(problem_), nullptr);
    cold_[problem_] = true;
  }
}

Refinement Senfs::refine(std::uint32_t max_iterations) {
  Refinement done;
  if (memory_.points().classes_present() < 2) return done;
  if (!prepared_ && max_iterations > 0) prepare();
  while (prepared_ && done.iterations < max_iterations && pass_ != Pass::done) {
    if (!begun_) begin_problem();
    ++done.iterations;
    const bool finished = rounds_.step();
    if (pass_ == Pass::first) {
      models_.set_bias(problem_, models_.model(problem_).bias);
      known_[problem_] = rounds_.started();
    }
    if (finished) finish_problem();
  }
  done.converged = prepared_ && pass_ == Pass::done;
  return done;
}

void Senfs::finish_problem() {
  if (pass_ == Pass::restart) {
    take_if_better();
  } else {
    overflow_ = overflow_ || !models_.solver().finite();
    settled_ = settled_ && rounds_.converged();
    iterations_[problem_] = rounds_.rounds();
  }
  if (memory_.points().size() == memory_.points().labelled()) {
    models_.set_bias(problem_, models_.middle_bias(models_.model(problem_)));
  }
  begun_ = false;
  ++problem_;
  find_problem();
}

// Takes the result of the cold restart over if its objective is smaller by more than rounding.
void Senfs::take_if_better() {
  MarginModel& model = models_.model(problem_);
  const Real before = models_.objective(problem_, model, model.bias, penalty_, s_);
  const Real now = models_.objective(problem_, trial_, trial_.bias, penalty_, s_);
  if (!(now < before * (1 - Real(1e-5)))) return;
  std::copy(trial_.weights.begin(), trial_.weights.end(), model.weights.begin());
  std::copy(trial_.places.begin(), trial_.places.end(), model.places.begin());
  std::copy(trial_.roles.begin(), trial_.roles.end(), model.roles.begin());
  std::copy(trial_.slopes.begin(), trial_.slopes.end(), model.slopes.begin());
  model.bias = trial_.bias;
  models_.set_bias(problem_, trial_.bias);
  iterations_[problem_] = rounds_.rounds();
}

Status Senfs::score(Span<Real> scores, InfoList* info) {
  const OneVsRest problems(memory_.points());
  const Status status = problems.check("senfs needs labelled samples of two classes");
  if (!status.ok()) return status;
  models_.score(memory_.points(), scores);
  const bool overflown = overflow_ && prepared_;  // of the points now held
  std::size_t existing = 0;
  for (std::size_t p = 0; p < models_.problems(); ++p) {
    if (!problems.exists(p)) continue;
    const Real objective = models_.objective(p, models_.model(p), models_.bias(p), penalty_, s_);
    if (overflown || !(objective < kInfinity)) {
      return {StatusCode::failed_precondition, "products overflow: scale the features down"};
    }
    objectives_[existing++] = objective;
  }
  if (info != nullptr) report(*info, existing);
  return {};
}

void Senfs::report(InfoList& info, std::size_t existing) {
  const OneVsRest problems(memory_.points());
  const bool balanced = memory_.points().size() > memory_.points().labelled();
  Real gap = 0;
  Real residual = 0;
  std::uint32_t iterations = 0;
  const Real* objective = objectives_.begin();
  for (std::size_t p = 0; p < models_.problems(); ++p) {
    if (!problems.exists(p)) continue;
    const MarginModel& model = models_.model(p);
    const Real off_balance = std::abs(rounds_.balance_residual(p, model));
    residual = std::max(residual, off_balance);
    if (off_balance > Real(1e-3)) {
      gap = 1;
    } else {
      gap = std::max(
          gap, models_.relative_gap(p, model, models_.bias(p), penalty_, s_, balanced, *objective));
    }
    ++objective;
    iterations += iterations_[p];
  }
  info.of_problems("objective", objectives_.subspan(0, existing));
  info.real("gap", gap);
  info.real("balance_residual", residual);
  info.integer("iterations", iterations);
  info.boolean("converged",
               prepared_ && pass_ != Pass::first && settled_ && is_near_minimum(penalty_, gap));
}

void Senfs::decide(Span<const Real> scores, Span<std::uint32_t> /*order*/, Span<bool> selected) {
  select_nonzero(scores, selected);
}

void Senfs::digest(Digest& digest) const {
  models_.digest(memory_.points(), digest);
  digest.add_all(iterations_.data(), iterations_.size());
  digest.add_all(known_.data(), known_.size());
  digest.add_all(cold_.data(), cold_.size());
  digest.add(static_cast<std::uint32_t>(problem_));
  digest.add(static_cast<std::uint32_t>(pass_));
  digest.add(prepared_);
  digest.add(begun_);
  digest.add(settled_);
  digest.add(overflow_);
  if (!prepared_ || !begun_) return;
  rounds_.digest(digest);
  if (pass_ == Pass::restart) models_.digest_one(trial_, memory_.points(), digest);
}

}  // namespace whittle
