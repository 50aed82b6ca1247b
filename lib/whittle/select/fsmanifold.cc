#include "whittle/select/fsmanifold.h"

#include <algorithm>
#include <cmath>

#include "whittle/select/solve/constant_feature.h"

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
  const std::uint32_t m = memory.config().features;
  if (values.given(3) && values.integer(3) > m) {
    return {StatusCode::invalid_argument, "fsmanifold: m_sel is at most the number of features", m};
  }
  return create_selector<Fsmanifold>(arena, memory, values, selector);
}

Fsmanifold::Fsmanifold(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory),
      c_(values[0]),
      plain_(static_cast<double>((1 - values[2]) * (1 - values[2]))),
      manifold_(static_cast<double>(values[2] * values[2] / values[1])),
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
  h_ = arena.array<double>(packed_size(l));
  p_ = arena.array<Real>(problems * m);
  s_ = arena.array<Real>(problems * m);
  duals_ = arena.array<double>(problems * l);
  mixed_ = arena.array<double>(problems * l);
  scratch_ = arena.array<double>(m);
  sums_ = arena.array<double>(m);
  slopes_ = arena.array<Real>(m);
  const Span<Real> by_problem = arena.array<Real>(3 * problems);
  objectives_ = by_problem.subspan(0, problems);
  gaps_ = by_problem.subspan(problems, problems);
  listed_ = by_problem.subspan(2 * problems, problems);
  steps_ = arena.array<std::uint32_t>(problems);
  std::fill(p_.begin(), p_.end(), static_cast<Real>(count_) / static_cast<Real>(m));
  std::fill(objectives_.begin(), objectives_.end(), kInfinity);
  std::fill(gaps_.begin(), gaps_.end(), kInfinity);
}

Status Fsmanifold::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  const OneVsRest problems(points);
  if (const Status status = problems.check("fsmanifold needs labelled samples of two classes");
      !status.ok()) {
    return status;
  }
  if (stage_ != Stage::changed) {  // they tell of the points now held
    if (flat_) {
      return {StatusCode::failed_precondition, "fsmanifold needs neighbours that differ"};
    }
    if (overflown_) {
      return {StatusCode::failed_precondition, "products overflow: scale the features down"};
    }
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
  std::fill(slopes_.begin(), slopes_.end(), Real(0));  // here the largest responses
  for (std::size_t p = 0; p < steps_.size(); ++p) {
    if (!problems.exists(p)) continue;
    arrange(chosen(p), responses(p), scores, order);
    for (std::size_t i = 0; i < count_; ++i) {
      if (has_score(scores[order[i]])) selected[order[i]] = true;
    }
    for (std::size_t r = 0; r < slopes_.size(); ++r) {
      slopes_[r] = std::max(slopes_[r], responses(p)[r]);
    }
  }
  arrange(scores.data(), slopes_.data(), scores, order);
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
    const bool known = stage_ != Stage::changed && steps_[p] > 0;
    gap = std::max(gap, known ? std::min(gaps_[p], Real(1)) : Real(1));
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
  digest.add(flat_);
  digest.add(overflown_);
  digest.add(static_cast<std::uint32_t>(place_));
  digest.add(static_cast<std::uint32_t>(problem_));
  if (stage_ == Stage::svm) digest.add_all(svm_.duals(), svm_.size());
}

}  // namespace whittle
