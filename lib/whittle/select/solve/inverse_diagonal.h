// What a Cholesky factor tells of its matrix: the logarithm of its determinant, and the diagonal of
// its inverse. Cost: n log; (n - a)^2 / 2 multiplications and additions for element a.
#ifndef WHITTLE_SELECT_SOLVE_INVERSE_DIAGONAL_H_
#define WHITTLE_SELECT_SOLVE_INVERSE_DIAGONAL_H_

#include <cstddef>

#include "whittle/base/lanes.h"
#include "whittle/base/math.h"
#include "whittle/select/solve/cholesky.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {

inline Real log_determinant(const Cholesky<>& factor) {
  CompensatedSum sum;
  for (std::size_t i = 0; i < factor.size(); ++i) sum.add(2 * whittle::log(factor.row(i)[i]));
  return sum.value();
}

// Element (a, a) of the inverse, |L^-1 e_a|^2: a sum of squares, so that it loses no digits.
// Scratch: n elements.
inline Real inverse_element(const Cholesky<>& factor, std::size_t a, Real* scratch) {
  for (std::size_t i = a; i < factor.size(); ++i) {
    const Real* const row = factor.row(i);
    const Real rest = (i == a ? Real(1) : Real(0)) - dot(row + a, scratch + a, i - a);
    scratch[i] = rest / row[i];
  }
  return dot(scratch + a, scratch + a, factor.size() - a);
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_INVERSE_DIAGONAL_H_
