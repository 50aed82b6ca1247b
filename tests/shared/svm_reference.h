// The support vector machine's dual in double precision by a primal-dual interior-point method, for
// the tests of what is solved otherwise in the core.
#ifndef WHITTLE_TESTS_SHARED_SVM_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_SVM_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/shared/reference.h"

namespace whittle::testing {

// The solution of a x = b by elimination with pivoting.
inline Vector solve_dense(Matrix a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
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

struct SvmReference {
  Vector u;              // alpha_i y_i
  double objective = 0;  // sum alpha - 1/2 u'Mu
  double bias = 0;       // the multiplier of sum u = 0; one of its optimal ones
};

// max over u of y'u - 1/2 u'Mu, 0 <= y_i u_i <= c, sum u = 0.
inline SvmReference svm_reference(const Matrix& m, const std::vector<int>& y, double c) {
  const std::size_t l = y.size();
  // In alpha / c, so that all is of order one: min 1/2 a'Qa - q'a, 0 <= a <= 1, y'a = 0.
  double positive = 0;
  for (const int sign : y) positive += sign > 0;
  const double negative = static_cast<double>(l) - positive;
  Vector a(l), below(l, 1), above(l, 1);
  for (std::size_t i = 0; i < l; ++i)
    a[i] = 0.5 * std::min(positive, negative) / (y[i] > 0 ? positive : negative);
  double nu = 0;
  double scale = 1;
  for (std::size_t i = 0; i < l; ++i) scale = std::max(scale, c * m[i][i]);
  for (int round = 0; round < 100; ++round) {
    double mu = 0;
    for (std::size_t i = 0; i < l; ++i) mu += a[i] * below[i] + (1 - a[i]) * above[i];
    mu /= 2 * static_cast<double>(l);
    if (mu < 1e-15 / scale) break;
    const double target = 0.1 * mu;
    Matrix kkt(l + 1, Vector(l + 1, 0));
    Vector right(l + 1, 0);
    for (std::size_t i = 0; i < l; ++i) {
      double gradient = -1 / scale;
      for (std::size_t j = 0; j < l; ++j) {
        kkt[i][j] = c * y[i] * m[i][j] * y[j] / scale;
        gradient += kkt[i][j] * a[j];
      }
      kkt[i][i] += below[i] / a[i] + above[i] / (1 - a[i]);
      kkt[i][l] = kkt[l][i] = y[i];
      right[i] = -gradient - nu * y[i] + target / a[i] - target / (1 - a[i]);
      right[l] -= y[i] * a[i];
    }
    const Vector d = solve_dense(kkt, right);
    double step = 1;
    Vector dbelow(l), dabove(l);
    for (std::size_t i = 0; i < l; ++i) {
      dbelow[i] = (target - below[i] * d[i]) / a[i] - below[i];
      dabove[i] = (target + above[i] * d[i]) / (1 - a[i]) - above[i];
      if (d[i] < 0) step = std::min(step, -0.995 * a[i] / d[i]);
      if (d[i] > 0) step = std::min(step, 0.995 * (1 - a[i]) / d[i]);
      if (dbelow[i] < 0) step = std::min(step, -0.995 * below[i] / dbelow[i]);
      if (dabove[i] < 0) step = std::min(step, -0.995 * above[i] / dabove[i]);
    }
    for (std::size_t i = 0; i < l; ++i) {
      a[i] += step * d[i];
      below[i] += step * dbelow[i];
      above[i] += step * dabove[i];
    }
    nu += step * d[l];
  }
  SvmReference result;
  for (std::size_t i = 0; i < l; ++i) result.u.push_back(c * a[i] * y[i]);
  for (std::size_t i = 0; i < l; ++i) {
    double product = 0;
    for (std::size_t j = 0; j < l; ++j) product += m[i][j] * result.u[j];
    result.objective += result.u[i] * (y[i] - product / 2);
  }
  result.bias = -nu * scale;
  return result;
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_SVM_REFERENCE_H_
