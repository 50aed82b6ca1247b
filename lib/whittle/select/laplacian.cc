#include "whittle/select/laplacian.h"

#include "whittle/select/ratio.h"

namespace whittle {

void PointSums::place(Arena& arena, std::size_t features) {
  const Span<Real> rows = arena.array<Real>(4 * features);
  origin_ = rows.subspan(0, features);
  means_ = rows.subspan(features, features);
  ranges_ = rows.subspan(2 * features, features);
  totals_ = rows.subspan(3 * features, features);
  sums_.place(arena, features);
}

// A feature that no point has gets no origin: its sums come out as no score.
void PointSums::take_origin(const HeldPoints& points) {
  const Real* oldest = points.row(points.oldest());
  std::copy(oldest, oldest + origin_.size(), origin_.begin());
  if (!points.any_missing()) return;
  for (std::size_t r = 0; r < origin_.size(); ++r) {
    for (const Slot slot : points.order()) {
      if (!is_missing(origin_[r])) break;
      origin_[r] = points.row(slot)[r];
    }
  }
}

void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, PointSums& sums,
                      Span<Real> scores) {
  const auto degree = [&](Slot slot) { return scatter.degree(slot); };
  sums.take_means(points, scatter.total_degree(), degree);
  sums.add_squares(points, degree);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = sums.constant(r) ? kNoScore : ratio(scatter.smoothness(r), sums.sums().value(r));
  }
}

}  // namespace whittle
