// ManifoldKernel: the products x_i'Z^-1 x_j of fsmanifold, Z = X'LX + 1e-6 tr(X'LX)/m I, L the
// Laplacian of the neighbour graph with an edge of weight 1 between neighbours ([M] (3),
// docs/methods.md).
//
// X'LX is summed as X'(LX), a point at a time: the row of LX is a sum of differences to the point's
// neighbours, times the point less a centre, so an offset of the data drops out. Double precision,
// in the sums, the Cholesky factor, the solutions and the products, is needed. Z is as good as
// singular by design - with fewer points than features, or features that depend on each other, its
// smallest eigenvalues are the 1e-6 tr/m alone, 1e-6 to 1e-9 of the largest - and it is just there
// that Z^-1 is large. The sum of products in float is wrong by 1e-7 of the largest eigenvalue,
// which is more than that; no scaling, elimination order or refinement brings back what the sum has
// lost. (An orthogonal factorization of the differences would keep it in float, but takes a
// rotation of m^2 for each edge, k/2 times the work of the double sum here.) In double a
// condition of 1e9 leaves 7 digits.
//
// Cost: clear m^2, add_point m^2 / 2 + d m for d neighbours and 2 n k comparisons, factor m^3 / 6,
// solve m^2, all but the comparisons in double. Memory: m (m + 1) / 2 + 2 m doubles.
#ifndef WHITTLE_SELECT_SOLVE_MANIFOLD_KERNEL_H_
#define WHITTLE_SELECT_SOLVE_MANIFOLD_KERNEL_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/memory/filled_points.h"
#include "whittle/memory/neighbour_graph.h"
#include "whittle/select/solve/cholesky.h"

namespace whittle {

class ManifoldKernel {
 public:
  static constexpr std::size_t required_bytes(std::size_t features) {
    return ByteCount{}
        .bytes(Cholesky<double>::required_bytes(features))
        .array<double>(features, 2)
        .total();
  }
  void place(Arena& arena, std::size_t features);

  void clear();
  // Adds a held point's share to X'LX.
  void add_point(const NeighbourGraph& graph, const FilledPoints& filled, const Real* centre,
                 Slot slot);
  // When all have been added. False if Z is 0: there is no edge, or none of any length.
  bool factor();

  // Z^-1 x, of m elements; until the next call.
  const double* solve(const double* x);
  // x'Z^-1 x_last, of the last call of solve().
  double product(const double* x) const { return dot(x, solution_.data(), solution_.size()); }

 private:
  Span<double> solution_;
  Span<double> differences_;
  Cholesky<double> factor_;  // X'LX, then the factor of Z
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_MANIFOLD_KERNEL_H_
