// NearestRows: the k nearest other points of every point of a StandardPoints, and the weights of
// the graph that they make.
//
// Nearest by (distance, age), the older first on a tie; points are neighbours if one is among the k
// nearest of the other, w_ij = exp(-d2_ij / lambda), lambda the mean of d2 over the edges, 1 if
// that is 0 (docs/methods.md). Made anew each time, in steps of one point, since a scale that
// follows the held points moves all of them. Memory: N k (4 bytes and a Real), 4 N bytes, N Reals.
#ifndef WHITTLE_SELECT_SOLVE_NEAREST_ROWS_H_
#define WHITTLE_SELECT_SOLVE_NEAREST_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/select/solve/standard_points.h"

namespace whittle {

class NearestRows {
 public:
  static constexpr std::size_t places(std::size_t capacity, std::size_t k) {
    return std::min(k, capacity);
  }
  static constexpr std::size_t required_bytes(std::size_t capacity, std::size_t k) {
    return ByteCount{}
        .array<std::uint32_t>(capacity, places(capacity, k))
        .array<Real>(capacity, places(capacity, k))
        .array<std::uint32_t>(capacity)
        .array<Real>(capacity)
        .total();
  }
  void place(Arena& arena, std::size_t capacity, std::size_t k);

  // Finds the nearest of point i. Cost: n (m + a little).
  void find(const StandardPoints& points, std::size_t i);
  // When all points have been found: leaves every edge in the list of one of its ends, and weighs
  // it. False if there is no edge. Cost: n k (k + exp).
  bool weigh(std::size_t n);

  // The edges that stand at point i: their other ends, and s_ij = w_ij / sqrt(D_i D_j), with D_i
  // the sum of the weights at i.
  std::size_t edges(std::size_t i) const { return lengths_[i]; }
  const std::uint32_t* ends(std::size_t i) const { return ends_.data() + i * places_; }
  const Real* weights(std::size_t i) const { return weights_.data() + i * places_; }
  Real lambda() const { return lambda_; }  // of the last weigh()

 private:
  void drop_double_edges(std::size_t n);
  bool choose_lambda(std::size_t n);

  std::size_t places_ = 0;
  Span<std::uint32_t> ends_;
  Span<Real> weights_;  // d2 until weigh()
  Span<std::uint32_t> lengths_;
  Span<Real> roots_;  // sqrt(D)
  Real lambda_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_NEAREST_ROWS_H_
