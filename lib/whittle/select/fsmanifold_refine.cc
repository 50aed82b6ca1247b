// The steps of Fsmanifold::refine, stage by stage.
#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/select/fsmanifold.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {

void Fsmanifold::observe(const Observation& seen) {
  if (seen.kind == SampleKind::universum) return;
  // Without the manifold, an unlabelled sample changes the means that stand for missing values, and
  // nothing else.
  const bool counts = manifold_ > 0 || seen.kind == SampleKind::labelled || labelled_.any_missing();
  if (counts) stage_ = Stage::changed;
}

Refinement Fsmanifold::refine(std::uint32_t max_iterations) {
  Refinement done;
  if (memory_.points().classes_present() < 2) return done;
  while (stage_ != Stage::done && done.iterations < max_iterations) {
    step();
    ++done.iterations;
  }
  done.converged = stage_ == Stage::done;
  return done;
}

void Fsmanifold::step() {
  if (stage_ == Stage::changed) start();
  switch (stage_) {
    case Stage::points:
      return add_point();
    case Stage::factor:
      return factor();
    case Stage::rows:
      return add_row();
    case Stage::svm:
      if (place_ == 0) build_kernel();
      place_ = 1;
      if (svm_.iterate()) stage_ = Stage::bounds;
      return;
    case Stage::bounds:
      return take_cut();
    case Stage::changed:
    case Stage::done:
      return;
  }
}

void Fsmanifold::start() {
  labelled_.update(memory_.points());
  models_.move_centre(labelled_.centre());
  for (std::size_t p = 0; p < steps_.size(); ++p) {
    labelled_.carry(duals_.data() + p * memory_.config().labelled);
    labelled_.carry(mixed_.data() + p * memory_.config().labelled);
    steps_[p] = 0;
  }
  flat_ = false;
  overflown_ = false;
  place_ = 0;
  if (manifold_ > 0) {
    manifold_kernel_.clear();
    stage_ = Stage::points;
  } else {
    std::fill(h_.begin(), h_.end(), 0.0);
    find_problem(0);
  }
}

void Fsmanifold::add_point() {
  const Span<const Slot> order = memory_.points().order();
  manifold_kernel_.add_point(memory_.graph(), labelled_.filled(), labelled_.centre(),
                             order[place_++]);
  if (place_ == order.size()) stage_ = Stage::factor;
}

void Fsmanifold::factor() {
  flat_ = !manifold_kernel_.factor();
  place_ = 0;
  stage_ = flat_ ? Stage::done : Stage::rows;
}

void Fsmanifold::add_row() {
  labelled_.centred(place_, scratch_.data());
  manifold_kernel_.solve(scratch_.data());
  double* row = row_of_h(place_);
  for (std::size_t j = 0; j <= place_; ++j) {
    labelled_.centred(j, scratch_.data());
    row[j] = manifold_kernel_.product(scratch_.data());
  }
  if (++place_ == labelled_.size()) find_problem(0);
}

// Takes up the next problem that exists, from `first` on.
void Fsmanifold::find_problem(std::size_t first) {
  const OneVsRest problems(memory_.points());
  problem_ = first;
  while (problem_ < steps_.size() && !problems.exists(problem_)) ++problem_;
  stage_ = Stage::done;
  if (problem_ == steps_.size()) return;
  stage_ = Stage::svm;
  place_ = 0;
  method_.begin(count_, level_, wanted_gap_, labelled_.size(), chosen(problem_));
  const auto duals = duals_.begin() + problem_ * memory_.config().labelled;
  std::copy(duals, duals + labelled_.size(), svm_.duals());
}

