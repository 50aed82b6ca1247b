#include "whittle/select/solve/thin_qr.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/select/solve/vectors.h"

namespace whittle {

void ThinQr::place(Arena& arena, std::size_t rows, std::size_t most) {
  rows_ = rows;
  most_ = most;
  basis_ = arena.array<Real>((most + 1) * rows);
  triangle_ = arena.array<Real>(packed_size(most + 1));
}

bool ThinQr::append(const Real* added) {
  // Shorter than this, what is left of a column is rounding.
  constexpr Real kDependent = Real(16) * std::numeric_limits<Real>::epsilon();
  Real* rest = basis_.data() + size_ * rows_;
  Real* coordinates = column(size_);
  std::copy(added, added + rows_, rest);
  std::fill(coordinates, coordinates + size_, Real(0));
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < size_; ++i) {
      const Real coordinate = dot(basis(i), rest, rows_);
      add_multiple(-coordinate, basis(i), rest, rows_);
      coordinates[i] += coordinate;
    }
  }
  const Real length = std::sqrt(dot(rest, rest, rows_));
  if (size_ == most_ || !(length > kDependent * std::sqrt(dot(added, added, rows_)))) return false;
  for (std::size_t r = 0; r < rows_; ++r) rest[r] /= length;
  coordinates[size_++] = length;
  return true;
}

void ThinQr::remove(std::size_t place) {
  // Each later column moves to the place before it and has one element too many, below the
  // diagonal, which a rotation of two rows of R and of Q' turns to 0.
  --size_;
  for (std::size_t j = place; j < size_; ++j) {
    rotate(j, j + 1);
    std::copy(column(j + 1), column(j + 1) + j + 1, column(j));
  }
}

// Turns rows `row` and row + 1 of R so that the element of `first` in the latter is 0, and Q with
// them.
void ThinQr::rotate(std::size_t row, std::size_t first) {
  const Real a = column(first)[row];
  const Real b = column(first)[row + 1];
  const Real length = std::sqrt(a * a + b * b);
  const Real cosine = length > 0 ? a / length : Real(1);
  const Real sine = length > 0 ? b / length : Real(0);
  const auto turn = [&](Real& upper, Real& lower) {
    const Real x = upper;
    const Real y = lower;
    upper = cosine * x + sine * y;
    lower = cosine * y - sine * x;
  };
  for (std::size_t j = first; j <= size_; ++j) turn(column(j)[row], column(j)[row + 1]);
  Real* WHITTLE_RESTRICT upper = basis_.data() + row * rows_;
  Real* WHITTLE_RESTRICT lower = upper + rows_;
  for (std::size_t r = 0; r < rows_; ++r) turn(upper[r], lower[r]);
}

void ThinQr::solve(Real* b) const {
  for (std::size_t j = size_; j-- > 0;) {
    b[j] /= column(j)[j];
    add_multiple(-b[j], column(j), b, j);
  }
}

void ThinQr::solve_transposed(Real* b) const {
  for (std::size_t j = 0; j < size_; ++j) b[j] = (b[j] - dot(column(j), b, j)) / column(j)[j];
}

}  // namespace whittle
