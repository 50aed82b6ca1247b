#include "tests/shared/redundancy_reference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/shared/graph_reference.h"

namespace whittle::testing {
namespace {

double pearson(const std::vector<Vector>& points, std::uint32_t a, std::uint32_t b) {
  Vector x, y;
  for (const Vector& point : points) {
    x.push_back(point[a]);
    y.push_back(point[b]);
  }
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - mean_x;
    const double dy = y[i] - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return is_constant(x) || is_constant(y) ? 0 : xy / std::sqrt(xx * yy);
}

}  // namespace

Elimination eliminated(const std::vector<Point>& points, const Order& order, std::size_t h,
                       double min_mi) {
  const std::vector<Vector> x = filled_vectors(points);
  Matrix weights(h, Vector(h, 0));
  for (std::size_t a = 0; a < h; ++a) {
    for (std::size_t b = 0; b < h; ++b) {
      const double rho = pearson(x, order[a], order[b]);
      weights[a][b] = -0.5 * std::log(std::max(1 - rho * rho, 1e-6));
    }
  }
  std::vector<bool> inside(h, false);
  std::vector<std::pair<std::size_t, std::size_t>> tree;  // end added, end it was added to
  if (h > 0) inside[0] = true;
  for (std::size_t step = 1; step < h; ++step) {
    double heaviest = -1;
    std::pair<std::size_t, std::size_t> edge;
    for (std::size_t out = 0; out < h; ++out) {
      for (std::size_t in = 0; in < h; ++in) {
        if (inside[out] || !inside[in] || !(weights[in][out] > heaviest)) continue;
        heaviest = weights[in][out];
        edge = {out, in};
      }
    }
    inside[edge.first] = true;
    tree.push_back(edge);
  }
  std::vector<bool> removed(order.size(), false);
  for (std::size_t a = 0; a < h; ++a) {
    if (removed[a]) continue;
    for (const auto& [out, in] : tree) {
      if (weights[out][in] < min_mi) continue;
      if (out == a) removed[in] = true;
      if (in == a) removed[out] = true;
    }
  }
  Elimination result;
  for (std::size_t a = 0; a < h; ++a) {
    if (!removed[a]) result.order.push_back(order[a]);
  }
  result.kept = result.order.size();
  for (std::size_t a = 0; a < order.size(); ++a) {
    if (removed[a] || a >= h) result.order.push_back(order[a]);
  }
  return result;
}

std::vector<Point> make_mixtures(std::uint64_t seed, std::size_t n, std::size_t m, double noise,
                                 double missing, double offset) {
  Random random(seed);
  const auto uniform = [&] { return 2 * static_cast<double>(random.uniform()) - 1; };
  std::vector<Vector> shares(m, Vector(3));
  for (Vector& share : shares) {
    for (double& value : share) value = uniform();
  }
  std::vector<Point> points(n);
  for (Point& point : points) {
    Vector sources(3);
    for (double& source : sources) source = uniform() + uniform();
    const std::size_t present = random.below(static_cast<std::uint32_t>(m));
    for (std::size_t r = 0; r < m; ++r) {
      double value = noise * uniform() + offset;
      for (std::size_t s = 0; s < 3; ++s) value += shares[r][s] * sources[s];
      const bool absent = (uniform() + 1) / 2 < missing && r != present;
      point.x.push_back(absent ? no_score() : static_cast<double>(static_cast<Real>(value)));
    }
  }
  return points;
}

}  // namespace whittle::testing
