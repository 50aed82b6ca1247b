#include "whittle/select/solve/labelled_svm.h"

#include <algorithm>

namespace whittle {

void LabelledSvm::place(Arena& arena, const StreamMemory& memory, const HingePenalty& penalty,
                        std::uint32_t max_iterations) {
  memory_ = &memory;
  penalty_ = penalty;
  max_iterations_ = max_iterations;
  models_.place(arena, memory.config(), penalty.l2 == 0);
  objectives_ = arena.array<Real>(max_problems(memory.config().classes));
}

void LabelledSvm::prepare() {
  models_.prepare(memory_->points(), false);
  prepared_ = true;
  begun_ = false;
  converged_ = true;
  overflow_ = false;
  problem_ = 0;
  iterations_ = 0;
  find_problem();
}

// The next one that exists, from problem_ on.
void LabelledSvm::find_problem() {
  const OneVsRest problems(memory_->points());
  while (problem_ < models_.problems() && !problems.exists(problem_)) ++problem_;
}

void LabelledSvm::begin_problem() {
  MarginModel& model = models_.model(problem_);
  models_.take_labels(problem_, model);
  models_.solver().begin(models_.points(), penalty_, false, model);
  begun_ = true;
  steps_ = 0;
}

Refinement LabelledSvm::refine(std::uint32_t max_iterations) {
  Refinement done;
  if (memory_->points().classes_present() < 2) return done;
  if (!prepared_ && max_iterations > 0) prepare();
  while (prepared_ && done.iterations < max_iterations && problem_ < models_.problems()) {
    if (!begun_) begin_problem();
    ++done.iterations;
    ++iterations_;
    ++steps_;
    const bool solved = models_.solver().step();
    const MarginModel& model = models_.model(problem_);
    models_.set_bias(problem_, solved ? models_.middle_bias(model) : model.bias);
    if (!solved && steps_ < max_iterations_) continue;
    overflow_ = overflow_ || !models_.solver().finite();
    converged_ = converged_ && solved && !overflow_;
    begun_ = false;
    ++problem_;
    find_problem();
  }
  done.converged = prepared_ && problem_ == models_.problems();
  return done;
}

Status LabelledSvm::score(const char* reason, Span<Real> scores, InfoList* info) {
  const OneVsRest problems(memory_->points());
  if (const Status status = problems.check(reason); !status.ok()) return status;
  models_.score(memory_->points(), scores);
  const bool overflown = overflow_ && prepared_;  // of the points now held
  std::size_t existing = 0;
  Real gap = 0;
  for (std::size_t p = 0; p < models_.problems(); ++p) {
    if (!problems.exists(p)) continue;
    const MarginModel& model = models_.model(p);
    const Real objective = models_.objective(p, model, models_.bias(p), penalty_, 0);
    if (overflown || !(objective < kInfinity)) {
      return {StatusCode::failed_precondition, "products overflow: scale the features down"};
    }
    objectives_[existing++] = objective;
    if (info == nullptr) continue;
    gap = std::max(gap,
                   models_.relative_gap(p, model, models_.bias(p), penalty_, 0, false, objective));
  }
  if (info == nullptr) return {};
  info->of_problems("objective", objectives_.subspan(0, existing));
  info->real("gap", gap);
  info->integer("iterations", iterations_);
  info->boolean("converged", prepared_ && problem_ == models_.problems() && converged_ &&
                                 is_near_minimum(penalty_, gap));
  return {};
}

void LabelledSvm::digest(Digest& digest) const {
  models_.digest(memory_->points(), digest);
  digest.add(static_cast<std::uint32_t>(problem_));
  digest.add(steps_);
  digest.add(iterations_);
  digest.add(prepared_);
  digest.add(begun_);
  digest.add(converged_);
  digest.add(overflow_);
}

}  // namespace whittle
