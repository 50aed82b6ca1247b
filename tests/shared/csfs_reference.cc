#include "tests/shared/csfs_reference.h"

#include <gtest/gtest.h>

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

PlacedPoints::PlacedPoints(const std::vector<Point>& points, const PlacedPairs& must_link,
                           const PlacedPairs& cannot_link) {
  MemoryConfig config;
  config.points = true;
  config.features = static_cast<std::uint32_t>(points.front().x.size());
  config.pairs = static_cast<std::uint32_t>(must_link.size() + cannot_link.size());
  for (const Point& point : points) {
    ++(point.label < 0 ? config.window : config.labelled);
    config.classes = std::max(config.classes, static_cast<std::uint32_t>(point.label + 1));
  }
  if (config.labelled > 0) config.labelled = std::max(config.labelled, config.classes);
  const std::size_t bytes =
      StreamMemory::required_bytes(config) + FilledPoints::required_bytes(config.features);
  buffer_.resize(bytes / sizeof(std::uint64_t) + 1);
  Arena arena(buffer_.data(), buffer_.size() * sizeof(std::uint64_t));
  EXPECT_TRUE(memory_.create(arena, config).ok());
  filled_.place(arena, config.features);
  Observation seen;
  for (const Row& row : rows_of(points)) EXPECT_TRUE(memory_.observe(row.sample(), &seen).ok());
  for (const PlacedPair& pair : must_link) {  // samples are numbered from 1
    EXPECT_TRUE(memory_.constrain(pair.newer + 1, pair.older + 1, true).ok());
  }
  for (const PlacedPair& pair : cannot_link) {
    EXPECT_TRUE(memory_.constrain(pair.newer + 1, pair.older + 1, false).ok());
  }
  filled_.update(memory_.points());
}

std::size_t PlacedPoints::place_of(Slot slot) const {
  const auto order = points().order();
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), slot) - order.begin());
}

std::vector<Point> make_cloud(const CloudShape& shape) {
  Random random(shape.seed);
  const auto chance = [&](double share) { return static_cast<double>(random.uniform()) < share; };
  std::vector<Point> points;
  while (points.size() < shape.points) {
    Point point;
    const auto group = random.below(static_cast<std::uint32_t>(shape.groups));
    if (chance(shape.labelled)) point.label = static_cast<int>(group);
    for (std::size_t r = 0; r < shape.features; ++r) {
      const Real noise = random.uniform() + random.uniform() + random.uniform();
      const double value = 2 * static_cast<double>(noise) +
                           (r % shape.groups == group ? shape.apart : 0) + shape.offset;
      point.x.push_back(static_cast<double>(static_cast<Real>(value)));
    }
    if (!points.empty() && chance(shape.repeated)) {
      point.x = points[random.below(static_cast<std::uint32_t>(points.size()))].x;
    }
    const std::size_t kept = random.below(static_cast<std::uint32_t>(shape.features));
    for (std::size_t r = 0; r < shape.features; ++r) {
      if (r != kept && chance(shape.missing)) point.x[r] = no_score();
    }
    points.push_back(point);
  }
  return points;
}

std::vector<Row> rows_of(const std::vector<Point>& points) {
  std::vector<Row> rows;
  for (const Point& point : points) {
    Row row;
    for (const double value : point.x) row.x.push_back(static_cast<Real>(value));
    if (point.label >= 0) {
      row.kind = SampleKind::labelled;
      row.label = static_cast<std::uint32_t>(point.label);
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<Vector> filled_vectors(const std::vector<Point>& points) {
  std::vector<Vector> filled;
  for (const Point& point : points) {
    Vector x = point.x;
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (!std::isnan(x[r])) continue;
      const Vector present = present_values(points, r);
      x[r] = present.empty() ? 0 : mean_of(present);
    }
    filled.push_back(x);
  }
  return filled;
}

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

std::vector<std::uint32_t> kept_features(const std::vector<Vector>& points,
                                         const std::vector<std::uint32_t>& order, double min_mi) {
  const std::size_t h = order.size();
  Matrix weights(h, Vector(h, 0));
  for (std::size_t a = 0; a < h; ++a) {
    for (std::size_t b = 0; b < h; ++b) {
      const double rho = pearson(points, order[a], order[b]);
      weights[a][b] = -0.5 * std::log(std::max(1 - rho * rho, 1e-6));
    }
  }
  std::vector<bool> inside(h, false);
  std::vector<PlacedPair> tree;
  if (h > 0) inside[0] = true;
  for (std::size_t step = 1; step < h; ++step) {
    double heaviest = -1;
    PlacedPair edge;
    for (std::size_t out = 0; out < h; ++out) {
      for (std::size_t in = 0; in < h; ++in) {
        if (inside[out] || !inside[in] || !(weights[in][out] > heaviest)) continue;
        heaviest = weights[in][out];
        edge = {out, in};
      }
    }
    inside[edge.newer] = true;
    tree.push_back(edge);
  }
  std::vector<bool> removed(h, false);
  std::vector<std::uint32_t> kept;
  for (std::size_t a = 0; a < h; ++a) {
    if (removed[a]) continue;
    kept.push_back(order[a]);
    for (const PlacedPair& edge : tree) {
      if (weights[edge.newer][edge.older] < min_mi) continue;
      if (edge.newer == a) removed[edge.older] = true;
      if (edge.older == a) removed[edge.newer] = true;
    }
  }
  return kept;
}

}  // namespace whittle::testing
