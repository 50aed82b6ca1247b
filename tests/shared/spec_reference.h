// SPEC's two scores straight from their formula: all eigenpairs of the normalised Laplacian of all
// pairs of points, in double precision.
#ifndef WHITTLE_TESTS_SHARED_SPEC_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_SPEC_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/shared/filled_reference.h"

namespace whittle::testing {

// Eigenvalues on the diagonal of `a`, eigenvectors in the columns of the result (Jacobi).
inline Matrix diagonalise(Matrix& a) {
  const std::size_t n = a.size();
  Matrix q(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) q[i][i] = 1;
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (std::fabs(a[i][j]) < 1e-16) continue;
        const double theta = (a[j][j] - a[i][i]) / (2 * a[i][j]);
        const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        const auto turn = [&](double& x, double& y) {
          const double old = x;
          x = c * old - s * y;
          y = s * old + c * y;
        };
        for (std::size_t k = 0; k < n; ++k) turn(a[k][i], a[k][j]);
        for (std::size_t k = 0; k < n; ++k) turn(a[i][k], a[j][k]);
        for (std::size_t k = 0; k < n; ++k) turn(q[k][i], q[k][j]);
      }
    }
  }
  return q;
}

struct Spectrum {
  Vector degrees;
  Vector values;                // lambda_j, ascending
  std::vector<Vector> vectors;  // xi_j
};

inline Spectrum spectrum_of(const std::vector<Vector>& x, double lambda) {
  const std::size_t n = x.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) sum += squared_distance(x[i], x[j]);
  }
  const double pairs = static_cast<double>(n * (n - 1)) / 2;
  if (lambda < 0) lambda = sum == 0 ? 1 : sum / pairs;
  Spectrum spectrum{Vector(n, 0), {}, {}};
  Matrix l(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i != j) l[i][j] = std::exp(-squared_distance(x[i], x[j]) / lambda);
      spectrum.degrees[i] += l[i][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      l[i][j] = (i == j ? 1 : 0) - l[i][j] / std::sqrt(spectrum.degrees[i] * spectrum.degrees[j]);
    }
  }
  const Matrix q = diagonalise(l);
  std::vector<std::pair<double, std::size_t>> ascending;
  for (std::size_t j = 0; j < n; ++j) ascending.emplace_back(l[j][j], j);
  std::sort(ascending.begin(), ascending.end());
  for (const auto& [value, j] : ascending) {
    Vector vector;
    for (std::size_t i = 0; i < n; ++i) vector.push_back(q[i][j]);
    spectrum.values.push_back(value);
    spectrum.vectors.push_back(vector);
  }
  return spectrum;
}

struct BothScores {
  Judged f2, f3;
};

// `classes`: those among the points. The size of f3 is the share of the feature that is not along
// xi_0: of that share the core is to be exact, however small it is.
inline BothScores both_scores(const Spectrum& spectrum, const Vector& feature,
                              std::size_t classes) {
  const std::size_t n = feature.size();
  double length = 0, mean = 0, total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    length += spectrum.degrees[i] * feature[i] * feature[i];
    mean += spectrum.degrees[i] * feature[i];
    total += spectrum.degrees[i];
  }
  mean /= total;
  double rough = 0, whole = 0, smooth = 0;
  for (std::size_t j = 1; j < n; ++j) {
    double a = 0;
    for (std::size_t i = 0; i < n; ++i) {  // xi_j is orthogonal to what the mean adds
      a += std::sqrt(spectrum.degrees[i]) * (feature[i] - mean) * spectrum.vectors[j][i];
    }
    whole += a * a;
    rough += a * a * std::pow(spectrum.values[j], 4);
    if (j < classes) smooth += (2 - spectrum.values[j]) * a * a;
  }
  return {{rough / whole, rough / whole}, {smooth / length, whole / length}};
}

inline std::size_t classes_of(const std::vector<Point>& points) {
  std::vector<int> seen;
  for (const Point& point : points) {
    if (point.label >= 0) seen.push_back(point.label);
  }
  std::sort(seen.begin(), seen.end());
  return static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_SPEC_REFERENCE_H_
