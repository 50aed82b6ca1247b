// Properties of CSFS that hold whatever the data, and what it says when it cannot score.
#include <algorithm>

#include "tests/shared/csfs_reference.h"
#include "tests/shared/ranker_fixture.h"
#include "whittle/select/csfs.h"
#include "whittle/select/ls.h"

namespace whittle::testing {
namespace {

struct Result {
  Status status;
  std::vector<Real> scores;
};

Result run(const std::vector<Row>& rows, double k = 0, std::uint32_t classes = 3,
           std::uint32_t labelled = 40, std::uint32_t window = 40) {
  RankerConfig config(kCsfs);
  config.memory.features = static_cast<std::uint32_t>(rows.front().x.size());
  config.memory.classes = classes;
  config.memory.labelled = labelled;
  config.memory.window = window;
  EXPECT_TRUE(config.values.set(kCsfsParams, "k", static_cast<Real>(k)).ok());
  RankerInBuffer ranker(config);
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  Result result;
  result.status = ranker->rank(0);
  const auto scores = ranker->ranking().scores();
  if (result.status.ok()) result.scores.assign(scores.begin(), scores.end());
  return result;
}

void expect_close(const Result& a, const Result& b, double tolerance) {
  ASSERT_TRUE(a.status.ok());
  ASSERT_TRUE(b.status.ok());
  for (std::size_t r = 0; r < a.scores.size(); ++r) {
    const double x = static_cast<double>(a.scores[r]);
    const double y = static_cast<double>(b.scores[r]);
    ASSERT_EQ(std::isnan(x), std::isnan(y)) << r;
    if (std::isfinite(x)) {
      EXPECT_NEAR(x, y, tolerance * std::fabs(x)) << r;
    }
  }
}

std::vector<Row> grid_stream(std::uint64_t seed) {
  StreamShape shape;
  shape.seed = seed;
  shape.rows = 45;
  shape.features = 10;
  shape.classes = 3;
  shape.universum = 0;
  shape.duplicates = 0;
  return make_stream(shape);
}

TEST(CsfsProperties, ShiftAndScaleChangeNothing) {
  for (const double k : {0.0, 5.0}) {
    const std::vector<Row> rows = grid_stream(3);
    std::vector<Row> moved = rows;
    for (Row& row : moved) {
      for (Real& value : row.x) value = value * 4 + 8192;  // exact on the grid
    }
    expect_close(run(rows, k), run(moved, k), kTolerance);
  }
}

TEST(CsfsProperties, PermutingFeaturesPermutesScores) {
  for (const double k : {0.0, 5.0}) {
    const std::vector<Row> rows = grid_stream(4);
    std::vector<Row> reversed = rows;
    for (Row& row : reversed) std::reverse(row.x.begin(), row.x.end());
    Result result = run(reversed, k);
    std::reverse(result.scores.begin(), result.scores.end());
    expect_close(run(rows, k), result, 4 * kTolerance);
  }
}

TEST(CsfsProperties, OrderOfSamplesDoesNotMatterWhileNothingIsLeftOut) {
  for (const double k : {0.0, 5.0}) {
    const std::vector<Row> rows = grid_stream(5);
    expect_close(run(rows, k), run({rows.rbegin(), rows.rend()}, k), 4 * kTolerance);
  }
}

TEST(CsfsProperties, EvictionLeavesTheBitsOfAFreshMemory) {
  for (const double k : {0.0, 4.0}) {
    std::vector<Row> prefix;
    for (const Row& row : grid_stream(6)) {
      prefix.push_back(row);
      if (prefix.size() % 9 != 0) continue;
      const Result streamed = run(prefix, k, 3, 7, 9);
      const Result fresh = run(held_after(prefix, 7, 9, 3), k, 3, 7, 9);
      ASSERT_TRUE(streamed.status.ok());
      ASSERT_EQ(std::memcmp(streamed.scores.data(), fresh.scores.data(), 10 * sizeof(Real)), 0);
    }
  }
}

// Without labels and by neighbours nothing is left of csfs but the Laplacian score.
TEST(CsfsProperties, WithoutConstraintsItIsTheLaplacianScore) {
  std::vector<Row> rows = grid_stream(7);
  for (Row& row : rows) row.kind = SampleKind::unlabelled;
  RankerConfig config(kLs);
  config.memory.features = 10;
  config.memory.window = 40;
  RankerInBuffer ls(config);
  for (const Row& row : rows) ASSERT_TRUE(ls->observe(row.sample()).ok());
  ASSERT_TRUE(ls->rank(0).ok());
  const Result csfs = run(rows, 10);
  ASSERT_TRUE(csfs.status.ok());
  for (std::size_t r = 0; r < 10; ++r) {
    const double expected = static_cast<double>(ls->ranking().scores()[r]);
    if (std::isnan(expected)) continue;
    EXPECT_NEAR(static_cast<double>(csfs.scores[r]), expected, kTolerance * expected);
  }
}

// Neighbours that must link do not count: all labelled and of one class, T1 is 0, exactly.
TEST(CsfsProperties, MustLinkedNeighboursCountNothing) {
  CloudShape shape;
  shape.points = 12;
  shape.groups = 1;
  shape.labelled = 1;
  const Result result = run(rows_of(make_cloud(shape)), 11, 1);
  ASSERT_TRUE(result.status.ok());
  for (const Real score : result.scores) EXPECT_EQ(score, Real(0));
}

TEST(CsfsProperties, ConstantFeaturesHaveNoScore) {
  std::vector<Row> rows = rows_of(make_cloud({}));
  for (Row& row : rows) row.x[1] = Real(2.5);
  const Result result = run(rows);
  ASSERT_TRUE(result.status.ok());
  EXPECT_TRUE(has_score(result.scores[0]));
  EXPECT_FALSE(has_score(result.scores[1]));
}

TEST(CsfsProperties, NeedsTwoNeighbours) {
  const Row a{{1, 2}}, b{{3, 4}}, c{{3, 5}};
  const Row universum{{1, 2}, SampleKind::universum, 0};
  for (const double k : {0.0, 3.0}) {
    EXPECT_EQ(run({universum}, k).status.code(), StatusCode::failed_precondition);
    EXPECT_EQ(run({a}, k).status.code(), StatusCode::failed_precondition);
    EXPECT_TRUE(run({a, b, c}, k).status.ok());
  }
  // Two points are two clusters.
  EXPECT_EQ(run({a, b}).status.code(), StatusCode::failed_precondition);
  EXPECT_TRUE(run({a, b}, 3).status.ok());
}

TEST(CsfsProperties, DistancesThatOverflowAndWeightsThatUnderflowAreErrors) {
  const Real far = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  const std::vector<Row> rows = {{{far, 1}}, {{1, 2}}, {{-far, 5}}, {{0, 1}}};
  EXPECT_EQ(run(rows).status.code(), StatusCode::failed_precondition);

  RankerConfig config(kCsfs);
  config.memory.features = 1;
  config.memory.window = 4;
  ASSERT_TRUE(config.values.set(kCsfsParams, "lambda", Real(1e-20)).ok());
  RankerInBuffer narrow(config);
  for (const Real value : {Real(1), Real(2), Real(4)}) {
    ASSERT_TRUE(narrow->observe(Row{{value}}.sample()).ok());
  }
  EXPECT_EQ(narrow->rank(0).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
