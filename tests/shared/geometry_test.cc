// The geometries of the memory: what leaves the window trains a codebook, whose prototypes are
// points of the graph; incremental equals batch over what is held, prototypes included.
#include "tests/shared/graph_reference.h"
#include "tests/shared/ranker_fixture.h"
#include "whittle/select/cls.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"

namespace whittle::testing {
namespace {

RankerConfig config_with(Geometry geometry, const SelectorType& type, std::uint32_t units,
                         bool keep) {
  StreamShape shape;
  shape.features = 7;
  RankerConfig config = config_for(type, shape, 6, 8);
  config.memory.geometry = geometry;
  config.memory.codebook = units;
  config.memory.keep_distances = keep;
  if (type.params.size() > 2 && type.params[0].name[0] == 'k') {
    EXPECT_TRUE(config.values.set(type.params, "k", 3).ok());
  }
  return config;
}

std::vector<Row> stream_for(std::uint64_t seed, Real missing) {
  StreamShape shape;
  shape.seed = seed;
  shape.rows = 80;
  shape.features = 7;
  std::vector<Row> rows = make_stream(shape);
  Random random(seed);
  for (Row& row : rows) {
    for (std::size_t r = 1; r < row.x.size(); ++r) {
      if (random.uniform() < missing) row.x[r] = kNoScore;
    }
  }
  return rows;
}

std::vector<Point> points_in(const StreamMemory& memory) {
  std::vector<Point> points;
  for (const Slot slot : memory.points().order()) {
    const Real* x = memory.points().row(slot);
    const std::uint32_t label = memory.points().label(slot);
    points.push_back({Vector(x, x + memory.points().features()),
                      label == kUnlabelled ? -1 : static_cast<int>(label)});
  }
  return points;
}

void check_ls(Geometry geometry, std::uint32_t units, bool keep, Real missing) {
  RankerInBuffer ranker(config_with(geometry, kLs, units, keep));
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  EXPECT_EQ(ranker.left(), 0U);
  for (const Row& row : stream_for(units + 1, missing)) {
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    const auto points = points_in(ranker->memory());
    Matrix edge = neighbour_edges(points, 3, false);
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < points.size(); ++j) {
        const bool linked = i != j && points[i].label >= 0 && points[i].label == points[j].label;
        if (linked && !std::isnan(present_distance(points[i].x, points[j].x))) edge[i][j] = 1;
      }
    }
    if (points.empty() || !any_edge(edge)) continue;
    const Matrix s = edge_weights(points, edge, -1);
    Vector expected;
    for (std::size_t r = 0; r < 7; ++r) expected.push_back(laplacian_score_of(points, s, r));
    ASSERT_TRUE(ranker->rank(0).ok());
    expect_scores(ranker->ranking().scores(), expected, 20 * kTolerance, "ls",
                  static_cast<std::size_t>(ranker->memory().counts().total()));
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(ranker->memory().points().units(), units);
}

TEST(Geometry, LsEqualsBatchOverThePrototypesAndTheRest) {
  for (const Geometry geometry : {Geometry::codebook, Geometry::hybrid}) {
    for (const bool keep : {true, false}) {
      for (const std::uint32_t units : {1U, 4U, 7U}) check_ls(geometry, units, keep, 0);
    }
  }
}

TEST(Geometry, PrototypesMayMissValues) {
  for (const bool keep : {true, false}) check_ls(Geometry::hybrid, 5, keep, Real(0.4));
}

TEST(Geometry, NothingIsForgottenInHybrid) {
  RankerInBuffer ranker(config_with(Geometry::hybrid, kCls, 4, true));
  std::size_t ordinary = 0;
  for (const Row& row : stream_for(3, 0)) {
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    ordinary += row.kind != SampleKind::universum ? 1U : 0U;
  }
  const StreamMemory& memory = ranker->memory();
  EXPECT_EQ(memory.codebook().trained() + memory.points().size() - 4, ordinary);
}

TEST(Geometry, CodebookHoldsNoUnlabelledSample) {
  RankerInBuffer ranker(config_with(Geometry::codebook, kCls, 4, true));
  for (const Row& row : stream_for(3, 0)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  const HeldPoints& points = ranker->memory().points();
  EXPECT_EQ(points.size(), 4U + points.labelled());
  const std::uint64_t newest = ranker->memory().counts().total();
  EXPECT_EQ(ranker->label(newest, 0).code(), StatusCode::not_found);
}

TEST(Geometry, PrototypesAreTheOldestByUnit) {
  RankerInBuffer ranker(config_with(Geometry::hybrid, kLs, 5, true));
  for (const Row& row : stream_for(4, 0)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  const HeldPoints& points = ranker->memory().points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points.is_unit(points.order()[i]), i < 5) << i;
    EXPECT_TRUE(i == 0 || points.stamp(points.order()[i - 1]) < points.stamp(points.order()[i]));
  }
}

TEST(Geometry, IteratesOverPrototypesToo) {
  RankerInBuffer ranker(config_with(Geometry::hybrid, kL2gfs, 5, true));
  for (const Row& row : stream_for(4, 0)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->refine(1000).converged);
  EXPECT_TRUE(ranker->rank(0).ok());
}

TEST(Geometry, NeedsACodebookAndItsMaker) {
  RankerConfig config = config_with(Geometry::hybrid, kLs, 0, true);
  RankerInBuffer none(config);
  EXPECT_EQ(none.status().code(), StatusCode::invalid_argument);
  config = config_with(Geometry::hybrid, kLs, 3, true);
  config.memory.codebook_memory = nullptr;
  RankerInBuffer unlinked(config);
  EXPECT_EQ(unlinked.status().code(), StatusCode::unimplemented);
  RankerInBuffer moments(config_with(Geometry::hybrid, kFisher, 3, true));
  EXPECT_TRUE(moments.status().ok()) << "scores from moments hold no prototypes";
}

}  // namespace
}  // namespace whittle::testing
