// The steps of Jsfs::refine, stage by stage.
#include <algorithm>

#include "whittle/select/jsfs.h"

namespace whittle {
namespace {

constexpr std::uint32_t kSweepsInStep = 8;

}  // namespace

Refinement Jsfs::refine(std::uint32_t max_iterations) {
  Refinement done;
  if (memory_.points().classes_present() < 2) {
    stage_ = Stage::idle;
    changed_ = true;
    return done;
  }
  while (done.iterations < max_iterations && (changed_ || stage_ != Stage::idle)) {
    if (stage_ == Stage::idle) stage_ = Stage::copy;
    take_step();
    ++done.iterations;
  }
  done.converged = !changed_ && stage_ == Stage::idle;
  return done;
}

void Jsfs::take_step() {
  switch (stage_) {
    case Stage::idle:
      break;
    case Stage::copy:
      copy_points();
      break;
    case Stage::neighbour:
      find_neighbours();
      break;
    case Stage::weigh:
      weigh_edges();
      break;
    case Stage::propagate:
      propagate();
      break;
    case Stage::structure:
      add_structure();
      break;
    case Stage::refit:
      refit();
      break;
    case Stage::solve:
      solve();
      break;
  }
}

void Jsfs::copy_points() {
  const OneVsRest numbering(memory_.points());
  points_.update(memory_.points());
  changed_ = false;
  for (std::size_t p = 0; p < problems(); ++p) {
    if (!numbering.exists(p)) models_[p] = {};
    models_[p].wanted = numbering.exists(p);
    models_[p].residual = 1;
    if (models_[p].wanted) other_class_ = numbering.other_class(numbering.class_of(p));
  }
  next_ = 0;
  stage_ = Stage::neighbour;
}

// How many points a step may deal with so as to cost no more than a Newton step, n m^2 / 2.
std::size_t Jsfs::points_in_step(std::size_t cost_of_one) const {
  return std::max<std::size_t>(1, points_.size() * features_ / (2 * cost_of_one));
}

void Jsfs::find_neighbours() {
  const std::size_t last = std::min(points_.size(), next_ + points_in_step(points_.size()));
  for (; next_ < last; ++next_) graph_.find(points_, next_);
  if (next_ == points_.size()) stage_ = Stage::weigh;
}

void Jsfs::weigh_edges() {
  edgeless_ = !graph_.weigh(points_.size());
  problem_ = edgeless_ ? problems() : 0;
  start_problem();
}

// The first one from problem_ on.
void Jsfs::start_problem() {
  while (problem_ < problems() && !models_[problem_].wanted) ++problem_;
  if (problem_ == problems()) {
    stage_ = Stage::idle;
    return;
  }
  const std::uint32_t positive = OneVsRest(memory_.points()).class_of(problem_);
  labels_.start(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_.label(i) == kUnlabelled) continue;
    labels_.label(i, points_.label(i) == positive ? 1 : -1);
  }
  structure_.start(points_, positive, eta_, gamma_);
  next_ = 0;
  stage_ = Stage::propagate;
}

void Jsfs::propagate() {
  for (std::uint32_t sweep = 0; sweep < kSweepsInStep; ++sweep) {
    if (!labels_.sweep(graph_)) continue;
    labels_.decide();
    stage_ = Stage::structure;
    return;
  }
}

void Jsfs::add_structure() {
  const std::size_t last = std::min(points_.size(), next_ + points_in_step(edge_cost_));
  for (; next_ < last; ++next_) structure_.add(points_, graph_, next_);
  if (next_ < points_.size()) return;
  const bool warm = models_[problem_].passes > 0;
  start_solver(warm);
  stage_ = warm ? Stage::refit : Stage::solve;
}

void Jsfs::start_solver(bool warm) {
  SampleWeights& samples = solver_.samples();
  samples.start(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const bool labelled = points_.label(i) != kUnlabelled;
    samples.set(i, labelled, labels_.positive(i));
    if (!warm || labelled) continue;
    const Slot slot = points_.slot(memory_.points(), i);
    samples.set_weight(i, slot == kNoSlot ? Real(0) : lambdas(problem_)[slot]);
  }
  if (warm) {
    solver_.start_from(points_, structure_, w(problem_), alpha(problem_));
  } else {
    solver_.start(points_, structure_);
  }
}

void Jsfs::refit() {
  if (!solver_.refit_step()) return;
  publish();
  start_solver(false);
  stage_ = Stage::solve;
}

void Jsfs::solve() {
  Model& model = models_[problem_];
  const bool ended = solver_.step();
  // Without an earlier result, what there is after a pass is better than nothing.
  if (ended || (model.passes == 0 && solver_.pass_ended())) {
    publish();
    model.residual = solver_.residual();
  }
  if (!ended) return;
  model.objective = solver_.objective();
  model.passes = solver_.passes();
  model.converged = solver_.converged();
  ++problem_;
  start_problem();
}

void Jsfs::publish() {
  models_[problem_].exists = true;
  std::copy(solver_.w(), solver_.w() + features_, w(problem_));
  std::copy(solver_.alpha(), solver_.alpha() + features_, alpha(problem_));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Slot slot = points_.slot(memory_.points(), i);
    if (slot != kNoSlot) lambdas(problem_)[slot] = solver_.samples().lambda(i);
  }
}

}  // namespace whittle
