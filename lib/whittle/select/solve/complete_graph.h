// CompleteGraph: every pair of held points an edge, of weight w_ij = exp(-d2_ij / lambda), with d2
// the squared Euclidean distance in scaled units and lambda = auto the mean of d2 over all pairs, 1
// if that is 0 (docs/methods.md). Points are numbered by age, 0 the oldest. In place of a missing
// value stands the mean of the present ones, in distances and features alike.
//
// Cost of build: n^2/2 (m + 20). Memory, N points held at most: N (N + 1) / 2 + N Reals, 3 m Reals.
#ifndef WHITTLE_SELECT_SOLVE_COMPLETE_GRAPH_H_
#define WHITTLE_SELECT_SOLVE_COMPLETE_GRAPH_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/placed_pointer.h"
#include "whittle/base/status.h"
#include "whittle/memory/filled_points.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/select/solve/packed_size.h"

namespace whittle {

class CompleteGraph {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    const std::size_t n = config.capacity();
    return ByteCount{}
        .bytes(packed_bytes<Real>(n))
        .array<Real>(n)
        .bytes(FilledPoints::required_bytes(config.features))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Computes weights and degrees. Errors: failed_precondition when there are fewer than two points,
  // when all weights underflow to 0, or, with lambda = auto, when the distances overflow.
  Status build(const StreamMemory& memory, Real lambda);

  std::size_t size() const { return points_->size(); }      // n
  Real lambda() const { return lambda_; }                   // in use
  Real degree(std::size_t i) const { return degrees_[i]; }  // D_i = sum_j w_ij
  Real total_degree() const { return total_degree_; }
  // Row i of the lower triangle: w_i0 .. w_ii, w_ii = 0. The rows lie one after the other; what a
  // caller writes there stays until the next build.
  Real* row(std::size_t i) { return triangle_.data() + i * (i + 1) / 2; }
  const Real* row(std::size_t i) const { return triangle_.data() + i * (i + 1) / 2; }

  Real value(std::size_t i, std::size_t feature) const {
    return filled_.value(points_->order()[i], feature);
  }
  // Writes f - mu_D of a feature, mu_D = sum D_i f_i / sum D_i.
  void centre(std::size_t feature, Real* deviations) const;

  // Writes sum_j w_ij (u_i - u_j) for every i: (D - S) u, from differences, so that what u has in
  // common costs no digits. Cost: n^2/2.
  void apply_laplacian(const Real* u, Real* result) const;

 private:
  void write_distances();
  Status choose_lambda(Real lambda);
  void write_weights();

  PlacedPointer<const HeldPoints> points_;
  FilledPoints filled_;
  Span<Real> triangle_;
  Span<Real> degrees_;
  Real lambda_ = 0;
  Real total_degree_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_COMPLETE_GRAPH_H_
