// Pseudo labels against a dense solution of their linear system.
#include "whittle/select/solve/label_propagation.h"

#include <cmath>
#include <vector>

#include "tests/shared/filled_reference.h"
#include "tests/shared/propagation_reference.h"

namespace whittle::testing {
namespace {

// The held points as the method sees them, with all it needs to label them.
class Propagation {
 public:
  Propagation(const std::vector<Row>& rows, std::size_t k) {
    MemoryConfig config;
    config.features = static_cast<std::uint32_t>(rows.front().x.size());
    config.classes = 2;
    config.labelled = config.window = 60;
    hold_samples(config);
    bytes_.resize(StreamMemory::required_bytes(config) + StandardPoints::required_bytes(config) +
                  NearestRows::required_bytes(config.capacity(), k) +
                  LabelPropagation::required_bytes(config.capacity()) + kArenaAlignment);
    Arena arena(bytes_.data(), bytes_.size());
    EXPECT_TRUE(memory_.create(arena, config).ok());
    points.place(arena, config);
    graph.place(arena, config.capacity(), k);
    labels.place(arena, config.capacity());
    Observation seen;
    for (const Row& row : rows) EXPECT_TRUE(memory_.observe(row.sample(), &seen).ok());
    points.update(memory_.points());
    for (std::size_t i = 0; i < points.size(); ++i) graph.find(points, i);
    has_edges = graph.weigh(points.size());
    labels.start(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points.label(i) != kUnlabelled) labels.label(i, points.label(i) == 1 ? 1 : -1);
    }
  }
  void run() {
    while (!labels.sweep(graph)) {
    }
    labels.decide();
  }

  StandardPoints points;
  NearestRows graph;
  LabelPropagation labels;
  bool has_edges = false;

 private:
  std::vector<unsigned char> bytes_;
  StreamMemory memory_;
};

std::vector<int> signs_of(const std::vector<Point>& points) {
  std::vector<int> y;
  for (const Point& point : points) y.push_back(point.label < 0 ? 0 : point.label == 1 ? 1 : -1);
  return y;
}

// F of the dense system, whose weights are those of the reference.
Matrix dense(const std::vector<Row>& rows, std::size_t k) {
  const std::vector<Point> points = points_of(rows);
  std::vector<Point> z;
  for (const Vector& row : z_scores(points)) z.push_back({row, -1});
  return propagated(edge_weights(z, neighbour_edges(z, k, false), -1), signs_of(points));
}

TEST(LabelPropagation, EqualsTheDenseSolutionElementByElement) {
  for (const std::size_t k : {1U, 3U, 10U}) {
    StreamShape shape;
    shape.seed = k;
    shape.rows = 48;
    shape.labelled = Real(0.15);
    shape.universum = 0;
    shape.duplicates = k == 3 ? Real(0.2) : Real(0);
    const std::vector<Row> rows = make_stream(shape);
    Propagation propagation(rows, k);
    ASSERT_TRUE(propagation.has_edges);
    propagation.run();
    EXPECT_LT(propagation.labels.sweeps(), 1000U);
    const Matrix f = dense(rows, k);
    const std::vector<int> expected = pseudo_labels(f, signs_of(points_of(rows)));
    const double tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-11;
    for (std::size_t i = 0; i < f.size(); ++i) {
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(static_cast<double>(propagation.labels.value(i, c)), f[i][c],
                    tolerance * f[i][c])
            << "k " << k << ", point " << i << ", class " << c;
      }
      EXPECT_EQ(propagation.labels.positive(i), expected[i] > 0) << "k " << k << ", point " << i;
    }
  }
}

Row row_at(Real x, SampleKind kind, std::uint32_t label = 0) { return {{x}, kind, label}; }

TEST(LabelPropagation, TiesAndUnreachedPointsAreOfClassZero) {
  // 2 lies between the classes; the points from 100 on know only each other.
  const std::vector<Row> rows = {
      row_at(1, SampleKind::labelled, 1),         row_at(3, SampleKind::labelled, 0),
      row_at(2, SampleKind::unlabelled),          row_at(Real(1.25), SampleKind::unlabelled),
      row_at(Real(2.75), SampleKind::unlabelled), row_at(100, SampleKind::unlabelled),
      row_at(101, SampleKind::unlabelled),        row_at(102, SampleKind::unlabelled)};
  Propagation propagation(rows, 2);
  propagation.run();
  const bool expected[] = {true, false, false, true, false, false, false, false};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(propagation.labels.positive(i), expected[i]) << i;
  }
  EXPECT_EQ(propagation.labels.value(5, 1), Real(0));
}

TEST(LabelPropagation, OneFarPointKeepsItsDigits) {
  // A chain that F falls along by orders of magnitude, from either end.
  std::vector<Row> rows;
  Real at = 0;
  for (int i = 0; i < 24; ++i) {
    rows.push_back(row_at(at, SampleKind::unlabelled));
    at += i % 3 == 2 ? Real(4) : Real(1);
  }
  rows.front().kind = rows.back().kind = SampleKind::labelled;
  rows.front().label = 1;
  Propagation propagation(rows, 2);
  propagation.run();
  const Matrix f = dense(rows, 2);
  double least = 1;
  for (std::size_t i = 0; i < f.size(); ++i) {
    for (std::size_t c = 0; c < 2; ++c) {
      least = std::min(least, f[i][c]);
      EXPECT_NEAR(static_cast<double>(propagation.labels.value(i, c)), f[i][c],
                  (sizeof(Real) == 4 ? 1e-4 : 1e-11) * f[i][c]);
    }
  }
  EXPECT_LT(least, 1e-3);
}

TEST(LabelPropagation, PointsWithoutACommonFeatureAreNoNeighbours) {
  const std::vector<Row> rows = {{{1, kNoScore}, SampleKind::labelled, 0},
                                 {{kNoScore, 1}, SampleKind::labelled, 1}};
  EXPECT_FALSE(Propagation(rows, 5).has_edges);
}

}  // namespace
}  // namespace whittle::testing
