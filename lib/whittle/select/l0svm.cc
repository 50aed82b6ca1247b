#include "whittle/select/l0svm.h"

#include <algorithm>
#include <cmath>

#include "whittle/select/solve/constant_feature.h"
#include "whittle/select/solve/hinge_losses.h"
#include "whittle/select/solve/select_nonzero.h"

namespace whittle {
namespace {

constexpr Real kNothing = Real(1e-9);  // a smaller z counts as 0

}  // namespace

L0svm::L0svm(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory), c_(values[0]), tolerance_(values[1]), max_rounds_(values.integer(2)) {
  const MemoryConfig& config = memory.config();
  const std::size_t problems = max_problems(config.classes);
  labelled_.place(arena, config);
  models_.place(arena, config);
  svm_.place(arena, config.labelled);
  first_duals_ = arena.array<Real>(problems * config.labelled);
  z_ = arena.array<Real>(config.features);
  scratch_ = arena.array<Real>(config.features);
  objectives_ = arena.array<Real>(problems);
  gaps_ = arena.array<Real>(problems);
  changes_ = arena.array<Real>(problems);
  listed_ = arena.array<Real>(problems);
  rounds_ = arena.array<std::uint32_t>(problems);
  converged_ = arena.array<bool>(problems);
}

void L0svm::observe(const Observation& seen) {
  // An unlabelled sample changes the means that stand for missing values, and nothing else.
  const bool counts = seen.kind == SampleKind::labelled ||
                      (seen.kind == SampleKind::unlabelled && labelled_.any_missing());
  if (counts) started_ = false;
}

// What an interrupted first round has found.
void L0svm::keep_first_duals() {
  if (!in_round_ || rounds_[problem_] > 0) return;
  const std::size_t capacity = memory_.config().labelled;
  std::copy(svm_.duals(), svm_.duals() + svm_.size(), first_duals_.begin() + problem_ * capacity);
}

void L0svm::start() {
  keep_first_duals();
  labelled_.update(memory_.points());
  models_.move_centre(labelled_.centre());
  for (std::size_t p = 0; p < rounds_.size(); ++p) {
    labelled_.carry(first_duals_.data() + p * memory_.config().labelled);
    rounds_[p] = 0;
    changes_[p] = 1;
    converged_[p] = false;
  }
  started_ = true;
  overflow_ = false;
  find_problem(0);
}

// Takes up the next problem that exists, from `first` on.
void L0svm::find_problem(std::size_t first) {
  const OneVsRest problems(memory_.points());
  problem_ = first;
  while (problem_ < rounds_.size() && !problems.exists(problem_)) ++problem_;
  in_round_ = false;
  std::fill(z_.begin(), z_.end(), Real(1));
}

void L0svm::begin_round() {
  const OneVsRest problems(memory_.points());
  svm_.resize(labelled_.size(), c_);
  for (std::size_t i = 0; i < labelled_.size(); ++i) {
    svm_.set_positive(i, problems.sign(labelled_.slot(i), problem_) > 0);
    labelled_.centred(i, scratch_.data());
    for (std::size_t r = 0; r < z_.size(); ++r) scratch_[r] *= z_[r] * z_[r];
    Real* row = svm_.kernel_row(i);
    for (std::size_t j = 0; j <= i; ++j) row[j] = labelled_.product(scratch_.data(), j);
  }
  if (rounds_[problem_] == 0) {
    const auto first = first_duals_.begin() + problem_ * memory_.config().labelled;
    std::copy(first, first + labelled_.size(), svm_.duals());
  }
  svm_.start();
  in_round_ = true;
}

void L0svm::end_round() {
  keep_first_duals();
  ++rounds_[problem_];
  in_round_ = false;
  objectives_[problem_] = svm_.objective() + svm_.gap();
  gaps_[problem_] = objectives_[problem_] > 0 ? svm_.gap() / objectives_[problem_] : Real(0);
  if (!(objectives_[problem_] < kInfinity)) {
    overflow_ = true;
    objectives_[problem_] = 0;  // what info tells is finite
    gaps_[problem_] = 1;
    return find_problem(problem_ + 1);
  }
  changes_[problem_] = weigh();
  converged_[problem_] = changes_[problem_] <= tolerance_;
  if (converged_[problem_] || rounds_[problem_] >= max_rounds_) find_problem(problem_ + 1);
}

// The model of the round, and its new z; returns the largest change.
Real L0svm::weigh() {
  Real* model = models_.weights(problem_);
  labelled_.combine(svm_.duals(), model);
  Real largest = 0;
  for (std::size_t r = 0; r < z_.size(); ++r) {
    model[r] *= z_[r] * z_[r];
    largest = std::max(largest, std::abs(model[r]));
  }
  models_.set_bias(problem_, svm_.bias());
  Real change = 0;
  for (std::size_t r = 0; r < z_.size(); ++r) {
    const Real z = std::abs(model[r]) / largest;  // NaN if all are 0
    const Real kept = z >= kNothing ? z : Real(0);
    if (kept == 0) model[r] = 0;
    change = std::max(change, std::abs(kept - z_[r]));
    z_[r] = kept;
  }
  return change;
}

void L0svm::step() {
  if (!in_round_) begin_round();
  if (svm_.iterate()) end_round();
}

Refinement L0svm::refine(std::uint32_t max_iterations) {
  Refinement done;
  if (memory_.points().classes_present() < 2) return done;
  if (!started_ && max_iterations > 0) start();
  while (problem_ < rounds_.size() && done.iterations < max_iterations) {
    step();
    ++done.iterations;
  }
  done.converged = started_ && problem_ == rounds_.size();
  return done;
}

// The largest z over the problems.
Real L0svm::weight(const OneVsRest& problems, std::size_t feature) const {
  Real best = 0;
  for (std::size_t p = 0; p < rounds_.size(); ++p) {
    if (!problems.exists(p)) continue;
    if (!models_.exists(p)) return 1;
    const Real* model = models_.weights(p);
    best = std::max(best, std::abs(model[feature]) / listed_[p]);
  }
  return best;
}

Status L0svm::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  const OneVsRest problems(points);
  if (const Status status = problems.check("l0svm needs labelled samples of two classes");
      !status.ok()) {
    return status;
  }
  if (overflow_ && started_) {
    return {StatusCode::failed_precondition, "products overflow: scale the features down"};
  }
  for (std::size_t p = 0; p < rounds_.size(); ++p) {
    const Real* model = models_.weights(p);
    listed_[p] = 0;
    for (std::size_t r = 0; r < z_.size(); ++r) {
      listed_[p] = std::max(listed_[p], std::abs(model[r]));
    }
    if (!(listed_[p] > 0)) listed_[p] = 1;  // no feature tells the classes apart
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = is_constant(points, r) ? kNoScore : weight(problems, r);
  }
  if (info != nullptr) report(problems, *info);
  return {};
}

