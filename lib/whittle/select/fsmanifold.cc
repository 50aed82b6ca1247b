#include "whittle/select/fsmanifold.h"

#include <algorithm>
#include <cmath>

#include "whittle/select/solve/constant_feature.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {
namespace {

Real rounded(Real p) { return std::floor(p * 100 + Real(0.5)); }

// Best first: by p rounded, then by response, then by index; those without a score last.
void arrange(const Real* p, const Real* response, Span<const Real> scores,
             Span<std::uint32_t> order) {
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (has_score(scores[a]) != has_score(scores[b])) return has_score(scores[a]);
    if (has_score(scores[a])) {
      if (rounded(p[a]) != rounded(p[b])) return rounded(p[a]) > rounded(p[b]);
      if (response[a] != response[b]) return response[a] > response[b];
    }
    return a < b;
  };
  std::make_heap(order.begin(), order.end(), before);
  std::sort_heap(order.begin(), order.end(), before);
}

}  // namespace

Status Fsmanifold::create(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                          Selector** selector) {
  const std::uint32_t count = values.integer(3);
  const std::uint32_t m = memory.config().features;
  if (count > m && values[3] != kFsmanifoldParams[3].fallback) {
    return {StatusCode::invalid_argument, "fsmanifold: m_sel is at most the number of features", m};
  }
  return create_selector<Fsmanifold>(arena, memory, values, selector);
}

Fsmanifold::Fsmanifold(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory),
      c_(values[0]),
      plain_((1 - values[2]) * (1 - values[2])),
      manifold_(values[2] * values[2] / values[1]),
      count_(std::min<std::size_t>(values.integer(3), memory.config().features)),
      level_(values[5]),
      wanted_gap_(values[6]),
      max_steps_(values.integer(7)) {
  const std::size_t m = memory.config().features;
  const std::size_t l = memory.config().labelled;
  const std::size_t problems = max_problems(memory.config().classes);
  labelled_.place(arena, memory.config());
  models_.place(arena, memory.config());
  manifold_kernel_.place(arena, m);
  svm_.place(arena, l);
  method_.place(arena, m, l);
  h_ = arena.array<Real>(l % 2 == 0 ? l / 2 * (l + 1) : l * ((l + 1) / 2));
  p_ = arena.array<Real>(problems * m);
  s_ = arena.array<Real>(problems * m);
  duals_ = arena.array<Real>(problems * l);
  mixed_ = arena.array<Real>(problems * l);
  const Span<Real> rows = arena.array<Real>(3 * m);
  scratch_ = rows.subspan(0, m);
  sums_ = rows.subspan(m, m);
  slopes_ = rows.subspan(2 * m, m);
  const Span<Real> by_problem = arena.array<Real>(3 * problems);
  objectives_ = by_problem.subspan(0, problems);
  gaps_ = by_problem.subspan(problems, problems);
  listed_ = by_problem.subspan(2 * problems, problems);
  steps_ = arena.array<std::uint32_t>(problems);
  std::fill(p_.begin(), p_.end(), static_cast<Real>(count_) / static_cast<Real>(m));
  std::fill(objectives_.begin(), objectives_.end(), kInfinity);
  std::fill(gaps_.begin(), gaps_.end(), kInfinity);
}

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
    std::fill(h_.begin(), h_.end(), Real(0));
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
  Real* row = row_of_h(place_);
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
  svm_.resize(labelled_.size(), c_);
  for (std::size_t i = 0; i < labelled_.size(); ++i) {
    svm_.set_positive(i, problems.sign(labelled_.slot(i), problem_) > 0);
    labelled_.centred(i, scratch_.data());
    for (std::size_t r = 0; r < features(); ++r) scratch_[r] *= plain_ * method_.point()[r];
    Real* row = svm_.kernel_row(i);
    for (std::size_t j = 0; j <= i; ++j) {
      row[j] = labelled_.product(scratch_.data(), j) + manifold_ * row_of_h(i)[j];
    }
  }
  svm_.start();
}

// phi(., u): returns the constant, and leaves v_r'u in sums_ and the slopes in slopes_.
Real Fsmanifold::evaluate(const Real* u) {
  labelled_.combine(u, sums_.data());
  for (std::size_t r = 0; r < features(); ++r) {
    slopes_[r] = Real(-0.5) * plain_ * sums_[r] * sums_[r];
  }
  Real size = 0;
  Real square = 0;  // u'Hu / 2
  for (std::size_t i = 0; i < labelled_.size(); ++i) {
    size += std::abs(u[i]);
    const Real* row = row_of_h(i);
    square += u[i] * (dot(row, u, i) + row[i] * u[i] / 2);
  }
  return size - manifold_ * square;
}

