#include "tests/shared/wckm_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace whittle::testing {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct State {
  Matrix centroid;  // empty: no cluster
  Vector weight, factor, dispersion, spread;
  Matrix degrees;
  double mass = 0;
};

// (4.23), over the features with a dispersion.
Vector weights(const Vector& dispersion, double beta) {
  Vector w(dispersion.size(), 0);
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (dispersion[j] == 0) continue;
    double sum = 0;
    for (const double other : dispersion) {
      if (other != 0) sum += std::pow(dispersion[j] / other, 1 / (beta - 1));
    }
    w[j] = 1 / sum;
  }
  return w;
}

// Sum of squared deviations of points that count by their mass; 0 if all are equal.
double spread_of(const std::vector<Point>& points, const Vector& mass, std::size_t j) {
  double total = 0, mean = 0, sum = 0;
  bool varies = false;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    total += mass[i];
    mean += mass[i] * points[i].x[j];
    varies = varies || points[i].x[j] != points[0].x[j];
  }
  mean /= total;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    sum += mass[i] * (points[i].x[j] - mean) * (points[i].x[j] - mean);
  }
  return varies ? sum : 0;
}

double distance(const State& state, const Vector& x, std::size_t q) {
  if (state.centroid[q].empty()) return kInfinite;
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    sum += state.factor[j] * (x[j] - state.centroid[q][j]) * (x[j] - state.centroid[q][j]);
  }
  return sum;
}

// P_iq over the pairs of point i with the first `count` points.
double cost(const std::vector<Point>& points, const Matrix& degrees, std::size_t count,
            std::size_t i, std::size_t q) {
  double sum = 0;
  for (std::size_t r = 0; r < count; ++r) {
    if (r == i || points[i].label < 0 || points[r].label < 0) continue;
    if (points[r].label == points[i].label) {
      for (std::size_t p = 0; p < degrees[r].size(); ++p) sum += p == q ? 0 : degrees[r][p];
    } else {
      sum += degrees[r][q];
    }
  }
  return sum;
}

// (4.15), with `costs` empty its first term.
Vector degrees_of(const Vector& d, const Vector& costs) {
  const auto on = std::count(d.begin(), d.end(), 0.0);
  Vector a(d.size(), 0);
  double all = 0, pull = 0;
  for (std::size_t t = 0; t < d.size() && on == 0; ++t) {
    all += 1 / d[t];
    if (!costs.empty()) pull += costs[t] / d[t];
  }
  double sum = 0;
  for (std::size_t q = 0; q < d.size(); ++q) {
    if (on > 0) {
      a[q] = d[q] == 0 ? 1 : 0;
    } else {
      a[q] = 1 / d[q] / all;
      if (!costs.empty()) a[q] += (pull / all - costs[q]) / (2 * d[q]);
    }
    a[q] = std::min(std::max(a[q], 0.0), 1.0);
    sum += a[q];
  }
  for (double& one : a) one /= sum;
  return a;
}

void move_centroids(const std::vector<Point>& points, State& state) {
  const std::size_t m = points[0].x.size();
  for (std::size_t q = 0; q < state.centroid.size(); ++q) {
    double mass = 0;
    Vector sum(m, 0);
    for (std::size_t i = 0; i < state.degrees.size(); ++i) {
      const double a = state.degrees[i][q];
      mass += a * a;
      for (std::size_t j = 0; j < m; ++j) sum[j] += a * a * points[i].x[j];
    }
    if (mass == 0 || state.centroid[q].empty()) continue;
    for (std::size_t j = 0; j < m; ++j) state.centroid[q][j] = sum[j] / mass;
  }
}

void weigh(const std::vector<Point>& points, double beta, State& state) {
  const std::size_t m = points[0].x.size();
  state.mass = 0;
  state.dispersion.assign(m, 0);
  for (std::size_t i = 0; i < state.degrees.size(); ++i) {
    for (std::size_t q = 0; q < state.centroid.size(); ++q) {
      const double a = state.degrees[i][q];
      if (a == 0) continue;
      state.mass += a * a;
      for (std::size_t j = 0; j < m; ++j) {
        const double d = points[i].x[j] - state.centroid[q][j];
        if (state.spread[j] > 0) state.dispersion[j] += a * a * d * d;
      }
    }
  }
  Vector floored = state.dispersion;
  for (std::size_t j = 0; j < m; ++j) {
    floored[j] = std::max(floored[j], 1e-12 * state.spread[j]);
  }
  state.weight = weights(state.dispersion, beta);
  state.factor = weights(floored, beta);
  for (double& f : state.factor) f = f == 0 ? 0 : std::pow(f, beta);
}