void L0svm::decide(Span<const Real> scores, Span<std::uint32_t> /*order*/, Span<bool> selected) {
  select_nonzero(scores, selected);
}

void L0svm::report(const OneVsRest& problems, InfoList& info) {
  std::size_t count = 0;
  std::uint32_t rounds = 0;
  Real gap = 0;
  Real residual = started_ ? 0 : 1;
  bool converged = started_ && problem_ == rounds_.size();
  for (std::size_t p = 0; p < rounds_.size(); ++p) {
    if (!problems.exists(p)) continue;
    listed_[count++] = objectives_[p];
    rounds += rounds_[p];
    gap = std::max(gap, std::min(gaps_[p], Real(1)));
    residual = std::max(residual, changes_[p]);
    converged = converged && converged_[p];
  }
  info.of_problems("objective", {listed_.data(), count});
  info.real("gap", gap);
  info.real("residual", residual);
  info.boolean("converged", converged && gap <= kConvergedGap);
  info.integer("iterations", rounds);
}

void L0svm::digest(Digest& digest) const {
  labelled_.digest(digest);
  models_.digest(digest);
  digest.add_all(first_duals_.data(), first_duals_.size());
  digest.add_all(z_.data(), z_.size());
  digest.add_all(objectives_.data(), objectives_.size());
  digest.add_all(gaps_.data(), gaps_.size());
  digest.add_all(rounds_.data(), rounds_.size());
  digest.add_all(converged_.data(), converged_.size());
  digest.add(static_cast<std::uint32_t>(problem_));
  digest.add(in_round_);
  digest.add(started_);
  if (overflow_) digest.add(overflow_);
  if (in_round_) digest.add_all(svm_.duals(), svm_.size());
}

}  // namespace whittle
