#include "tests/shared/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace whittle::testing {
namespace {

bool labelled(const Row& row) { return row.kind == SampleKind::labelled; }
bool ordinary(const Row& row) { return row.kind != SampleKind::universum; }
bool universum(const Row& row) { return row.kind == SampleKind::universum; }

template <typename Filter>
Vector column(const std::vector<Row>& rows, std::size_t feature, Filter filter) {
  Vector values;
  for (const Row& row : rows) {
    if (filter(row)) values.push_back(static_cast<double>(row.x[feature]));
  }
  return values;
}

double mean(const Vector& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double population_variance(const Vector& values) {
  const double mu = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - mu) * (value - mu);
  return sum / static_cast<double>(values.size());
}

bool constant(const Vector& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

double ratio(double a, double b) {
  if (b > 0) return a / b;
  return a > 0 ? std::numeric_limits<double>::infinity() : no_score();
}

struct PairSums {
  double must = 0;
  double cannot = 0;
};
PairSums pair_sums(const std::vector<Row>& rows, std::size_t feature) {
  PairSums sums;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!labelled(rows[i]) || !labelled(rows[j])) continue;
      const double d =
          static_cast<double>(rows[i].x[feature]) - static_cast<double>(rows[j].x[feature]);
      (rows[i].label == rows[j].label ? sums.must : sums.cannot) += d * d;
    }
  }
  return sums;
}

double cosine_distance(const Vector& a, const Vector& b) {
  double aa = 0, bb = 0;
  for (const double v : a) aa += v * v;
  for (const double v : b) bb += v * v;
  if (aa == 0 || bb == 0) return 1;
  double sum = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    const double d = a[r] / std::sqrt(aa) - b[r] / std::sqrt(bb);
    sum += d * d;
  }
  return sum / 2;
}

bool must_link(const Point& a, const Point& b) { return a.label >= 0 && a.label == b.label; }
bool cannot_link(const Point& a, const Point& b) {
  return a.label >= 0 && b.label >= 0 && a.label != b.label;
}

// 1 where S is not zero.
Matrix adjacency(const std::vector<Point>& points, const GraphParams& params, bool must,
                 bool drop_cannot) {
  const std::size_t n = points.size();
  Matrix edge(n, Vector(n, 0));
  const auto lists = nearest(points, params.k, params.cosine);
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::size_t j : lists[i]) edge[i][j] = edge[j][i] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i != j && must && must_link(points[i], points[j])) edge[i][j] = 1;
      if (drop_cannot && cannot_link(points[i], points[j])) edge[i][j] = 0;
    }
  }
  return edge;
}

double mean_edge(const std::vector<Point>& points, const Matrix& edge) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (edge[i][j] == 0) continue;
      sum += squared_distance(points[i].x, points[j].x);
      ++count;
    }
  }
  return sum == 0 ? 1 : sum / count;
}

Matrix weights(const std::vector<Point>& points, const Matrix& edge, double lambda) {
  Matrix s = edge;
  const double width = lambda < 0 ? mean_edge(points, edge) : lambda;
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t j = 0; j < s.size(); ++j) {
      if (s[i][j] != 0) s[i][j] = std::exp(-squared_distance(points[i].x, points[j].x) / width);
    }
  }
  return s;
}

Vector degrees(const Matrix& s) {
  Vector d(s.size(), 0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (const double w : s[i]) d[i] += w;
  }
  return d;
}

Vector feature(const std::vector<Point>& points, std::size_t r) {
  Vector f;
  for (const Point& point : points) f.push_back(point.x[r]);
  return f;
}

double laplacian_form(const Matrix& s, const Vector& f) {  // unordered pairs
  double sum = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) sum += s[i][j] * (f[i] - f[j]) * (f[i] - f[j]);
  }
  return sum;
}

double laplacian_score(const Matrix& s, const Vector& f) {
  if (constant(f)) return no_score();
  const Vector d = degrees(s);
  double total = 0, weighted = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    total += d[i];
    weighted += d[i] * f[i];
  }
  double spread = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    spread += d[i] * (f[i] - weighted / total) * (f[i] - weighted / total);
  }
  return ratio(laplacian_form(s, f), spread);
}

}  // namespace

double no_score() { return std::numeric_limits<double>::quiet_NaN(); }

double squared_distance(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += (a[r] - b[r]) * (a[r] - b[r]);
  return sum;
}

std::vector<Row> held_after(const std::vector<Row>& rows, std::size_t capacity, std::size_t window,
                            std::uint32_t classes) {
  std::vector<Row> held;
  for (const Row& row : rows) {
    if (universum(row)) continue;
    const bool has_label = labelled(row);
    if ((has_label ? capacity : window) == 0) continue;
    held.push_back(row);
    std::vector<std::size_t> count(classes, 0);
    std::size_t all = 0;
    for (const Row& one : held) {
      if (labelled(one) != has_label) continue;
      ++all;
      if (has_label) ++count[one.label];
    }
    if (all <= (has_label ? capacity : window)) continue;
    // One too many: the oldest of its kind, or of the largest classes.
    const std::size_t largest =
        has_label ? *std::max_element(count.begin(), count.end()) : std::size_t{0};
    held.erase(std::find_if(held.begin(), held.end(), [&](const Row& one) {
      return labelled(one) == has_label && (!has_label || count[one.label] == largest);
    }));
  }
  return held;
}

