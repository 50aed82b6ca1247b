// Cholesky: the factor L of a symmetric positive definite matrix A = LL', and solutions of Ax = b.
//
// The lower triangle is packed by rows: write A's row i, elements 0..i, to row(i), then factor().
// update() and downdate() turn the factor of A into that of A + xx' and A - xx'; append() and
// remove() add a last row and column and take any out. T is Real, or double where a solver says
// that it needs it. Sums run in the lanes of lanes.h, so every port gets the same bits.
//
// Cost: factor n^3/6, solve n^2, append n^2/2, update and downdate n^2 multiply-adds (and n square
// roots), remove at most as much (Golub and Van Loan, Matrix Computations, 6.5).
// Memory: n (n + 1) / 2 elements.
#ifndef WHITTLE_SELECT_SOLVE_CHOLESKY_H_
#define WHITTLE_SELECT_SOLVE_CHOLESKY_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/select/solve/packed_size.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {

template <typename T = Real>
class Cholesky {
 public:
  static constexpr std::size_t required_bytes(std::size_t capacity) {
    return packed_bytes<T>(capacity);
  }
  void place(Arena& arena, std::size_t capacity) {
    elements_ = arena.array<T>(packed_size(capacity));
  }

  T* row(std::size_t i) { return elements_.data() + i * (i + 1) / 2; }
  const T* row(std::size_t i) const { return elements_.data() + i * (i + 1) / 2; }

  // Factors the n x n matrix in place. False if it is not positive definite within rounding: a
  // pivot is lost in the rounding of its diagonal element. The elements are then spoilt.
  bool factor(std::size_t n) {
    n_ = n;
    for (std::size_t i = 0; i < n; ++i) {
      T* const a = row(i);
      const T diagonal = a[i];
      for (std::size_t j = 0; j < i; ++j) a[j] = (a[j] - dot(a, row(j), j)) / row(j)[j];
      const T pivot = diagonal - dot(a, a, i);
      if (!(pivot > diagonal * lost())) return false;
      a[i] = std::sqrt(pivot);
    }
    return true;
  }

  // Empties the matrix, to be built by append().
  void clear() { n_ = 0; }

  // One row and column more: A's row n, elements 0..n, stands in row(size()). False if the matrix
  // would not be positive definite: the new pivot is less than `least` of its diagonal element. The
  // matrix is then as before.
  bool append(T least = lost()) {
    T* const a = row(n_);
    const T diagonal = a[n_];
    solve_lower(a);
    const T pivot = diagonal - dot(a, a, n_);
    if (!(pivot > diagonal * least)) return false;
    a[n_] = std::sqrt(pivot);
    ++n_;
    return true;
  }

  // Takes out row and column k; those after it move up. `scratch`: n elements.
  void remove(std::size_t k, T* scratch) {
    for (std::size_t i = k + 1; i < n_; ++i) {
      scratch[i - 1] = row(i)[k];
      std::copy(row(i), row(i) + k, row(i - 1));
      std::copy(row(i) + k + 1, row(i) + i + 1, row(i - 1) + k);
    }
    --n_;
    update_from(k, scratch);
  }

  // The factor of A + xx'. Overwrites x, n elements.
  void update(T* x) { update_from(0, x); }

  // The factor of A - xx'. Overwrites x. False if that is not positive definite within rounding:
  // the factor is then spoilt and must be made anew.
  bool downdate(T* x) {
    for (std::size_t k = 0; k < n_; ++k) {
      T* const a = row(k);
      const T square = a[k] * a[k] - x[k] * x[k];
      if (!(square > a[k] * a[k] * lost())) return false;
      const T length = std::sqrt(square);
      rotate(k, length / a[k], x[k] / a[k], T(-1), x);
      a[k] = length;
    }
    return true;
  }

  // b <- L^-1 b, b <- L'^-1 b, b <- A^-1 b, n elements.
  void solve_lower(T* b) const {
    for (std::size_t i = 0; i < n_; ++i) b[i] = (b[i] - dot(row(i), b, i)) / row(i)[i];
  }
  void solve_upper(T* b) const {
    for (std::size_t i = n_; i-- > 0;) {
      b[i] /= row(i)[i];
      add_multiple(-b[i], row(i), b, i);
    }
  }
  void solve(T* b) const {
    solve_lower(b);
    solve_upper(b);
  }

  std::size_t size() const { return n_; }

 private:
  static constexpr T lost() { return 4 * std::numeric_limits<T>::epsilon(); }

  // update() where the first elements of x are 0.
  void update_from(std::size_t first, T* x) {
    for (std::size_t k = first; k < n_; ++k) {
      T* const a = row(k);
      const T length = std::sqrt(a[k] * a[k] + x[k] * x[k]);
      rotate(k, length / a[k], x[k] / a[k], T(1), x);
      a[k] = length;
    }
  }

  // Turns column k of L below its diagonal, and what is left of x.
  void rotate(std::size_t k, T c, T s, T sign, T* x) {
    for (std::size_t i = k + 1; i < n_; ++i) {
      T& element = row(i)[k];
      element = (element + sign * s * x[i]) / c;
      x[i] = c * x[i] - s * element;
    }
  }

  Span<T> elements_;
  std::size_t n_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_CHOLESKY_H_
