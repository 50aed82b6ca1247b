#include "whittle/select/solve/sparse_reconstruction.h"

#include <cmath>

#include "whittle/select/solve/vectors.h"

namespace whittle {

void SparseReconstruction::place(Arena& arena, const MemoryConfig& config) {
  lengths_ = arena.array<Real>(config.capacity());
  filled_.place(arena, config.features);
  errors_.place(arena, config.features);
  lasso_.place(arena, config.features, config.capacity());
}

Status SparseReconstruction::measure(const HeldPoints& points) {
  filled_.update(points);
  errors_.clear();
  iterations_ = 0;
  converged_ = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Real* x = filled_.row(points.order()[i], 0);
    const Real square = dot(x, x, points.features());
    if (!(square < kInfinity)) {
      return {StatusCode::failed_precondition, "dot products overflow: scale the features down"};
    }
    lengths_[i] = std::sqrt(square);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    converged_ = reconstruct(points, i) && converged_;
    iterations_ += lasso_.iterations();
    const Real* rest = lasso_.residual();
    errors_.add([&](std::size_t r) { return rest[r] * rest[r]; });
  }
  return {};
}

bool SparseReconstruction::reconstruct(const HeldPoints& points, std::size_t i) {
  const Span<const Slot> order = points.order();
  const Real* x = filled_.row(order[i], 0);
  const auto other = [&](std::size_t j) { return j == i ? nullptr : filled_.row(order[j], 1); };
  Real largest = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    if (j == i) continue;
    largest = std::max(largest, std::abs(dot(other(j), x, points.features())));
  }
  return lasso_.solve(x, Real(0.05) * largest, order.size(), lengths_.data(), other);
}

void SparseReconstruction::report(InfoList* info) const {
  if (info == nullptr) return;
  info->boolean("converged", converged_);
  info->integer("iterations", iterations_);
}

}  // namespace whittle
