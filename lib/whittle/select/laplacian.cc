#include "whittle/select/laplacian.h"

#include <algorithm>

#include "whittle/select/ratio.h"

namespace whittle {

void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, Span<Real> scores) {
  for (std::size_t first = 0; first < scores.size(); first += kLanes) {
    const std::size_t width = std::min(kLanes, scores.size() - first);
    const PointMeans means = point_means(points, scatter, first, width);
    CompensatedSum spread[kLanes];  // sum_i D_i (f_i - mu_D)^2
    for (const Slot slot : points.order()) {
      const Real* x = points.row(slot) + first;
      for (std::size_t l = 0; l < width; ++l) {
        const Real d = (x[l] - means.origin[l]) - means.weighted[l];
        spread[l].add(scatter.degree(slot) * d * d);
      }
    }
    for (std::size_t l = 0; l < width; ++l) {
      scores[first + l] =
          means.constant[l] ? kNoScore : ratio(scatter.smoothness(first + l), spread[l].value());
    }
  }
}

}  // namespace whittle
