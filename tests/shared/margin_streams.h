// Streams for the tests of l0svm and fsmanifold: continuous values, so that what is selected is not
// decided by rounding; and the labelled points of one two-class problem.
#ifndef WHITTLE_TESTS_SHARED_MARGIN_STREAMS_H_
#define WHITTLE_TESTS_SHARED_MARGIN_STREAMS_H_

#include <algorithm>
#include <vector>

#include "tests/shared/filled_reference.h"

namespace whittle::testing {

struct MarginCase {
  std::uint64_t seed;
  std::size_t rows, features;
  std::uint32_t classes, labelled, window;
  Real separation;  // of the class means, each in a feature of its own
  Real share;       // labelled
  Real offset = 0;  // of all values
  Real missing = 0;
};

// The last feature but one repeats the first, the last is constant (of more than two features).
inline std::vector<Row> margin_rows(const MarginCase& one) {
  Random random(one.seed);
  std::vector<Row> rows;
  while (rows.size() < one.rows) {
    Row row;
    const std::uint32_t group = random.below(one.classes);
    if (random.uniform() < one.share) {
      row.kind = SampleKind::labelled;
      row.label = group;
    } else if (random.below(5) == 0) {
      row.kind = SampleKind::universum;
    }
    for (std::size_t r = 0; r < one.features; ++r) {
      const Real noise = random.uniform() + random.uniform() + random.uniform();
      row.x.push_back(one.offset + noise + (r == group ? one.separation : Real(0)));
    }
    if (one.features > 2) {
      row.x[one.features - 2] = row.x[0];
      row.x[one.features - 1] = Real(3);
    }
    for (std::size_t r = 1; r + 2 < one.features; ++r) {
      if (random.uniform() < one.missing) row.x[r] = kNoScore;
    }
    rows.push_back(row);
  }
  return rows;
}

inline RankerConfig margin_config(const SelectorType& type, const MarginCase& one) {
  RankerConfig config(type);
  config.memory.features = static_cast<std::uint32_t>(one.features);
  config.memory.classes = one.classes;
  config.memory.labelled = one.labelled;
  config.memory.window = one.window;
  return config;
}

inline std::vector<Point> held_points(const MarginCase& one, const std::vector<Row>& rows) {
  return points_of(held_after(rows, one.labelled, one.window, one.classes));
}

// The positive classes of the problems that docs/methods.md has for these points.
inline std::vector<int> positive_classes(const std::vector<Point>& points) {
  std::vector<int> present;
  for (const Point& point : points) {
    if (point.label >= 0) present.push_back(point.label);
  }
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  if (present.size() < 2) return {};
  if (present.size() == 2) present.erase(present.begin());
  return present;
}

// Labelled points less their mean, and +1 or -1 for each.
struct LabelledProblem {
  std::vector<Vector> x;
  std::vector<int> y;
};

inline LabelledProblem labelled_problem(const std::vector<Point>& points, int positive) {
  const std::vector<Vector> all = filled(points);
  LabelledProblem problem;
  Vector mean(all[0].size(), 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].label < 0) continue;
    problem.x.push_back(all[i]);
    problem.y.push_back(points[i].label == positive ? 1 : -1);
    for (std::size_t r = 0; r < mean.size(); ++r) mean[r] += all[i][r];
  }
  for (Vector& x : problem.x) {
    for (std::size_t r = 0; r < mean.size(); ++r) {
      x[r] -= mean[r] / static_cast<double>(problem.y.size());
    }
  }
  return problem;
}

inline bool is_constant_feature(const std::vector<Point>& points, std::size_t r) {
  const Vector values = present_values(points, r);
  return values.empty() || *std::max_element(values.begin(), values.end()) ==
                               *std::min_element(values.begin(), values.end());
}

// Every objective that a ranking reports.
inline Vector objectives_of(const FeatureRanker& ranker) {
  Vector all;
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    const InfoEntry& entry = ranker.info()[i];
    if (std::strcmp(entry.name, "objective") != 0) continue;
    if (entry.kind == InfoKind::real) all.push_back(static_cast<double>(entry.number));
    for (const Real number : entry.numbers) all.push_back(static_cast<double>(number));
  }
  return all;
}

inline void feed(FeatureRanker& ranker, const std::vector<Row>& rows) {
  for (const Row& row : rows) ASSERT_TRUE(ranker.observe(row.sample()).ok());
}

inline void refine_to_end(FeatureRanker& ranker) {
  for (int calls = 0; !ranker.refine(1000).converged; ++calls) ASSERT_LT(calls, 1000);
}

// Refining a step at a time, with a ranking after each, ends at the same bits as refining in one
// go.
inline void expect_interruptions_do_not_matter(const RankerConfig& config,
                                               const std::vector<Row>& rows) {
  RankerInBuffer straight(config);
  RankerInBuffer interrupted(config);
  feed(*straight, rows);
  feed(*interrupted, rows);
  refine_to_end(*straight);
  ASSERT_TRUE(interrupted->rank(0).ok());  // before any refinement
  while (!interrupted->refine(1).converged) {
    const std::uint64_t before = interrupted->state_digest();
    ASSERT_TRUE(interrupted->rank(0).ok());
    ASSERT_EQ(interrupted->state_digest(), before);
  }
  EXPECT_EQ(straight->state_digest(), interrupted->state_digest());
  ASSERT_TRUE(straight->rank(0).ok());
  ASSERT_TRUE(interrupted->rank(0).ok());
  const auto a = straight->ranking().scores();
  const auto b = interrupted->ranking().scores();
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)), 0);
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_MARGIN_STREAMS_H_
