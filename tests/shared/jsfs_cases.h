// The streams on which JSFS is compared with Algorithm 1, and how.
#ifndef WHITTLE_TESTS_SHARED_JSFS_CASES_H_
#define WHITTLE_TESTS_SHARED_JSFS_CASES_H_

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "tests/shared/filled_reference.h"
#include "tests/shared/jsfs_reference.h"
#include "whittle/select/jsfs.h"

namespace whittle::testing {

struct JsfsCase {
  const char* name;
  std::size_t rows = 48;
  std::size_t features = 6;
  std::uint32_t classes = 2;
  Real labelled = Real(0.3);
  std::uint32_t held_labelled = 12, window = 14;
  std::size_t k = 5;
  Real gap = Real(1);  // between the classes, in three features
  Real offset = 0;
  Real missing = 0;
  bool constant = false;
  bool duplicates = false;
  std::size_t every = 8 + 8 * testing::every(2);  // prefixes compared
};

// Off the grid of make_stream, so that no decision hangs on a tie.
inline std::vector<Row> rows_of(const JsfsCase& one, std::uint64_t seed) {
  Random random(seed);
  std::vector<Row> rows;
  while (rows.size() < one.rows) {
    Row row;
    const std::uint32_t group = random.below(one.classes);
    if (random.uniform() < one.labelled) {
      row.kind = SampleKind::labelled;
      row.label = group;
    } else if (random.below(12) == 0) {
      row.kind = SampleKind::universum;
    }
    for (std::size_t r = 0; r < one.features; ++r) {
      const Real noise = random.uniform() + random.uniform() + random.uniform() - Real(1.5);
      const Real shift = r < 3 ? one.gap * Real((group + r) % one.classes) : Real(0);
      row.x.push_back(one.offset + noise * Real(r + 1) + shift);
      if (r > 0 && random.uniform() < one.missing) row.x.back() = kNoScore;
    }
    if (one.constant) row.x.back() = one.offset + Real(0.5);
    if (one.duplicates && !rows.empty() && random.below(4) == 0) row.x = rows.back().x;
    rows.push_back(row);
  }
  return rows;
}

inline RankerConfig config_of(const JsfsCase& one) {
  RankerConfig config(kJsfs);
  config.memory.features = static_cast<std::uint32_t>(one.features);
  config.memory.classes = one.classes;
  config.memory.labelled = one.held_labelled;
  config.memory.window = one.window;
  EXPECT_TRUE(config.values.set(kJsfsParams, "k", static_cast<Real>(one.k)).ok());
  return config;
}

inline void refine_to_the_end(FeatureRanker& ranker) {
  while (!ranker.refine(1000).converged) {
  }
}

// The problem of a class against the rest; with two classes the later one's.
inline JsfsResult reference_of(const std::vector<Point>& points, int positive, std::size_t k) {
  std::vector<int> y;
  for (const Point& point : points) {
    y.push_back(point.label < 0 ? 0 : point.label == positive ? 1 : -1);
  }
  JsfsParams params;
  params.k = k;
  return jsfs(points, y, params);
}

inline std::vector<JsfsResult> references_of(const std::vector<Point>& points, std::size_t k) {
  std::set<int> labels;
  for (const Point& point : points) {
    if (point.label >= 0) labels.insert(point.label);
  }
  std::vector<JsfsResult> all;
  if (labels.size() < 2) return all;
  if (labels.size() == 2) labels.erase(labels.begin());
  for (const int label : labels) all.push_back(reference_of(points, label, k));
  return all;
}

// A decision nearer to its threshold than this may fall otherwise in the core.
inline constexpr double kCloseCall = sizeof(Real) == 4 ? 2e-4 : 1e-9;
inline constexpr double kClose = sizeof(Real) == 4 ? 1e-4 : 1e-8;

inline bool has_close_call(const std::vector<JsfsResult>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const JsfsResult& one) { return one.nearest_call < kCloseCall; });
}

inline void expect_equal(const FeatureRanker& ranker, const std::vector<Point>& points,
                         const std::vector<JsfsResult>& all) {
  int passes = 0;
  bool converged = true;
  double largest = 0;
  double residual = 0;
  for (const JsfsResult& one : all) {
    passes += one.passes;
    converged = converged && one.converged;
    residual = std::max(residual, one.residual);
    for (const double w : one.w) largest = std::max(largest, std::fabs(w));
  }
  for (std::size_t r = 0; r < points[0].x.size(); ++r) {
    const Real score = ranker.ranking().scores()[r];
    if (is_constant(present_values(points, r))) {
      EXPECT_FALSE(has_score(score)) << r;
      continue;
    }
    double expected = 0;
    bool selected = false;
    for (const JsfsResult& one : all) {
      expected = std::max(expected, std::fabs(one.w[r]));
      selected = selected || one.selected[r];
    }
    EXPECT_NEAR(static_cast<double>(score), expected, kClose * largest) << r;
    EXPECT_EQ(ranker.ranking().selected()[r], selected) << r;
  }
  EXPECT_EQ(info_of(ranker, "iterations"), passes);
  EXPECT_NEAR(info_of(ranker, "residual"), residual, 2 * kClose);
  EXPECT_EQ(info_of(ranker, "converged"), converged ? 1 : 0);
  if (all.size() > 1) return;
  EXPECT_EQ(info_of(ranker, "kept_samples"), static_cast<double>(all[0].kept_samples));
  const double objective = all[0].objectives.back();
  EXPECT_NEAR(info_of(ranker, "objective"), objective, kClose * std::fabs(objective));
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_JSFS_CASES_H_
