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
  differences_.place(arena, h);
  totals_.place(arena, h);
  const Span<std::uint32_t> words = arena.array<std::uint32_t>(3 * h);
  features_ = words.subspan(0, h);
  parents_ = words.subspan(h, h);
  outside_ = words.subspan(2 * h, h);
  removed_ = arena.array<bool>(h);
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
    if (!removed_[v]) order[kept++] = features_[v];
  }
  std::size_t place = kept;
  for (std::size_t v = 0; v < count_; ++v) {
    if (removed_[v]) order[place++] = features_[v];
  }
  return kept;
}

void RedundancyTree::normalise(const HeldPoints& points) {
  for (Rank v = 0; v < count_; ++v) {
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
Real RedundancyTree::normalised(const Real* x, Rank rank) const {
  const Real value = x[features_[rank]];
  if (is_missing(value) || inverses_[rank] == 0) return Real(0);
  return ((value - origins_[rank]) - means_[rank]) * inverses_[rank];
}

void RedundancyTree::grow(const HeldPoints& points) {
  outside_count_ = 0;
  for (Rank v = 1; v < count_; ++v) {
    outside_[outside_count_++] = v;
    strengths_[v] = Real(-1);
  }
  Rank newest = 0;
  while (outside_count_ > 0) {
    measure_edges(points, newest);
    std::size_t heaviest = 0;
    for (std::size_t i = 1; i < outside_count_; ++i) {
      if (strengths_[outside_[i]] > strengths_[outside_[heaviest]]) heaviest = i;
    }
    newest = outside_[heaviest];
    Rank* place = outside_.begin() + heaviest;
    std::copy(place + 1, outside_.begin() + outside_count_, place);
    --outside_count_;
  }
}

// Looks at the edges from the newest feature in the tree to those outside.
void RedundancyTree::measure_edges(const HeldPoints& points, Rank inside) {
  products_.clear();
  differences_.clear();
  totals_.clear();
  for (const Slot slot : points.order()) {
    const Real* x = points.row(slot);
    const Real u = normalised(x, inside);
    const Real* v = row_.data();
    for (std::size_t i = 0; i < outside_count_; ++i) row_[i] = normalised(x, outside_[i]);
    products_.add(0, outside_count_, [&](std::size_t i) { return u * v[i]; });
    differences_.add(0, outside_count_, [&](std::size_t i) { return (u - v[i]) * (u - v[i]); });
    totals_.add(0, outside_count_, [&](std::size_t i) { return (u + v[i]) * (u + v[i]); });
  }
  for (std::size_t i = 0; i < outside_count_; ++i) {
    const Rank v = outside_[i];
    const Real edge = strength(i);
    if (edge < strengths_[v] || (edge == strengths_[v] && inside > parents_[v])) continue;
    strengths_[v] = edge;
    parents_[v] = inside;
  }
}

// rho^2 / (1 - rho^2), 1 - rho^2 at least 1e-6.
Real RedundancyTree::strength(std::size_t outside) const {
  const Real rho = products_.value(outside);
  const Real square = rho * rho;
  if (square < Real(0.25)) return square / (Real(1) - square);
  // |u -+ v|^2 = 2 - 2 |rho|, with the sign of rho: call it d; 1 - rho^2 = d - d^2 / 4.
  const Real d = rho < 0 ? totals_.value(outside) : differences_.value(outside);
  const Real rest = std::max(d - Real(0.25) * d * d, Real(1e-6));
  return (Real(1) - rest) / rest;
}

// Leaves a mark on what is removed.
void RedundancyTree::remove_neighbours(Real min_mi) {
  std::fill(removed_.begin(), removed_.end(), false);
  const auto is_heavy = [&](Rank v) {  // the edge to its parent
    return Real(0.5) * log(Real(1) + strengths_[v]) >= min_mi;
  };
  for (Rank kept = 0; kept < count_; ++kept) {
    if (removed_[kept]) continue;
    if (kept > 0 && is_heavy(kept)) removed_[parents_[kept]] = true;
    for (Rank v = 1; v < count_; ++v) {
      if (parents_[v] == kept && is_heavy(v)) removed_[v] = true;
    }
  }
}

}  // namespace whittle
