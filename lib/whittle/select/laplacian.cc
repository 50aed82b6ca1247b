#include "whittle/select/laplacian.h"

#include "whittle/select/ratio.h"

namespace whittle {

void PointSums::place(Arena& arena, std::size_t features) {
  const Span<Real> rows = arena.array<Real>(2 * features);
  means_ = rows.subspan(0, features);
  ranges_ = rows.subspan(features, features);
  sums_.place(arena, features);
}

void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, PointSums& sums,
                      Span<Real> scores) {
  sums.take_means(points, scatter.total_degree(), [&](Slot slot) { return scatter.degree(slot); });
  const Real* origin = sums.origin();
  const Real* means = sums.means();
  for (const Slot slot : points.order()) {
    const Real* x = points.row(slot);
    const Real degree = scatter.degree(slot);
    sums.sums().add([&](std::size_t r) {
      const Real d = (x[r] - origin[r]) - means[r];
      return degree * d * d;
    });
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = sums.constant(r) ? kNoScore : ratio(scatter.smoothness(r), sums.sums().value(r));
  }
}

}  // namespace whittle
