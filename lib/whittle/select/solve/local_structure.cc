#include "whittle/select/solve/local_structure.h"

#include <algorithm>

#include "whittle/select/solve/vectors.h"

namespace whittle {

void LocalStructure::place(Arena& arena, std::size_t features) {
  elements_ = arena.array<Real>(packed_size(features));
  const Span<Real> rows = arena.array<Real>(3 * features);
  means_ = rows.subspan(0, 2 * features);
  difference_ = rows.subspan(2 * features, features);
}

void LocalStructure::start(const StandardPoints& points, std::uint32_t positive, Real eta,
                           Real gamma) {
  const std::size_t m = points.features();
  positive_ = positive;
  eta_ = eta;
  gamma_ = gamma;
  counts_[0] = counts_[1] = 0;
  std::fill(elements_.begin(), elements_.end(), Real(0));
  std::fill(means_.begin(), means_.end(), Real(0));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.label(i) == kUnlabelled) continue;
    const std::size_t c = points.label(i) == positive ? 1 : 0;
    counts_[c] += Real(1);
    add_multiple(Real(1), points.row(i), means_.data() + c * m, m);
  }
  for (std::size_t at = 0; at < 2 * m; ++at) {
    if (counts_[at / m] > 0) means_[at] /= counts_[at / m];
  }
}

void LocalStructure::add(const StandardPoints& points, const NearestRows& graph, std::size_t i) {
  const std::size_t m = points.features();
  const bool labelled = points.label(i) != kUnlabelled;
  if (labelled) {
    const std::size_t c = points.label(i) == positive_ ? 1 : 0;
    add_square(points.row(i), means_.data() + c * m, gamma_ * eta_ * counts_[c]);
  }
  for (std::size_t e = 0; e < graph.edges(i); ++e) {
    const std::size_t j = graph.ends(i)[e];
    if (labelled && points.label(j) != kUnlabelled) continue;
    add_square(points.row(i), points.row(j), gamma_);
  }
}

// B += weight (a - b)(a - b)'.
void LocalStructure::add_square(const Real* a, const Real* b, Real weight) {
  Real* const d = difference_.data();
  for (std::size_t r = 0; r < difference_.size(); ++r) d[r] = a[r] - b[r];
  Real* row = elements_.data();
  for (std::size_t r = 0; r < difference_.size(); ++r) {
    add_multiple(weight * d[r], d, row, r + 1);
    row += r + 1;
  }
}

void LocalStructure::apply(const Real* x, Real* product) const {
  for (std::size_t r = 0; r < difference_.size(); ++r) {
    product[r] = dot(row(r), x, r + 1);
    add_multiple(x[r], row(r), product, r);
  }
}

}  // namespace whittle