// One step of the level method, from the solution of the SVM at its point.
void Fsmanifold::take_cut() {
  const Real value = svm_.objective() + svm_.gap();
  if (!(value < kInfinity)) {
    overflown_ = true;
    return find_problem(problem_ + 1);
  }
  const bool best = method_.lower_upper(value);
  if (steps_[problem_] == 0) seed_cut();
  const Real constant = evaluate(svm_.duals());
  method_.add_cut(constant, slopes_.data(), svm_.duals());
  if (best) keep_best();
  const Real* mixture = method_.mix();
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
  Real* u = mixed_.data() + problem_ * memory_.config().labelled;
  svm_.make_feasible(u);
  if (std::all_of(u, u + labelled_.size(), [](Real dual) { return dual == 0; })) return;
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
    s_[problem_ * m + r] = std::abs(sums_[r]);
    weights[r] = plain_ * method_.point()[r] * sums_[r];
  }
  if (manifold_ > 0) {
    const double* solution = manifold_kernel_.solve(sums_.data());
    for (std::size_t r = 0; r < m; ++r) weights[r] += manifold_ * static_cast<Real>(solution[r]);
  }
  models_.set_bias(problem_, svm_.bias());
}

Status Fsmanifold::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  const OneVsRest problems(points);
  if (const Status status = problems.check("fsmanifold needs labelled samples of two classes");
      !status.ok()) {
    return status;
  }
  if (flat_) return {StatusCode::failed_precondition, "fsmanifold needs neighbours that differ"};
  if (overflown_) {
    return {StatusCode::failed_precondition, "products overflow: scale the features down"};
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = 0;
    for (std::size_t p = 0; p < steps_.size(); ++p) {
      if (problems.exists(p)) scores[r] = std::max(scores[r], chosen(p)[r]);
    }
    if (is_constant(points, r)) scores[r] = kNoScore;
  }
  if (info != nullptr) report(problems, *info);
  return {};
}

void Fsmanifold::decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) {
  const OneVsRest problems(memory_.points());
  auto most = std::count(selected.begin(), selected.end(), true);  // top N or all
  std::fill(selected.begin(), selected.end(), false);
  std::fill(sums_.begin(), sums_.end(), Real(0));
  for (std::size_t p = 0; p < steps_.size(); ++p) {
    if (!problems.exists(p)) continue;
    arrange(chosen(p), responses(p), scores, order);
    for (std::size_t i = 0; i < count_; ++i) {
      if (has_score(scores[order[i]])) selected[order[i]] = true;
    }
    for (std::size_t r = 0; r < sums_.size(); ++r) {
      sums_[r] = std::max(sums_[r], responses(p)[r]);
    }
  }
  arrange(scores.data(), sums_.data(), scores, order);
  for (const std::uint32_t r : order) {
    if (selected[r] && most-- <= 0) selected[r] = false;
  }
}

void Fsmanifold::report(const OneVsRest& problems, InfoList& info) {
  std::size_t count = 0;
  std::uint32_t steps = 0;
  Real gap = 0;
  for (std::size_t p = 0; p < steps_.size(); ++p) {
    if (!problems.exists(p)) continue;
    listed_[count++] = objectives_[p];
    gap = std::max(gap, gaps_[p]);
    steps += steps_[p];
  }
  info.of_problems("objective", {listed_.data(), count});
  info.real("gap", gap);
  info.boolean("converged", stage_ == Stage::done && gap <= wanted_gap_);
  info.integer("iterations", steps);
}

void Fsmanifold::digest(Digest& digest) const {
  labelled_.digest(digest);
  models_.digest(digest);
  method_.digest(digest);
  digest.add_all(p_.data(), p_.size());
  digest.add_all(s_.data(), s_.size());
  digest.add_all(duals_.data(), duals_.size());
  digest.add_all(mixed_.data(), mixed_.size());
  digest.add_all(objectives_.data(), objectives_.size());
  digest.add_all(gaps_.data(), gaps_.size());
  digest.add_all(steps_.data(), steps_.size());
  digest.add(static_cast<std::uint8_t>(stage_));
  digest.add(static_cast<std::uint32_t>(place_));
  digest.add(static_cast<std::uint32_t>(problem_));
  if (stage_ == Stage::svm) digest.add_all(svm_.duals(), svm_.size());
}

}  // namespace whittle
