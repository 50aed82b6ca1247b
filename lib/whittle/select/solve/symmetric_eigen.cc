#include "whittle/select/solve/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/select/solve/vectors.h"

namespace whittle {

void SymmetricEigen::place(Arena& arena, std::size_t most_rows, std::size_t most_vectors) {
  const Span<Real> rows = arena.array<Real>(3 * most_rows);
  diagonal_ = rows.subspan(0, most_rows);
  off_diagonal_ = rows.subspan(most_rows, most_rows);
  products_ = rows.subspan(2 * most_rows, most_rows);
  projections_ = arena.array<Real>(most_vectors);
}

bool SymmetricEigen::solve(std::size_t n, Real* triangle, Real* vectors, std::size_t m) {
  size_ = n;
  vectors_ = m;
  reduce(triangle, vectors);
  return diagonalise(vectors);
}

// To tridiagonal form, last row first: a reflection of the coordinates before i turns row i, up to
// the diagonal, into a multiple of the last of them.
void SymmetricEigen::reduce(Real* triangle, Real* vectors) {
  for (std::size_t i = size_; i-- > 0;) {
    Real* u = triangle + i * (i + 1) / 2;
    diagonal_[i] = u[i];
    if (i == 0) return;
    if (!make_reflector(u, i, &off_diagonal_[i - 1])) continue;
    const Real scale = Real(2) / dot(u, u, i);
    reflect_matrix(triangle, u, i, scale);
    reflect_vectors(vectors, u, i, scale);
  }
}

// Turns u into a vector whose reflection takes what u was to (0, .., 0, *left_over). Returns false
// if u has that form already.
bool SymmetricEigen::make_reflector(Real* u, std::size_t length, Real* left_over) {
  Real largest = 0;
  for (std::size_t k = 0; k + 1 < length; ++k) largest = std::max(largest, std::abs(u[k]));
  *left_over = u[length - 1];
  if (!(largest > 0)) return false;
  largest = std::max(largest, std::abs(u[length - 1]));
  for (std::size_t k = 0; k < length; ++k) u[k] /= largest;  // so that squares do not underflow
  const Real norm = std::sqrt(dot(u, u, length));
  const Real image = u[length - 1] >= 0 ? -norm : norm;
  u[length - 1] -= image;
  *left_over = largest * image;
  return true;
}

// A <- P A P with P = I - scale u u', on the first `length` coordinates: A - u q' - q u' where
// q = p - scale/2 (u'p) u, p = scale A u.
void SymmetricEigen::reflect_matrix(Real* triangle, const Real* u, std::size_t length, Real scale) {
  Real* q = products_.data();
  const Real* row = triangle;
  for (std::size_t j = 0; j < length; row += ++j) {
    add_multiple(u[j], row, q, j);
    q[j] = dot(row, u, j + 1);
  }
  for (std::size_t j = 0; j < length; ++j) q[j] *= scale;
  add_multiple(Real(-0.5) * scale * dot(u, q, length), u, q, length);
  Real* WHITTLE_RESTRICT changed = triangle;
  for (std::size_t j = 0; j < length; changed += ++j) {
    for (std::size_t k = 0; k <= j; ++k) changed[k] -= u[j] * q[k] + q[j] * u[k];
  }
}

void SymmetricEigen::reflect_vectors(Real* vectors, const Real* u, std::size_t length, Real scale) {
  std::fill(projections_.begin(), projections_.end(), Real(0));
  for (std::size_t j = 0; j < length; ++j) {
    add_multiple(u[j], vectors + j * vectors_, projections_.data(), vectors_);
  }
  for (std::size_t j = 0; j < length; ++j) {
    add_multiple(-scale * u[j], projections_.data(), vectors + j * vectors_, vectors_);
  }
}

bool SymmetricEigen::diagonalise(Real* vectors) {
  Real largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    largest = std::max(largest, std::abs(diagonal_[i]));
    if (i + 1 < size_) largest = std::max(largest, std::abs(off_diagonal_[i]));
  }
  if (!(largest > 0)) return true;
  for (std::size_t i = 0; i < size_; ++i) {  // so that squares neither overflow nor underflow
    diagonal_[i] /= largest;
    off_diagonal_[i] /= largest;
  }
  const bool settled = settle(vectors);
  for (std::size_t i = 0; i < size_; ++i) diagonal_[i] *= largest;
  return settled;
}

bool SymmetricEigen::settle(Real* vectors) {
  std::size_t steps = 30 * size_;
  for (std::size_t first = 0; first < size_;) {
    // The block from `first` on that no small element parts.
    std::size_t last = first;
    while (last + 1 < size_ &&
           std::abs(off_diagonal_[last]) > std::numeric_limits<Real>::epsilon()) {
      ++last;
    }
    if (last == first) {
      ++first;
      continue;
    }
    if (steps-- == 0) return false;
    step(first, last, vectors);
  }
  return true;
}

// One implicit QL step on the block first..last: a rotation in its last two rows, as the shifted
// matrix asks for, and one in each pair of rows above, chasing the element that this put beside the
// three diagonals up and out.
void SymmetricEigen::step(std::size_t first, std::size_t last, Real* vectors) {
  Real* d = diagonal_.data();
  Real* e = off_diagonal_.data();
  // Wilkinson's shift, subtracted from the last element.
  const Real half = (d[first + 1] - d[first]) / (Real(2) * e[first]);
  const Real root = std::sqrt(half * half + Real(1));
  Real g = d[last] - d[first] + e[first] / (half < 0 ? half - root : half + root);
  Real sine = 1;
  Real cosine = 1;
  Real moved = 0;
  for (std::size_t i = last; i-- > first;) {
    const Real f = sine * e[i];
    const Real b = cosine * e[i];
    const Real norm = std::sqrt(f * f + g * g);
    e[i + 1] = norm;
    if (norm == 0) {  // the block has come apart
      d[i + 1] -= moved;
      e[last] = 0;
      return;
    }
    sine = f / norm;
    cosine = g / norm;
    g = d[i + 1] - moved;
    const Real t = (d[i] - g) * sine + Real(2) * cosine * b;
    moved = sine * t;
    d[i + 1] = g + moved;
    g = cosine * t - b;
    rotate_vectors(vectors, i, cosine, sine);
  }
  d[first] -= moved;
  e[first] = g;
  e[last] = 0;
}

void SymmetricEigen::rotate_vectors(Real* vectors, std::size_t row, Real cosine, Real sine) {
  Real* WHITTLE_RESTRICT upper = vectors + row * vectors_;
  Real* WHITTLE_RESTRICT lower = upper + vectors_;
  for (std::size_t r = 0; r < vectors_; ++r) {
    const Real x = upper[r];
    const Real y = lower[r];
    upper[r] = cosine * x - sine * y;
    lower[r] = sine * x + cosine * y;
  }
}

}  // namespace whittle