// M at the point of the level method.
void Fsmanifold::build_kernel() {
  const OneVsRest problems(memory_.points());
  svm_.resize(labelled_.size(), static_cast<double>(c_));
  for (std::size_t i = 0; i < labelled_.size(); ++i) {
    svm_.set_positive(i, problems.sign(labelled_.slot(i), problem_) > 0);
    labelled_.centred(i, scratch_.data());
    for (std::size_t r = 0; r < features(); ++r) {
      scratch_[r] *= plain_ * static_cast<double>(method_.point()[r]);
    }
    double* row = svm_.kernel_row(i);
    for (std::size_t j = 0; j <= i; ++j) {
      row[j] = labelled_.product(scratch_.data(), j) + manifold_ * row_of_h(i)[j];
    }
  }
  svm_.start();
}

// phi(., u): returns the constant, and leaves v_r'u in sums_ and the slopes in slopes_.
Real Fsmanifold::evaluate(const double* u) {
  labelled_.combine(u, sums_.data());
  for (std::size_t r = 0; r < features(); ++r) {
    slopes_[r] = static_cast<Real>(-0.5 * plain_ * sums_[r] * sums_[r]);
  }
  double size = 0;
  double square = 0;  // u'Hu / 2
  for (std::size_t i = 0; i < labelled_.size(); ++i) {
    size += std::abs(u[i]);
    const double* row = row_of_h(i);
    square += u[i] * (dot(row, u, i) + row[i] * u[i] / 2);
  }
  return static_cast<Real>(size - manifold_ * square);
}

// One step of the level method, from the solution of the SVM at its point.
void Fsmanifold::take_cut() {
  const auto value = static_cast<Real>(svm_.objective() + svm_.gap());
  // Where points are very far apart, it is the other way round: the margins' share is too small.
  if (!(value < kInfinity) || value < std::numeric_limits<Real>::min()) {
    overflown_ = true;
    return find_problem(problem_ + 1);
  }
  const bool best = method_.lower_upper(value);
  if (steps_[problem_] == 0) seed_cut();
  const Real constant = evaluate(svm_.duals());
  method_.add_cut(constant, slopes_.data(), svm_.duals());
  if (best) keep_best();
  const double* mixture = method_.mix();
  if (method_.raise_lower(evaluate(mixture), slopes_.data())) {
    std::copy(mixture, mixture + labelled_.size(),
              mixed_.begin() + problem_ * memory_.config().labelled);
  }
  objectives_[problem_] = method_.upper();
  gaps_[problem_] = method_.gap();
  ++steps_[problem_];
  if (method_.gap() <= wanted_gap_ || steps_[problem_] >= max_steps_) {
    return find_problem(problem_ + 1);
  }
  method_.next_point();
  stage_ = Stage::svm;
  place_ = 0;
}

// A cut and a lower bound from the mixture that bounded the last optimum.
void Fsmanifold::seed_cut() {
  double* u = mixed_.data() + problem_ * memory_.config().labelled;
  svm_.make_feasible(u);
  if (std::all_of(u, u + labelled_.size(), [](double dual) { return dual == 0; })) return;
  const Real constant = evaluate(u);
  method_.add_cut(constant, slopes_.data(), u);
  method_.raise_lower(constant, slopes_.data());
}

// The point, with its u, v_r'u and model; after evaluate().
void Fsmanifold::keep_best() {
  const std::size_t m = features();
  std::copy(method_.point(), method_.point() + m, p_.begin() + problem_ * m);
  std::copy(svm_.duals(), svm_.duals() + labelled_.size(),
            duals_.begin() + problem_ * memory_.config().labelled);
  Real* weights = models_.weights(problem_);
  for (std::size_t r = 0; r < m; ++r) {
    s_[problem_ * m + r] = static_cast<Real>(std::abs(sums_[r]));
    scratch_[r] = plain_ * static_cast<double>(method_.point()[r]) * sums_[r];
  }
  if (manifold_ > 0) {
    add_multiple(manifold_, manifold_kernel_.solve(sums_.data()), scratch_.data(), m);
  }
  for (std::size_t r = 0; r < m; ++r) weights[r] = static_cast<Real>(scratch_[r]);
  models_.set_bias(problem_, static_cast<Real>(svm_.bias()));
}

}  // namespace whittle
