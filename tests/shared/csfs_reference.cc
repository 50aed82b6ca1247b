#include "tests/shared/csfs_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace whittle::testing {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Vector mean_vector(const std::vector<Vector>& points, const std::vector<std::size_t>& members) {
  Vector mean(points.front().size(), 0);
  for (const std::size_t i : members) {
    for (std::size_t r = 0; r < mean.size(); ++r) mean[r] += points[i][r];
  }
  for (double& value : mean) value /= static_cast<double>(members.size());
  return mean;
}

// The members of each cluster, by its oldest point.
std::map<std::size_t, std::vector<std::size_t>> members_of(
    const std::vector<std::size_t>& clusters) {
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < clusters.size(); ++i) members[clusters[i]].push_back(i);
  return members;
}

// Whether the projection of segment p onto segment q overlaps it, by vectors.
bool overlap(const Vector& p1, const Vector& p2, const Vector& q1, const Vector& q2) {
  const double length = std::sqrt(squared_distance(q1, q2));
  if (length == 0) return false;
  const auto along = [&](const Vector& x) {
    double sum = 0;
    for (std::size_t r = 0; r < x.size(); ++r) sum += (x[r] - q1[r]) * (q2[r] - q1[r]) / length;
    return sum;
  };
  const double from = std::max(0.0, std::min(along(p1), along(p2)));
  const double to = std::min(length, std::max(along(p1), along(p2)));
  return to - from > 1e-6 * length;
}

bool has(const PlacedPairs& pairs, std::size_t i, std::size_t j) {
  const PlacedPair pair = {std::max(i, j), std::min(i, j)};
  return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
}

}  // namespace

PlacedPairs newest_pairs(const Matrix& links, bool must_link, std::size_t limit) {
  PlacedPairs pairs;
  for (std::size_t i = links.size(); i-- > 0;) {
    for (std::size_t j = i; j-- > 0;) {
      if (links[i][j] == (must_link ? 1 : -1) && pairs.size() < limit) pairs.push_back({i, j});
    }
  }
  return pairs;
}

PlacedPairs newest_pairs(const std::vector<Point>& points, bool must_link, std::size_t limit) {
  return newest_pairs(closed_links(points, {}), must_link, limit);
}

Coherent coherent_pairs(const std::vector<Vector>& points, const Coherent& pairs) {
  const std::size_t ml = pairs.must_link.size();
  const std::size_t cl = pairs.cannot_link.size();
  if (ml == 0 || cl == 0) return pairs;
  std::vector<std::size_t> clear_ml(ml, 0), clear_cl(cl, 0);
  std::size_t couples = 0;
  for (std::size_t i = 0; i < ml; ++i) {
    for (std::size_t j = 0; j < cl; ++j) {
      const PlacedPair p = pairs.must_link[i];
      const PlacedPair q = pairs.cannot_link[j];
      const bool there =
          overlap(points[p.newer], points[p.older], points[q.newer], points[q.older]);
      const bool back = overlap(points[q.newer], points[q.older], points[p.newer], points[p.older]);
      clear_ml[i] += there ? 0 : 1;
      clear_cl[j] += back ? 0 : 1;
      couples += there || back ? 0 : 1;
    }
  }
  Coherent kept;
  for (std::size_t i = 0; i < ml; ++i) {
    if (clear_ml[i] * ml >= couples) kept.must_link.push_back(pairs.must_link[i]);
  }
  for (std::size_t j = 0; j < cl; ++j) {
    if (clear_cl[j] * cl >= couples) kept.cannot_link.push_back(pairs.cannot_link[j]);
  }
  return kept;
}

std::vector<std::size_t> ward_clusters(const std::vector<Vector>& points, std::size_t count) {
  std::vector<std::size_t> clusters(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) clusters[i] = i;
  for (auto members = members_of(clusters); members.size() > count;
       members = members_of(clusters)) {
    // In the order of age, so that of equal heights the older cluster comes first.
    double least = kInfinite;
    std::size_t older = 0, younger = 0;
    for (const auto& [a, in_a] : members) {
      for (const auto& [b, in_b] : members) {
        if (b <= a) continue;
        const double na = static_cast<double>(in_a.size());
        const double nb = static_cast<double>(in_b.size());
        const double height =
            na * nb / (na + nb) *
            squared_distance(mean_vector(points, in_a), mean_vector(points, in_b));
        // Heights that only rounding tells apart are equal.
        if (!(height < least * (1 - 1e-12))) continue;
        least = height;
        older = a;
        younger = b;
      }
    }
    std::replace(clusters.begin(), clusters.end(), younger, older);
  }
  return clusters;
}

