// ThinQr: X = Q R for a set of columns that come and go: Q orthonormal, R upper triangular with a
// positive diagonal.
//
// A column is appended by Gram-Schmidt, twice, which leaves Q orthogonal to rounding; one that is
// dependent on the others to rounding is refused. One is removed by plane rotations (Golub and Van
// Loan, Matrix Computations, 6.5). By columns, not by their Gram matrix, whose rounding would cost
// twice the digits. Cost, k columns of m: append 8 k m, remove at most 6 k m. Memory, at most K
// columns: (K + 1) m + (K + 1) (K + 2) / 2 Reals.
#ifndef WHITTLE_SELECT_SOLVE_THIN_QR_H_
#define WHITTLE_SELECT_SOLVE_THIN_QR_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/select/solve/packed_size.h"

namespace whittle {

class ThinQr {
 public:
  static constexpr std::size_t required_bytes(std::size_t rows, std::size_t most) {
    const std::size_t places = most + 1;
    return ByteCount{}.array<Real>(places, rows).bytes(packed_bytes<Real>(places)).total();
  }
  void place(Arena& arena, std::size_t rows, std::size_t most);

  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }  // k

  // Takes a column of m elements in as the last one. Returns false if it depends on the others (or
  // there is no room), and takes it not; candidate() then holds its k coordinates in Q.
  bool append(const Real* column);
  Real* candidate() { return column(size_); }

  // Takes out the column at `place`; those after it move up.
  void remove(std::size_t place);

  const Real* basis(std::size_t i) const { return basis_.data() + i * rows_; }  // column i of Q
  void solve(Real* b) const;             // b <- R^-1 b, k elements
  void solve_transposed(Real* b) const;  // b <- R'^-1 b

 private:
  Real* column(std::size_t j) { return triangle_.data() + j * (j + 1) / 2; }
  const Real* column(std::size_t j) const { return triangle_.data() + j * (j + 1) / 2; }
  void rotate(std::size_t row, std::size_t first_column);

  std::size_t rows_ = 0;  // m
  std::size_t most_ = 0;
  std::size_t size_ = 0;
  Span<Real> basis_;     // K + 1 rows of m: Q', and room for a candidate
  Span<Real> triangle_;  // R by columns, column j of j + 1 elements, and a candidate
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_THIN_QR_H_