std::vector<Point> points_of(const std::vector<Row>& rows, const Vector& offset,
                             const Vector& gain) {
  std::vector<Point> points;
  for (const Row& row : rows) {
    Point point;
    point.label = labelled(row) ? static_cast<int>(row.label) : -1;
    for (std::size_t r = 0; r < row.x.size(); ++r) {
      const double raw = static_cast<double>(row.x[r]);
      point.x.push_back(offset.empty() ? raw : (raw - offset[r]) * gain[r]);
    }
    points.push_back(point);
  }
  return points;
}

Vector variance_scores(const std::vector<Row>& rows) {
  Vector scores;
  for (std::size_t r = 0; r < rows.front().x.size(); ++r) {
    const Vector f = column(rows, r, ordinary);
    scores.push_back(constant(f) ? no_score() : population_variance(f));
  }
  return scores;
}

Vector fisher_scores(const std::vector<Row>& rows, std::uint32_t classes) {
  Vector scores;
  for (std::size_t r = 0; r < rows.front().x.size(); ++r) {
    const double mu = mean(column(rows, r, labelled));
    double between = 0, within = 0;
    for (std::uint32_t c = 0; c < classes; ++c) {
      const Vector f =
          column(rows, r, [&](const Row& row) { return labelled(row) && row.label == c; });
      if (f.empty()) continue;
      const double n = static_cast<double>(f.size());
      between += n * (mean(f) - mu) * (mean(f) - mu);
      within += n * population_variance(f);
    }
    scores.push_back(constant(column(rows, r, labelled)) ? no_score() : ratio(between, within));
  }
  return scores;
}

Vector cs1_scores(const std::vector<Row>& rows) {
  Vector scores;
  for (std::size_t r = 0; r < rows.front().x.size(); ++r) {
    const PairSums sums = pair_sums(rows, r);
    scores.push_back(ratio(sums.must, sums.cannot));
  }
  return scores;
}

Vector cs2_scores(const std::vector<Row>& rows, double nu) {
  Vector scores;
  for (std::size_t r = 0; r < rows.front().x.size(); ++r) {
    const PairSums sums = pair_sums(rows, r);
    scores.push_back(constant(column(rows, r, labelled)) ? no_score()
                                                         : sums.must - nu * sums.cannot);
  }
  return scores;
}

Vector uvs_scores(const std::vector<Row>& rows, double alpha, double beta, bool printed) {
  Vector scores;
  for (std::size_t r = 0; r < rows.front().x.size(); ++r) {
    const Vector x = column(rows, r, ordinary);
    const Vector u = column(rows, r, universum);
    double far = 0, spread = 0;
    for (const double a : u) {
      for (const double b : x) far += (a - b) * (a - b);
      for (const double b : u) spread += (a - b) * (a - b);
    }
    double score = population_variance(x);
    if (!u.empty()) {
      const double count = static_cast<double>(u.size());
      score += alpha * far / (count * static_cast<double>(x.size()));
      score -= beta * spread / (printed ? count : count * count);
    }
    Vector all = x;
    all.insert(all.end(), u.begin(), u.end());
    scores.push_back(constant(all) ? no_score() : score);
  }
  return scores;
}

std::vector<std::vector<std::size_t>> nearest(const std::vector<Point>& points, std::size_t k,
                                              bool cosine) {
  std::vector<std::vector<std::size_t>> lists;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (j == i) continue;
      others.emplace_back(cosine ? cosine_distance(points[i].x, points[j].x)
                                 : squared_distance(points[i].x, points[j].x),
                          j);
    }
    std::sort(others.begin(), others.end());
    std::vector<std::size_t> list;
    for (std::size_t e = 0; e < others.size() && e < k; ++e) list.push_back(others[e].second);
    lists.push_back(list);
  }
  return lists;
}

Vector ls_scores(const std::vector<Point>& points, const GraphParams& params) {
  const Matrix s =
      weights(points, adjacency(points, params, params.use_labels, false), params.lambda);
  Vector scores;
  for (std::size_t r = 0; r < points.front().x.size(); ++r) {
    scores.push_back(laplacian_score(s, feature(points, r)));
  }
  return scores;
}

Vector cls_scores(const std::vector<Point>& points, const GraphParams& params) {
  const Matrix s = weights(points, adjacency(points, params, true, true), params.lambda);
  const Vector d = degrees(s);
  const std::size_t n = points.size();
  Vector partners(n, 0);  // c_i
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) partners[i] += cannot_link(points[i], points[j]) ? 1 : 0;
  }
  const double paired = static_cast<double>(
      std::count_if(partners.begin(), partners.end(), [](double c) { return c > 0; }));  // |J|
  Vector scores;
  for (std::size_t r = 0; r < points.front().x.size(); ++r) {
    const Vector f = feature(points, r);
    if (paired == 0) {
      scores.push_back(laplacian_score(s, f));
      continue;
    }
    double t2 = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (cannot_link(points[i], points[j])) t2 += (f[i] - f[j]) * (f[i] - f[j]) * d[i];
      }
      t2 += (paired - partners[i]) * d[i] * (f[i] - mean(f)) * (f[i] - mean(f));
    }
    scores.push_back(constant(f) ? no_score() : ratio(2 * laplacian_form(s, f), t2));
  }
  return scores;
}

}  // namespace whittle::testing
