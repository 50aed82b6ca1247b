// SymmetricEigen: the eigenvalues of a symmetric matrix A = Q diag(lambda) Q', and Q'Z for given
// vectors Z. The eigenvectors themselves are never formed: every reflection and rotation that
// reduces A is applied to Z at once, which for few vectors takes less work and memory than Q.
//
// Householder reflections to tridiagonal form, then implicit QL steps (Golub and Van Loan, Matrix
// Computations, 8.3). By hand, since Eigen's SelfAdjointEigenSolver allocates. Errors of lambda and
// of Q'Z / |Z|: a few roundings times the largest |lambda|, the latter over the distance to the
// next eigenvalue; where eigenvalues coincide, Q within their space is whatever came out.
//
// Cost, n x n matrix, m vectors: 2/3 n^3 + n^2 m multiplications and additions for the reduction,
// then mostly less than n^2 rotations of m pairs, 15 n^2 at most. Memory: 3 n + m Reals; A and Z
// are the caller's and overwritten.
#ifndef WHITTLE_SELECT_SOLVE_SYMMETRIC_EIGEN_H_
#define WHITTLE_SELECT_SOLVE_SYMMETRIC_EIGEN_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

class SymmetricEigen {
 public:
  static constexpr std::size_t required_bytes(std::size_t most_rows, std::size_t most_vectors) {
    return ByteCount{}.array<Real>(most_rows, 3).array<Real>(most_vectors).total();
  }
  void place(Arena& arena, std::size_t most_rows, std::size_t most_vectors);

  // `triangle`: the lower triangle of A with its diagonal, row by row, n (n + 1) / 2 elements.
  // `vectors`: Z, n rows of m; row j becomes the products of eigenvector j, as values() counts
  // them, with the m vectors. A vector that is not finite spoils only itself. Returns whether all
  // eigenvalues settled in 30 n steps, which finite matrices do.
  bool solve(std::size_t n, Real* triangle, Real* vectors, std::size_t m);

  // n eigenvalues, in no order.
  Span<const Real> values() const { return Span<const Real>(diagonal_.data(), size_); }

 private:
  void reduce(Real* triangle, Real* vectors);
  bool make_reflector(Real* u, std::size_t length, Real* left_over);
  void reflect_matrix(Real* triangle, const Real* u, std::size_t length, Real scale);
  void reflect_vectors(Real* vectors, const Real* u, std::size_t length, Real scale);
  bool diagonalise(Real* vectors);
  bool settle(Real* vectors);
  void step(std::size_t first, std::size_t last, Real* vectors);
  void rotate_vectors(Real* vectors, std::size_t row, Real cosine, Real sine);

  std::size_t size_ = 0;
  std::size_t vectors_ = 0;
  Span<Real> diagonal_;
  Span<Real> off_diagonal_;  // [i]: between i and i + 1
  Span<Real> products_;      // scratch: A u
  Span<Real> projections_;   // scratch: u'Z
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SYMMETRIC_EIGEN_H_
