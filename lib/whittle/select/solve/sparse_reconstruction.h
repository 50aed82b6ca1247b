// SparseReconstruction: each held point as a sparse combination of the others, and what is left
// over of each feature.
//
// s_i = argmin 1/2 |x_i - sum_{j != i} s_j x_j|^2 + kappa_i |s|_1, kappa_i = 0.05 max_{j != i}
// |<x_j, x_i>|; error of feature r: sum_i (f_ri - sum_j s_ij f_rj)^2. The s_i need not be unique,
// the errors are. In place of a missing value stands the mean of the present ones, in the error
// too. Source: [U] (4).
//
// Cost, n points: a Lasso for each, of mostly k to 2 k iterations of (n + 6 k) m, k <= min(m, n)
// the points in a combination. Memory, at most N held: Lasso with N columns, FilledPoints, 2 m + N
// Reals.
#ifndef WHITTLE_SELECT_SOLVE_SPARSE_RECONSTRUCTION_H_
#define WHITTLE_SELECT_SOLVE_SPARSE_RECONSTRUCTION_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/status.h"
#include "whittle/memory/feature_sums.h"
#include "whittle/memory/filled_points.h"
#include "whittle/memory/held_points.h"
#include "whittle/select/info.h"
#include "whittle/select/solve/lasso.h"

namespace whittle {

class SparseReconstruction {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    return ByteCount{}
        .array<Real>(config.capacity())
        .bytes(FilledPoints::required_bytes(config.features))
        .bytes(FeatureSums::required_bytes(config.features))
        .bytes(Lasso::required_bytes(config.features, config.capacity()))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Reconstructs every held point. Errors: failed_precondition when dot products overflow.
  Status measure(const HeldPoints& points);

  Real error(std::size_t feature) const { return errors_.value(feature); }
  // converged: every point's minimum was reached; iterations: of all points together.
  void report(InfoList* info) const;

 private:
  bool reconstruct(const HeldPoints& points, std::size_t i);

  Span<Real> lengths_;  // |x_i|, by age
  FilledPoints filled_;
  FeatureSums errors_;
  Lasso lasso_;
  std::uint32_t iterations_ = 0;
  bool converged_ = true;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SPARSE_RECONSTRUCTION_H_
