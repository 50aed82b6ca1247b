#include "tests/shared/propagation_reference.h"

#include <cmath>
#include <utility>

#include "tests/shared/graph_reference.h"

namespace whittle::testing {

Matrix dense_inverse(Matrix a, double* log_determinant) {
  const std::size_t n = a.size();
  std::vector<std::size_t> row(n), column(n);
  Matrix inverse(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) row[i] = column[i] = i;
  for (std::size_t i = 0; i < n; ++i) inverse[i][i] = 1;
  double sum = 0;
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t best_row = p, best_column = p;
    for (std::size_t i = p; i < n; ++i) {
      for (std::size_t j = p; j < n; ++j) {
        if (std::fabs(a[i][j]) > std::fabs(a[best_row][best_column])) best_row = i, best_column = j;
      }
    }
    std::swap(a[p], a[best_row]);
    std::swap(inverse[p], inverse[best_row]);
    for (Vector& line : a) std::swap(line[p], line[best_column]);
    std::swap(column[p], column[best_column]);
    const double pivot = a[p][p];
    sum += std::log(std::fabs(pivot));
    for (std::size_t j = 0; j < n; ++j) a[p][j] /= pivot, inverse[p][j] /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = a[i][p];
      if (i == p || factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] -= factor * a[p][j];
        inverse[i][j] -= factor * inverse[p][j];
      }
    }
  }
  Matrix ordered(n);
  for (std::size_t p = 0; p < n; ++p) ordered[column[p]] = inverse[p];
  if (log_determinant != nullptr) *log_determinant = sum;
  return ordered;
}

std::vector<Vector> z_scores(const std::vector<Point>& points) {
  std::vector<Vector> z(points.size(), Vector(points[0].x.size(), 0));
  for (std::size_t r = 0; r < points[0].x.size(); ++r) {
    const Vector present = present_values(points, r);
    if (present.empty() || is_constant(present)) continue;
    const double mean = mean_of(present);
    double square = 0;
    for (const double value : present) square += (value - mean) * (value - mean);
    const double deviation = std::sqrt(square / static_cast<double>(present.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!std::isnan(points[i].x[r])) z[i][r] = (points[i].x[r] - mean) / deviation;
    }
  }
  return z;
}

Matrix row_edges(const std::vector<Vector>& rows, std::size_t k) {
  std::vector<Point> points;
  for (const Vector& row : rows) points.push_back({row, -1});
  return neighbour_edges(points, k, false);
}

Matrix propagated(const Matrix& weights, const std::vector<int>& y) {
  const std::size_t n = y.size();
  Vector degree;
  for (const Vector& row : weights) degree.push_back(row_sum(row));
  Matrix system(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (weights[i][j] > 0) {
        system[i][j] = -0.99 * weights[i][j] / std::sqrt(degree[i] * degree[j]);
      }
    }
    system[i][i] = 1;
  }
  const Matrix inverse = dense_inverse(system);
  Matrix f(n, Vector(2, 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (y[j] != 0) f[i][y[j] > 0 ? 1 : 0] += inverse[i][j];
    }
  }
  return f;
}

std::vector<int> pseudo_labels(const Matrix& f, const std::vector<int>& y, bool normalised) {
  double sums[2] = {0, 0};
  for (const Vector& row : f) {
    for (std::size_t c = 0; c < 2; ++c) sums[c] += row[c];
  }
  std::vector<int> labels = y;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != 0) continue;
    const double negative = normalised ? f[i][0] / sums[0] : f[i][0];
    const double positive = normalised ? f[i][1] / sums[1] : f[i][1];
    // Equal but for rounding is equal.
    labels[i] = positive > negative + 1e-12 * std::fabs(negative) ? 1 : -1;
  }
  return labels;
}

}  // namespace whittle::testing
