// What the selectors on full vectors share in their tests: the held points with the mean of the
// present values in place of missing ones, and the settings under which they are compared.
#ifndef WHITTLE_TESTS_SHARED_FILLED_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_FILLED_REFERENCE_H_

#include <cstring>
#include <vector>

#include "tests/shared/held_cases.h"

namespace whittle::testing {

inline std::vector<Vector> filled(const std::vector<Point>& points) {
  std::vector<Vector> all;
  for (const Point& point : points) all.push_back(point.x);
  for (std::size_t r = 0; !points.empty() && r < points[0].x.size(); ++r) {
    const Vector present = present_values(points, r);
    const double mean = present.empty() ? 0 : mean_of(present);
    for (Vector& x : all) {
      if (std::isnan(x[r])) x[r] = mean;
    }
  }
  return all;
}

inline Vector feature_of(const std::vector<Vector>& x, std::size_t r) {
  Vector feature;
  for (const Vector& point : x) feature.push_back(point[r]);
  return feature;
}

inline double inner_product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
  return sum;
}

// A ranker that has seen the rows, all held.
inline RankerConfig holding_config(const SelectorType& type, const std::vector<Row>& rows,
                                   std::uint32_t classes = 3) {
  RankerConfig config(type);
  config.memory.features = static_cast<std::uint32_t>(rows.front().x.size());
  config.memory.classes = classes;
  config.memory.labelled = 40;
  config.memory.window = 40;
  return config;
}

inline std::vector<Real> scores_of(const RankerConfig& config, const std::vector<Row>& rows) {
  RankerInBuffer ranker(config);
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  const Status status = ranker->rank(0);
  EXPECT_TRUE(status.ok()) << status.reason();
  const auto scores = ranker->ranking().scores();
  return {scores.begin(), scores.end()};
}
inline std::vector<Real> scores_of(const SelectorType& type, const std::vector<Row>& rows) {
  return scores_of(holding_config(type, rows), rows);
}

// A stream that has evicted, and a fresh memory that is given what is held: the same bits, whatever
// slots the points got.
inline void expect_no_trace_of_the_evicted(const SelectorType& type) {
  StreamShape shape;
  shape.rows = 60;
  shape.features = 9;
  shape.classes = 3;
  shape.universum = 0;
  const std::vector<Row> rows = make_stream(shape);
  RankerConfig config = holding_config(type, rows);
  config.memory.labelled = 7;
  config.memory.window = 12;
  const auto streamed = scores_of(config, rows);
  const auto fresh = scores_of(config, held_after(rows, 7, 12, 3));
  EXPECT_EQ(std::memcmp(streamed.data(), fresh.data(), 9 * sizeof(Real)), 0) << type.id;
}

inline Status status_of(const SelectorType& type, const std::vector<Row>& rows) {
  RankerInBuffer ranker(holding_config(type, rows));
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  const std::uint64_t before = ranker->state_digest();
  const Status status = ranker->rank(0);
  EXPECT_EQ(ranker->state_digest(), before);
  return status;
}

inline double info_of(const FeatureRanker& ranker, const char* name) {
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    if (std::strcmp(ranker.info()[i].name, name) == 0) {
      return static_cast<double>(ranker.info()[i].number);
    }
  }
  ADD_FAILURE() << "no info called " << name;
  return 0;
}

inline void expect_close(const std::vector<Real>& a, const std::vector<Real>& b, double factor,
                         double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t r = 0; r < a.size(); ++r) {
    ASSERT_EQ(has_score(a[r]), has_score(b[r])) << r;
    if (!has_score(a[r])) continue;
    const double x = static_cast<double>(a[r]) * factor;
    EXPECT_NEAR(x, static_cast<double>(b[r]), tolerance * std::fabs(x)) << r;
  }
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_FILLED_REFERENCE_H_
