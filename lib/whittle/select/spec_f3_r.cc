#include "whittle/select/spec_f3_r.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"
#include "whittle/select/held_moment.h"
#include "whittle/select/ratio.h"

namespace whittle {

SpecF3R::SpecF3R(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory), lambda_(values[0]) {
  const std::size_t capacity = memory.config().capacity();
  const std::size_t m = memory.config().features;
  graph_.place(arena, memory.config());
  eigen_.place(arena, capacity, m);
  const Span<Real> rows = arena.array<Real>(capacity * (m + 1));
  column_ = rows.subspan(0, capacity);
  features_ = rows.subspan(capacity, capacity * m);
  chosen_ = arena.array<bool>(capacity);
}

Status SpecF3R::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  if (points.classes_present() < 2) {
    return {StatusCode::failed_precondition, "spec_f3_r needs held samples of two classes"};
  }
  if (const Status status = graph_.build(memory_, lambda_); !status.ok()) return status;
  write_features();
  write_affinity();
  const bool converged =
      eigen_.solve(graph_.size(), graph_.row(0), features_.data(), points.features());
  choose_smoothest();
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = held_moment(points, r).constant ? kNoScore : feature_score(r);
  }
  if (info != nullptr) {
    info->real("lambda_used", graph_.lambda());
    info->boolean("converged", converged);
  }
  return {};
}

// D^1/2 (f - mu_D): D^1/2 f without its part along xi_0, which in a large common offset would drown
// the rest.
void SpecF3R::write_features() {
  const std::size_t m = memory_.points().features();
  for (std::size_t r = 0; r < m; ++r) {
    graph_.centre(r, column_.data());
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      features_[i * m + r] = std::sqrt(graph_.degree(i)) * column_[i];
    }
  }
}

// Over the weights: D^-1/2 S D^-1/2 - 5/2 xi_0 xi_0', whose eigenvalues are 1 - lambda_j, from -1
// to 1, except that of xi_0, which goes from 1 to -3/2.
void SpecF3R::write_affinity() {
  const std::size_t n = graph_.size();
  for (std::size_t i = 0; i < n; ++i) {
    column_[i] = graph_.degree(i) > 0 ? Real(1) / std::sqrt(graph_.degree(i)) : Real(0);
  }
  const Real total = graph_.total_degree();
  for (std::size_t i = 0; i < n; ++i) {
    const Real share = Real(2.5) * std::sqrt(graph_.degree(i) / total);
    Real* row = graph_.row(i);
    for (std::size_t j = 0; j <= i; ++j) {
      row[j] = row[j] * column_[i] * column_[j] - share * std::sqrt(graph_.degree(j) / total);
    }
  }
}

// The eigenvectors of the C - 1 smallest lambda, xi_0 not counted: the largest eigenvalues of what
// write_affinity wrote. Of equal ones the first.
void SpecF3R::choose_smoothest() {
  const Span<const Real> values = eigen_.values();
  std::fill(chosen_.begin(), chosen_.end(), false);
  const std::size_t wanted =
      std::min<std::size_t>(memory_.points().classes_present(), values.size()) - 1;
  for (std::size_t c = 0; c < wanted; ++c) {
    std::size_t best = values.size();
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (!chosen_[j] && (best == values.size() || values[j] > values[best])) best = j;
    }
    chosen_[best] = true;
  }
}

Real SpecF3R::feature_score(std::size_t feature) const {
  const std::size_t m = memory_.points().features();
  CompensatedSum smooth;
  CompensatedSum whole;  // |D^1/2 f|^2
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    const Real value = graph_.value(i, feature);
    whole.add(graph_.degree(i) * value * value);
    if (!chosen_[i]) continue;
    const Real product = features_[i * m + feature];
    smooth.add((Real(1) + eigen_.values()[i]) * product * product);  // 1 + (1 - lambda)
  }
  // The score is 2 at most: nothing below something is an underflow.
  return whole.value() > 0 ? ratio(smooth.value(), whole.value()) : kNoScore;
}

}  // namespace whittle
