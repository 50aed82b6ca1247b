// What ss and uss share in their tests: every point's lasso on the others in double precision, by
// coordinate descent until the signs are those of the minimum, and then from these.
#ifndef WHITTLE_TESTS_SHARED_SPARSE_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_SPARSE_REFERENCE_H_

#include <vector>

#include "tests/shared/filled_reference.h"

namespace whittle::testing {

// The solution of a x = b by elimination; a is symmetric and positive definite, or nearly.
inline Vector solve(Matrix a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// Whether the exact minimum with the signs of s is the minimum of all; s then becomes it.
inline bool finish(const Matrix& gram, std::size_t i, double kappa, Vector& s) {
  std::vector<std::size_t> set;
  for (std::size_t j = 0; j < s.size(); ++j) {
    if (s[j] != 0) set.push_back(j);
  }
  Matrix a(set.size(), Vector(set.size()));
  Vector b(set.size());
  for (std::size_t k = 0; k < set.size(); ++k) {
    for (std::size_t l = 0; l < set.size(); ++l) a[k][l] = gram[set[k]][set[l]];
    b[k] = gram[i][set[k]] - (s[set[k]] < 0 ? -kappa : kappa);
  }
  const Vector exact = solve(a, b);
  Vector products = gram[i];
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (!(exact[k] * s[set[k]] > 0)) return false;
    for (std::size_t j = 0; j < s.size(); ++j) products[j] -= exact[k] * gram[set[k]][j];
  }
  for (std::size_t j = 0; j < s.size(); ++j) {
    if (j != i && std::fabs(products[j]) > kappa + 1e-12 * gram[i][i]) return false;
  }
  for (std::size_t k = 0; k < set.size(); ++k) s[set[k]] = exact[k];
  return true;
}

// s_i of the others, from their inner products.
inline Vector sparse_combination(const Matrix& gram, std::size_t i) {
  const std::size_t n = gram.size();
  double kappa = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (j != i) kappa = std::max(kappa, 0.05 * std::fabs(gram[i][j]));
  }
  Vector s(n, 0);
  Vector products = gram[i];  // of the residual with every point
  for (int sweep = 1; sweep < 20000; ++sweep) {
    double most = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i || gram[j][j] == 0) continue;
      const double whole = products[j] + gram[j][j] * s[j];
      const double kept = std::max(std::fabs(whole) - kappa, 0.0) * (whole < 0 ? -1 : 1);
      const double move = kept / gram[j][j] - s[j];
      if (move == 0) continue;
      s[j] += move;
      for (std::size_t l = 0; l < n; ++l) products[l] -= move * gram[j][l];
      most = std::max(most, std::fabs(move));
    }
    if (most < 1e-15 || (sweep % 10 == 0 && finish(gram, i, kappa, s))) return s;
  }
  ADD_FAILURE() << "the reference has not converged: point " << i << " of " << n;
  return s;
}

// Of every feature: the sum of squares that the combinations leave.
inline Vector sparse_errors(const std::vector<Vector>& x) {
  const std::size_t n = x.size();
  Matrix gram(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) gram[i][j] = inner_product(x[i], x[j]);
  }
  Vector errors(x[0].size(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector s = sparse_combination(gram, i);
    for (std::size_t r = 0; r < errors.size(); ++r) {
      double rest = x[i][r];
      for (std::size_t j = 0; j < n; ++j) rest -= s[j] * x[j][r];
      errors[r] += rest * rest;
    }
  }
  return errors;
}

// Offsets near 0, without which coordinate descent takes too long to be a reference.
inline std::vector<HeldCase> sparse_cases() {
  std::vector<HeldCase> all(7);
  all[0].shape.rows = 20;
  all[1] = {{2, 30, 9, 3, Real(0.5), Real(0.2), Real(0.3), true, 0}, 6, 9};
  all[2] = {{4, 30, 1, 2, Real(0.4), Real(0.2), Real(0.2), false, 0}, 6, 9};
  all[3] = {{5, 20, 16, 4, Real(1), Real(0), Real(0), true, 0}, 14, 0};
  all[4] = {{6, 30, 3, 0, Real(0), Real(0.1), Real(0.5), false, 0}, 0, 12};
  all[5] = {{8, 30, 8, 3, Real(0.5), Real(0.2), Real(0.1), true, 0}, 8, 8};
  all[5].missing = Real(0.2);
  all[6] = {{9, 30, 6, 2, Real(0.4), Real(0.2), Real(0.1), true, 64}, 8, 8};
  all[6].scaled = true;
  return all;
}

inline RankerConfig sparse_config(const SelectorType& type, const HeldCase& one) {
  RankerConfig config = config_for(type, one.shape, one.labelled, one.window);
  config.memory.scaling = one.scaled ? Scaling::minmax : Scaling::none;
  return config;
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_SPARSE_REFERENCE_H_
