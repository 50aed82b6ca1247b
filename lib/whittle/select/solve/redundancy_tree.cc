#include "whittle/select/solve/redundancy_tree.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"
#include "whittle/base/math.h"

namespace whittle {

void RedundancyTree::place(Arena& arena, std::size_t features, std::size_t most) {
  const std::size_t h = std::min(features, most);
  const Span<Real> rows = arena.array<Real>(5 * h);
  origins_ = rows.subspan(0, h);
  means_ = rows.subspan(h, h);
  inverses_ = rows.subspan(2 * h, h);
  strengths_ = rows.subspan(3 * h, h);
  row_ = rows.subspan(4 * h, h);
  products_.place(arena, h);
  const Span<std::uint32_t> words = arena.array<std::uint32_t>(2 * h);
  features_ = words.subspan(0, h);
  parents_ = words.subspan(h, h);
  marks_ = arena.array<bool>(h);
}

std::size_t RedundancyTree::eliminate(const HeldPoints& points, Span<const Real> scores,
                                      Real min_mi, Span<std::uint32_t> order) {
  count_ = 0;
  while (count_ < features_.size() && has_score(scores[order[count_]])) {
    features_[count_] = order[count_];
    ++count_;
  }
  normalise(points);
  grow(points);
  remove_neighbours(min_mi);
  std::size_t kept = 0;
  for (std::size_t v = 0; v < count_; ++v) {
    if (!marks_[v]) order[kept++] = features_[v];
  }
  std::size_t place = kept;
  for (std::size_t v = 0; v < count_; ++v) {
    if (marks_[v]) order[place++] = features_[v];
  }
  return kept;
}

void RedundancyTree::normalise(const HeldPoints& points) {
  for (std::size_t v = 0; v < count_; ++v) {
    // From the first value there is on, so that a large offset costs no digits.
    CompensatedSum sum;
    std::uint32_t present = 0;
    for (const Slot slot : points.order()) {
      const Real value = points.row(slot)[features_[v]];
      if (is_missing(value)) continue;
      if (present++ == 0) origins_[v] = value;
      sum.add(value - origins_[v]);
    }
    means_[v] = sum.value() / static_cast<Real>(std::max(present, std::uint32_t{1}));
    inverses_[v] = Real(1);
    CompensatedSum squares;
    for (const Slot slot : points.order()) {
      const Real deviation = normalised(points.row(slot), v);
      squares.add(deviation * deviation);
    }
    const Real norm = std::sqrt(squares.value());
    inverses_[v] = norm > 0 && norm < kInfinity ? Real(1) / norm : Real(0);
  }
}

// Of a point with the values x.
Real RedundancyTree::normalised(const Real* x, std::size_t rank) const {
  const Real value = x[features_[rank]];
  if (is_missing(value) || inverses_[rank] == 0) return Real(0);
  return ((value - origins_[rank]) - means_[rank]) * inverses_[rank];
}

void RedundancyTree::grow(const HeldPoints& points) {
  std::fill(marks_.begin(), marks_.end(), false);
  std::fill(strengths_.begin(), strengths_.end(), Real(-1));
  Rank newest = 0;
  for (std::size_t inside = 1; inside < count_; ++inside) {
    marks_[newest] = true;
    measure_edges(points, newest);
    Real heaviest = Real(-1);
    for (Rank v = 1; v < count_; ++v) {
      if (marks_[v] || !(strengths_[v] > heaviest)) continue;
      heaviest = strengths_[v];
      newest = v;
    }
  }
}

// Looks at the edges from the newest feature in the tree to those outside.
void RedundancyTree::measure_edges(const HeldPoints& points, Rank inside) {
  products_.clear();
  for (const Slot slot : points.order()) {
    const Real* x = points.row(slot);
    for (std::size_t v = 0; v < count_; ++v) row_[v] = normalised(x, v);
    const Real u = row_[inside];
    products_.add(0, count_, [&](std::size_t v) { return u * row_[v]; });
  }
  for (Rank v = 1; v < count_; ++v) {
    if (marks_[v]) continue;
    const Real edge = strength(points, inside, v, products_.value(v));
    if (edge < strengths_[v] || (edge == strengths_[v] && inside > parents_[v])) continue;
    strengths_[v] = edge;
    parents_[v] = inside;
  }
}

// rho^2 / (1 - rho^2), 1 - rho^2 at least 1e-6.
Real RedundancyTree::strength(const HeldPoints& points, Rank a, Rank b, Real rho) const {
  const Real square = rho * rho;
  if (square < Real(0.25)) return square / (Real(1) - square);
  // With d = |u - sign(rho) v|^2 = 2 - 2 |rho|: 1 - rho^2 = d - d^2 / 4.
  CompensatedSum difference;
  for (const Slot slot : points.order()) {
    const Real* x = points.row(slot);
    const Real v = normalised(x, b);
    const Real d = normalised(x, a) - (rho < 0 ? -v : v);
    difference.add(d * d);
  }
  const Real d = difference.value();
  const Real rest = std::max(d - Real(0.25) * d * d, Real(1e-6));
  return (Real(1) - rest) / rest;
}

// Leaves a mark on what is removed.
void RedundancyTree::remove_neighbours(Real min_mi) {
  std::fill(marks_.begin(), marks_.end(), false);
  const auto is_heavy = [&](Rank v) {  // the edge to its parent
    return Real(0.5) * log(Real(1) + strengths_[v]) >= min_mi;
  };
  for (Rank kept = 0; kept < count_; ++kept) {
    if (marks_[kept]) continue;
    if (kept > 0 && is_heavy(kept)) marks_[parents_[kept]] = true;
    for (Rank v = 1; v < count_; ++v) {
      if (parents_[v] == kept && is_heavy(v)) marks_[v] = true;
    }
  }
}

}  // namespace whittle