double davies_bouldin(const std::vector<Vector>& points, const std::vector<std::size_t>& clusters) {
  std::vector<Vector> centroids;
  Vector spreads;
  for (const auto& [cluster, members] : members_of(clusters)) {
    const Vector mean = mean_vector(points, members);
    double sum = 0;
    for (const std::size_t i : members) sum += std::sqrt(squared_distance(points[i], mean));
    spreads.push_back(sum / static_cast<double>(members.size()));
    centroids.push_back(mean);
  }
  double sum = 0;
  for (std::size_t i = 0; i < centroids.size(); ++i) {
    double worst = 0;
    for (std::size_t j = 0; j < centroids.size(); ++j) {
      if (j == i) continue;
      const double apart = std::sqrt(squared_distance(centroids[i], centroids[j]));
      if (apart == 0) return kInfinite;
      worst = std::max(worst, (spreads[i] + spreads[j]) / apart);
    }
    sum += worst;
  }
  return sum / static_cast<double>(centroids.size());
}

std::vector<std::size_t> ward_clusters(const std::vector<Vector>& points) {
  std::size_t most = 2;
  while ((most + 1) * (most + 1) <= points.size()) ++most;
  std::vector<std::size_t> best = ward_clusters(points, 2);
  if (points.size() < 3) return best;
  double least = davies_bouldin(points, best);
  for (std::size_t k = 3; k <= most; ++k) {
    const std::vector<std::size_t> clusters = ward_clusters(points, k);
    const double index = davies_bouldin(points, clusters);
    if (index < least) {
      least = index;
      best = clusters;
    }
  }
  return best;
}

Matrix csfs_edges(const std::vector<Point>& points, const CsfsParams& params) {
  if (params.k > 0) return neighbour_edges(points, params.k, params.cosine);
  const std::size_t n = points.size();
  const std::vector<std::size_t> clusters = ward_clusters(filled_vectors(points));
  Matrix edge(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j || clusters[i] != clusters[j]) continue;
      if (!std::isnan(present_distance(points[i].x, points[j].x))) edge[i][j] = 1;
    }
  }
  return edge;
}

Vector csfs_scores(const std::vector<Point>& points, const CsfsParams& params,
                   const std::vector<GivenPair>& given) {
  const std::size_t n = points.size();
  const Matrix edge = csfs_edges(points, params);
  const Matrix s = edge_weights(points, edge, params.lambda);
  // w of any pair, whether an edge or not.
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (edge[i][j] == 0) continue;
      sum += present_distance(points[i].x, points[j].x);
      ++count;
    }
  }
  const double lambda = params.lambda >= 0 ? params.lambda : sum == 0 ? 1 : sum / count;
  const auto w = [&](std::size_t i, std::size_t j) {
    const double square = present_distance(points[i].x, points[j].x);
    return std::isnan(square) ? 0 : std::exp(-square / lambda);
  };
  const Matrix links = closed_links(points, given);
  const Coherent kept =
      coherent_pairs(filled_vectors(points), {newest_pairs(links, true, params.max_constraints),
                                              newest_pairs(links, false, params.max_constraints)});
  const auto total = [&](std::size_t i, std::size_t j) {  // (S + N)_ij
    const bool near = edge[i][j] != 0;
    if (has(kept.must_link, i, j)) return near ? s[i][j] - s[i][j] : w(i, j) * w(i, j);
    if (near && has(kept.cannot_link, i, j)) return s[i][j] + w(i, j) * w(i, j);
    return s[i][j];
  };
  Vector partners(n, 0);
  for (const PlacedPair& pair : kept.cannot_link) {
    ++partners[pair.newer];
    ++partners[pair.older];
  }
  const double paired = static_cast<double>(
      std::count_if(partners.begin(), partners.end(), [](double c) { return c > 0; }));
  Vector scores;
  for (std::size_t r = 0; r < points.front().x.size(); ++r) {
    const Vector values = present_values(points, r);
    const double t1 = 2 * pair_sum(points, r, total);
    double t2 = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double d = points[i].x[r] - points[j].x[r];
        if (has(kept.cannot_link, i, j) && !std::isnan(d)) t2 += row_sum(s[i]) * d * d;
      }
      if (std::isnan(points[i].x[r])) continue;
      const double d =
          points[i].x[r] - (paired > 0 ? mean_of(values) : weighted_mean(points, s, r));
      t2 += (paired > 0 ? paired - partners[i] : 2) * row_sum(s[i]) * d * d;
    }
    scores.push_back(is_constant(values) ? no_score() : quotient(t1, t2));
  }
  return scores;
}

}  // namespace whittle::testing