WckmResult result_of(const std::vector<Point>& points, const State& state) {
  WckmResult result;
  result.degrees = state.degrees;
  result.weight = state.weight;
  result.effective = state.factor;
  double within = 0, nearest = kInfinite;
  for (std::size_t j = 0; j < state.spread.size(); ++j) {
    within += state.dispersion[j];
    result.objective += state.factor[j] * state.dispersion[j];
    if (state.spread[j] == 0) result.weight[j] = result.effective[j] = no_score();
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t q = 0; q < state.centroid.size(); ++q) {
      result.violations += state.degrees[i][q] * cost(points, state.degrees, i, i, q);
    }
  }
  result.objective += result.violations;
  for (std::size_t q = 0; q < state.centroid.size(); ++q) {
    for (std::size_t p = 0; p < q; ++p) {
      if (state.centroid[q].empty() || state.centroid[p].empty()) continue;
      nearest = std::min(nearest, squared_distance(state.centroid[p], state.centroid[q]));
    }
  }
  result.separation = nearest / (within / state.mass);
  return result;
}

State start(const std::vector<Point>& points, std::uint32_t classes, double beta) {
  const std::size_t m = points[0].x.size();
  State state;
  state.centroid.resize(classes);
  state.degrees.assign(points.size(), Vector(classes, 0));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].label < 0) continue;
    const auto c = static_cast<std::size_t>(points[i].label);
    state.degrees[i][c] = 1;
    state.centroid[c] = points[i].x;
  }
  move_centroids(points, state);
  double varying = 0;
  for (std::size_t j = 0; j < m; ++j) {
    state.spread.push_back(spread_of(points, Vector(points.size(), 1), j));
    varying += state.spread[j] > 0 ? 1 : 0;
  }
  for (std::size_t j = 0; j < m; ++j) {
    state.factor.push_back(state.spread[j] > 0 ? std::pow(1 / varying, beta) : 0);
  }
  return state;
}

}  // namespace

WckmResult wckm(const std::vector<Point>& points, std::uint32_t classes, double beta, int passes) {
  State state = start(points, classes, beta);
  Vector moved;
  for (int pass = 0; pass < passes; ++pass) {
    double farthest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Vector d, costs;
      for (std::size_t q = 0; q < classes; ++q) {
        d.push_back(distance(state, points[i].x, q));
        if (pass > 0 && points[i].label >= 0) {
          costs.push_back(cost(points, state.degrees, points.size(), i, q));
        }
      }
      const Vector a = degrees_of(d, costs);
      for (std::size_t q = 0; q < classes; ++q) {
        farthest = std::max(farthest, std::fabs(a[q] - state.degrees[i][q]));
      }
      state.degrees[i] = a;
    }
    moved.push_back(farthest);
    move_centroids(points, state);
    weigh(points, beta, state);
  }
  WckmResult result = result_of(points, state);
  result.moved = moved;
  return result;
}

WckmResult wckm_of_stream(const std::vector<Point>& points, std::uint32_t classes, double beta) {
  State state;
  state.centroid.resize(classes);
  state.factor.assign(points[0].x.size(), 0);
  std::vector<Point> seen;
  for (const Point& point : points) {
    seen.push_back(point);
    state.degrees.push_back(Vector(classes, 0));
    const std::size_t i = seen.size() - 1;
    const bool none = std::all_of(state.centroid.begin(), state.centroid.end(),
                                  [](const Vector& c) { return c.empty(); });
    if (point.label >= 0 && state.centroid[static_cast<std::size_t>(point.label)].empty()) {
      state.centroid[static_cast<std::size_t>(point.label)] = point.x;
      state.degrees[i][static_cast<std::size_t>(point.label)] = 1;
    } else if (!none) {
      Vector d, costs;
      for (std::size_t q = 0; q < classes; ++q) {
        d.push_back(distance(state, point.x, q));
        if (point.label >= 0) costs.push_back(cost(seen, state.degrees, i, i, q));
      }
      state.degrees[i] = degrees_of(d, costs);
    } else {
      continue;
    }
    move_centroids(seen, state);
    Vector mass;
    for (const Vector& a : state.degrees) {
      mass.push_back(0);
      for (const double one : a) mass.back() += one * one;
    }
    state.spread.clear();
    for (std::size_t j = 0; j < point.x.size(); ++j) {
      state.spread.push_back(spread_of(seen, mass, j));
    }
    weigh(seen, beta, state);
  }
  return result_of(points, state);
}

}  // namespace whittle::testing
