// Algorithm 14 of the thesis in double precision, as docs/methods.md settles it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/shared/reference.h"

namespace whittle::testing {
namespace {

struct Clusters {
  Matrix centroid, dispersion, factor;
};

Vector spreads(const std::vector<Point>& points) {
  const std::size_t m = points.front().x.size();
  Vector all(m, 0);
  for (std::size_t j = 0; j < m; ++j) {
    double mean = 0;
    for (const Point& p : points) mean += p.x[j] / static_cast<double>(points.size());
    double least = points.front().x[j], most = least;
    for (const Point& p : points) {
      all[j] += (p.x[j] - mean) * (p.x[j] - mean);
      least = std::min(least, p.x[j]);
      most = std::max(most, p.x[j]);
    }
    if (least == most) all[j] = 0;
  }
  return all;
}

Vector weights(const Vector& dispersion, double beta) {  // (4.28)
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

double distance(const Point& p, const Vector& centroid, const Vector& factor) {
  double sum = 0;
  for (std::size_t j = 0; j < p.x.size(); ++j) {
    sum += factor[j] * (p.x[j] - centroid[j]) * (p.x[j] - centroid[j]);
  }
  return sum;
}

// The nearest cluster among those that break the fewest constraints with the points before i.
std::size_t choose(const std::vector<Point>& points, std::size_t i,
                   const std::vector<std::size_t>& membership, const Clusters& clusters,
                   int* violations) {
  std::size_t best = 0;
  int fewest = std::numeric_limits<int>::max();
  double nearest = 0;
  for (std::size_t q = 0; q < clusters.centroid.size(); ++q) {
    if (clusters.centroid[q].empty()) continue;
    int broken = 0;
    for (std::size_t b = 0; b < i; ++b) {
      if (points[i].label < 0 || points[b].label < 0) continue;
      const bool same = points[b].label == points[i].label;
      broken += same != (membership[b] == q) ? 1 : 0;
    }
    const double d = distance(points[i], clusters.centroid[q], clusters.factor[q]);
    if (broken < fewest || (broken == fewest && d < nearest)) {
      best = q;
      fewest = broken;
      nearest = d;
    }
  }
  *violations += fewest;
  return best;
}

void update(const std::vector<Point>& points, const std::vector<std::size_t>& membership,
            const Vector& spread, double beta, Clusters& clusters) {
  const std::size_t m = points.front().x.size();
  for (std::size_t q = 0; q < clusters.centroid.size(); ++q) {
    double count = 0;
    for (const std::size_t a : membership) count += a == q ? 1 : 0;
    if (count == 0) continue;
    Vector centroid(m, 0), dispersion(m, 0), floored(m, 0);
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (membership[i] == q) centroid[j] += points[i].x[j];
      }
      centroid[j] /= count;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double d = points[i].x[j] - centroid[j];
        if (membership[i] == q) dispersion[j] += d * d;
      }
      if (spread[j] == 0) dispersion[j] = 0;
      floored[j] = std::max(dispersion[j], 1e-12 * spread[j]);
    }
    clusters.centroid[q] = centroid;
    clusters.dispersion[q] = dispersion;
    const Vector w = weights(floored, beta);
    for (std::size_t j = 0; j < m; ++j)
      clusters.factor[q][j] = w[j] == 0 ? 0 : std::pow(w[j], beta);
  }
}

double separation(const std::vector<Point>& points, const std::vector<std::size_t>& membership,
                  const Clusters& clusters) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t q = 0; q < clusters.centroid.size(); ++q) {
    for (std::size_t p = 0; p < q; ++p) {
      if (clusters.centroid[p].empty() || clusters.centroid[q].empty()) continue;
      nearest = std::min(nearest, squared_distance(clusters.centroid[p], clusters.centroid[q]));
    }
  }
  double within = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    within += squared_distance(points[i].x, clusters.centroid[membership[i]]);
  }
  return nearest / (within / static_cast<double>(points.size()));
}

}  // namespace

L2gfsResult l2gfs(const std::vector<Point>& points, std::uint32_t classes, double beta,
                  int max_iterations) {
  const std::size_t m = points.front().x.size();
  const Vector spread = spreads(points);
  const double varying = static_cast<double>(
      std::count_if(spread.begin(), spread.end(), [](double s) { return s > 0; }));
  Clusters clusters = {Matrix(classes), Matrix(classes), Matrix(classes)};
  for (std::uint32_t c = 0; c < classes; ++c) {
    Vector sum(m, 0);
    double count = 0;
    for (const Point& p : points) {
      if (p.label != static_cast<int>(c)) continue;
      for (std::size_t j = 0; j < m; ++j) sum[j] += p.x[j];
      ++count;
    }
    if (count == 0) continue;
    for (double& s : sum) s /= count;
    clusters.centroid[c] = sum;
    clusters.factor[c] = Vector(m, 0);
    for (std::size_t j = 0; j < m; ++j) {
      if (spread[j] > 0) clusters.factor[c][j] = std::pow(1 / varying, beta);
    }
  }
  L2gfsResult result;
  std::vector<std::size_t> before;
  while (!result.converged && result.iterations < max_iterations) {
    ++result.iterations;
    result.violations = 0;
    result.membership.assign(points.size(), 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      result.membership[i] = choose(points, i, result.membership, clusters, &result.violations);
    }
    result.converged = result.membership == before;
    double moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i) moved += result.membership[i] != before[i];
    if (!before.empty()) result.moved = moved / static_cast<double>(points.size());
    if (result.converged) break;
    update(points, result.membership, spread, beta, clusters);
    before = result.membership;
  }
  result.weight.assign(m, 0);
  result.effective.assign(m, 0);
  double existing = 0;
  for (const Vector& c : clusters.centroid) existing += c.empty() ? 0 : 1;
  for (std::uint32_t q = 0; q < classes; ++q) {
    if (clusters.centroid[q].empty() || clusters.dispersion[q].empty()) continue;
    const Vector w = weights(clusters.dispersion[q], beta);
    for (std::size_t j = 0; j < m; ++j) {
      result.weight[j] += w[j] / existing;
      result.effective[j] += clusters.factor[q][j] / existing;
      result.objective += clusters.factor[q][j] * clusters.dispersion[q][j];
    }
  }
  for (std::size_t j = 0; j < m; ++j) {
    if (spread[j] == 0) result.weight[j] = result.effective[j] = no_score();
  }
  result.separation = separation(points, result.membership, clusters);
  return result;
}

}  // namespace whittle::testing
