// What the scores on the neighbour graph share, by brute force in double precision: every pair is
// looked at, cells may be missing (NaN), explicit pairs and what follows from them count.
#ifndef WHITTLE_TESTS_SHARED_GRAPH_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_GRAPH_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tests/shared/reference.h"

namespace whittle::testing {

// Over the features that both have, times m over their number; NaN if they have none in common.
inline double present_distance(const Vector& a, const Vector& b) {
  double sum = 0, present = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    const double d = a[r] - b[r];
    if (std::isnan(d)) continue;
    sum += d * d;
    ++present;
  }
  return present == 0 ? no_score() : sum * (static_cast<double>(a.size()) / present);
}

inline Vector present_values(const std::vector<Point>& points, std::size_t feature) {
  Vector values;
  for (const Point& point : points) {
    if (!std::isnan(point.x[feature])) values.push_back(point.x[feature]);
  }
  return values;
}

inline double mean_of(const Vector& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Unit vectors, means in place of missing cells; zero vectors stay.
inline std::vector<Vector> directions(const std::vector<Point>& points) {
  std::vector<Vector> all;
  for (const Point& point : points) {
    Vector x = point.x;
    double square = 0;
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (std::isnan(x[r])) x[r] = mean_of(present_values(points, r));
      square += x[r] * x[r];
    }
    if (square > 0) {
      for (double& value : x) value /= std::sqrt(square);
    }
    all.push_back(x);
  }
  return all;
}

// 1 for neighbours: one among the k nearest of the other, ties to the older.
inline Matrix neighbour_edges(const std::vector<Point>& points, std::size_t k, bool cosine) {
  const std::size_t n = points.size();
  const std::vector<Vector> units = cosine ? directions(points) : std::vector<Vector>();
  Matrix edge(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t j = 0; j < n; ++j) {
      const double square = present_distance(points[i].x, points[j].x);
      if (j == i || std::isnan(square)) continue;
      const bool zero = cosine && (present_distance(units[i], Vector(units[i].size(), 0)) == 0 ||
                                   present_distance(units[j], Vector(units[j].size(), 0)) == 0);
      others.emplace_back(!cosine ? square
                          : zero  ? 1
                                  : present_distance(units[i], units[j]) / 2,
                          j);
    }
    std::sort(others.begin(), others.end());
    for (std::size_t e = 0; e < others.size() && e < k; ++e) {
      edge[i][others[e].second] = edge[others[e].second][i] = 1;
    }
  }
  return edge;
}

inline bool any_edge(const Matrix& edge) {
  for (const Vector& row : edge) {
    if (std::any_of(row.begin(), row.end(), [](double e) { return e != 0; })) return true;
  }
  return false;
}

// w_ij on the edges; lambda < 0: the mean over them.
inline Matrix edge_weights(const std::vector<Point>& points, Matrix edge, double lambda) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (edge[i][j] == 0) continue;
      sum += present_distance(points[i].x, points[j].x);
      ++count;
    }
  }
  if (lambda < 0) lambda = sum == 0 ? 1 : sum / count;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (edge[i][j] == 0) continue;
      edge[i][j] = std::exp(-present_distance(points[i].x, points[j].x) / lambda);
    }
  }
  return edge;
}

// Over unordered pairs that both have the feature, S_ij (f_i - f_j)^2.
template <typename Weight>
double pair_sum(const std::vector<Point>& points, std::size_t feature, Weight weight) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double d = points[i].x[feature] - points[j].x[feature];
      if (!std::isnan(d)) sum += weight(i, j) * d * d;
    }
  }
  return sum;
}

inline double row_sum(const Vector& row) {
  double sum = 0;
  for (const double value : row) sum += value;
  return sum;
}

// mu_D over the points that have the feature.
inline double weighted_mean(const std::vector<Point>& points, const Matrix& s, std::size_t r) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::isnan(points[i].x[r])) continue;
    sum += row_sum(s[i]) * points[i].x[r];
    total += row_sum(s[i]);
  }
  return sum / total;
}

inline double quotient(double a, double b) {
  if (b > 0) return a / b;
  return a > 0 ? std::numeric_limits<double>::infinity() : no_score();
}

inline bool is_constant(const Vector& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

inline double laplacian_score_of(const std::vector<Point>& points, const Matrix& s, std::size_t r) {
  if (is_constant(present_values(points, r))) return no_score();
  const double mean = weighted_mean(points, s, r);
  double spread = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double d = points[i].x[r] - mean;
    if (!std::isnan(d)) spread += row_sum(s[i]) * d * d;
  }
  return quotient(pair_sum(points, r, [&](auto i, auto j) { return s[i][j]; }), spread);
}

// An explicit pair of points, by position.
struct GivenPair {
  std::size_t a, b;
  bool must_link;
};

// 1 for must-link pairs, -1 for cannot-link pairs: those of the labels, those given, and what
// follows. Empty if they contradict each other.
inline Matrix closed_links(const std::vector<Point>& points, const std::vector<GivenPair>& given) {
  const std::size_t n = points.size();
  Matrix link(n, Vector(n, 0));
  bool changed = true, contradiction = false;
  const auto set = [&](std::size_t a, std::size_t b, double value) {
    contradiction = contradiction || link[a][b] == -value || (a == b && value < 0);
    changed = changed || link[a][b] != value;
    link[a][b] = link[b][a] = value;
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (points[i].label < 0 || points[j].label < 0) continue;
      set(i, j, points[i].label == points[j].label ? 1 : -1);
    }
  }
  for (const GivenPair& pair : given) set(pair.a, pair.b, pair.must_link ? 1 : -1);
  while (changed && !contradiction) {
    changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j || link[i][j] != 1) continue;
        for (std::size_t k = 0; k < n; ++k) {
          if (k != i && link[j][k] != 0) set(i, k, link[j][k]);
        }
      }
    }
  }
  return contradiction ? Matrix() : link;
}

inline bool has_cannot_link(const Matrix& links) {
  return std::any_of(links.begin(), links.end(), [](const Vector& row) {
    return std::find(row.begin(), row.end(), -1) != row.end();
  });
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_GRAPH_REFERENCE_H_
