#include "whittle/select/solve/manifold_kernel.h"

#include <algorithm>

#include "whittle/select/solve/vectors.h"

namespace whittle {
namespace {

bool lists(const NeighbourGraph& graph, const HeldPoints& points, Slot slot, Slot other) {
  const Slot* list = graph.neighbours(slot);
  const Slot* end = list + graph.degree(points, slot);
  return std::find(list, end, other) != end;
}

}  // namespace

void ManifoldKernel::place(Arena& arena, std::size_t features) {
  factor_.place(arena, features);
  const Span<double> rows = arena.array<double>(2 * features);
  solution_ = rows.subspan(0, features);
  differences_ = rows.subspan(features, features);
}

void ManifoldKernel::clear() {
  for (std::size_t r = 0; r < solution_.size(); ++r) {
    std::fill(factor_.row(r), factor_.row(r) + r + 1, 0.0);
  }
}

void ManifoldKernel::add_point(const NeighbourGraph& graph, const FilledPoints& filled,
                               const Real* centre, Slot slot) {
  const HeldPoints& points = filled.held();
  const std::size_t m = solution_.size();
  const Real* x = filled.row(slot, 0);
  std::fill(differences_.begin(), differences_.end(), 0.0);
  for (const Slot other : points.order()) {
    if (other == slot) continue;
    if (!lists(graph, points, slot, other) && !lists(graph, points, other, slot)) continue;
    const Real* y = filled.row(other, 1);
    for (std::size_t r = 0; r < m; ++r) {
      differences_[r] += static_cast<double>(x[r]) - static_cast<double>(y[r]);
    }
  }
  for (std::size_t r = 0; r < m; ++r) {
    const double own = static_cast<double>(x[r]) - static_cast<double>(centre[r]);
    if (own != 0) add_multiple(own, differences_.data(), factor_.row(r), r + 1);
  }
}

bool ManifoldKernel::factor() {
  const std::size_t m = solution_.size();
  double trace = 0;
  for (std::size_t r = 0; r < m; ++r) trace += factor_.row(r)[r];
  if (!(trace > 0)) return false;
  for (std::size_t r = 0; r < m; ++r) {
    factor_.row(r)[r] += 1e-6 * trace / static_cast<double>(m);
  }
  return factor_.factor(m);
}

const double* ManifoldKernel::solve(const double* x) {
  std::copy(x, x + solution_.size(), solution_.begin());
  factor_.solve(solution_.data());
  return solution_.data();
}

}  // namespace whittle
