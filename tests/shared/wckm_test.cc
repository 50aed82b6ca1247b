// wCKM against the batch algorithm and the assignment of a stream, both in double precision, and
// what holds of them.
#include "whittle/select/wckm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/shared/clustering_streams.h"
#include "tests/shared/filled_reference.h"
#include "tests/shared/wckm_reference.h"

namespace whittle::testing {
namespace {

constexpr double kBeta = static_cast<double>(Real(-0.1));
// Degrees go on from pass to pass, and with them their rounding.
constexpr double kPathTolerance = sizeof(Real) == 4 ? 2e-4 : 1e-8;

RankerConfig wckm_config(std::size_t features, std::uint32_t classes, bool effective,
                         std::uint32_t labelled = 16, std::uint32_t window = 24) {
  return clustering_config(kWckm, features, classes, effective, labelled, window);
}

void expect_result(FeatureRanker& ranker, const WckmResult& expected, bool effective,
                   double tolerance, std::size_t prefix) {
  ASSERT_TRUE(ranker.rank(0).ok());
  expect_scores(ranker.ranking().scores(), effective ? expected.effective : expected.weight,
                tolerance, "wckm", prefix);
  EXPECT_NEAR(info_of(ranker, "objective"), expected.objective, tolerance * expected.objective);
  EXPECT_NEAR(info_of(ranker, "violations"), expected.violations,
              tolerance * (1 + expected.violations));
  const double separation = info_of(ranker, "separation");
  if (std::isinf(expected.separation)) {  // no cluster has a width yet
    EXPECT_EQ(separation, expected.separation);
  } else {
    EXPECT_NEAR(separation, expected.separation, 10 * tolerance * (0.1 + expected.separation));
  }
}

// The path of the batch algorithm, as many passes as the core took; and these are as many as it
// takes, but for a degree that moves by just about 1e-4.
void expect_batch_result(FeatureRanker& ranker, const std::vector<Point>& points,
                         std::uint32_t classes, bool effective) {
  ASSERT_TRUE(ranker.rank(0).ok());
  const int passes = static_cast<int>(info_of(ranker, "iterations"));
  const WckmResult batch = wckm(points, classes, kBeta, passes);
  expect_result(ranker, batch, effective, kPathTolerance, points.size());
  EXPECT_EQ(info_of(ranker, "converged"), passes < 200 ? 1 : 0);
  EXPECT_NEAR(info_of(ranker, "residual"), batch.moved.back(), kPathTolerance);
  for (std::size_t pass = 1; pass < batch.moved.size(); ++pass) {
    const bool last = pass + 1 == batch.moved.size();
    if (last && passes < 200) {
      EXPECT_LE(batch.moved[pass], 1.02e-4) << pass;
    } else if (!last) {
      EXPECT_GE(batch.moved[pass], 0.98e-4) << pass;
    }
  }
}

TEST(Wckm, RefinedToConvergenceEqualsBatchAfterEveryTenthPrefix) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const std::vector<Row> rows = separated_stream(classes, 110, 6, classes);
    for (const bool effective : {false, true}) {
      RankerInBuffer ranker(wckm_config(7, classes, effective));
      ASSERT_TRUE(ranker.status().ok());
      EXPECT_EQ(ranker.left(), 0U);
      std::vector<Row> prefix;
      for (const Row& row : rows) {
        prefix.push_back(row);
        ASSERT_TRUE(ranker->observe(row.sample()).ok());
        if (prefix.size() % 10 != 0) continue;
        while (!ranker->refine(7).converged) {
        }
        const std::vector<Row> held = held_after(prefix, 16, 24, classes);
        if (classes_in(held) < 2) continue;
        expect_batch_result(*ranker, points_of(held), classes, effective);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

// Shapes at the edge: one feature, more features than points, all labelled, duplicates, an offset.
TEST(Wckm, EqualsBatchOnOddShapes) {
  std::vector<StreamShape> shapes(5);
  shapes[0] = {1, 40, 1, 2, Real(0.4), Real(0), Real(0), false, 0};
  shapes[1] = {2, 16, 40, 3, Real(0.5), Real(0), Real(0), true, 0};
  shapes[2] = {3, 30, 5, 3, Real(1), Real(0), Real(0), true, 0};
  shapes[3] = {4, 40, 5, 2, Real(0.4), Real(0.1), Real(0.4), true, 0};
  shapes[4] = {5, 40, 5, 2, Real(0.4), Real(0.1), Real(0), true, 8192};
  for (const StreamShape& shape : shapes) {
    const std::vector<Row> rows = make_stream(shape);
    RankerInBuffer ranker(wckm_config(shape.features, shape.classes, false, 40, 40));
    for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    EXPECT_TRUE(ranker->refine(1000).converged);
    expect_batch_result(*ranker, points_of(held_after(rows, 40, 40, shape.classes)), shape.classes,
                        false);
    if (::testing::Test::HasFailure()) FAIL() << "seed " << shape.seed;
  }
}

TEST(Wckm, FillsMissingValuesWithTheMeanOfThoseHeld) {
  std::vector<Row> rows = separated_stream(5, 60, 6, 2);
  Random random(5);
  for (Row& row : rows) row.x[random.below(6)] = kNoScore;
  RankerInBuffer ranker(wckm_config(7, 2, false));
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->refine(1000).converged);
  std::vector<Point> points = points_of(held_after(rows, 16, 24, 2));
  const std::vector<Vector> x = filled(points);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].x = x[i];
  expect_batch_result(*ranker, points, 2, false);
}

TEST(Wckm, StreamedWithoutRefineEqualsAssigningOneByOne) {
  for (const std::uint32_t classes : {2U, 3U}) {
    std::vector<Row> rows = separated_stream(classes + 20, 60, 6, classes);
    std::erase_if(rows, [](const Row& row) { return row.kind == SampleKind::universum; });
    for (const bool effective : {false, true}) {
      RankerConfig config = wckm_config(7, classes, effective, 0, 0);
      RankerInBuffer ranker(config);  // nothing is held
      std::vector<Row> prefix;
      for (const Row& row : rows) {
        prefix.push_back(row);
        ASSERT_TRUE(ranker->observe(row.sample()).ok());
        if (classes_in(prefix) < 2) {
          EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
          continue;
        }
        if (prefix.size() % every(6) != 0) continue;
        const WckmResult expected = wckm_of_stream(points_of(prefix), classes, kBeta);
        expect_result(*ranker, expected, effective, 20 * kTolerance, prefix.size());
        if (::testing::Test::HasFailure()) return;
      }
      EXPECT_TRUE(ranker->refine(10).converged);  // nothing held: nothing to do
    }
  }
}

TEST(Wckm, InterruptionsAndTheHistoryDoNotChangeTheResult) {
  const std::vector<Row> rows = separated_stream(7, 90, 6, 3);
  RankerInBuffer straight(wckm_config(7, 3, false));
  RankerInBuffer interrupted(wckm_config(7, 3, false));
  RankerInBuffer fresh(wckm_config(7, 3, false));
  for (const Row& row : rows) {
    ASSERT_TRUE(straight->observe(row.sample()).ok());
    ASSERT_TRUE(interrupted->observe(row.sample()).ok());
    interrupted->refine(1);
  }
  for (const Row& row : held_after(rows, 16, 24, 3)) {
    ASSERT_TRUE(fresh->observe(row.sample()).ok());
  }
  EXPECT_TRUE(straight->refine(1000).converged);
  while (!interrupted->refine(1).converged) {
    const std::uint64_t before = interrupted->state_digest();
    ASSERT_TRUE(interrupted->rank(0).ok());
    EXPECT_EQ(interrupted->state_digest(), before);
    EXPECT_EQ(info_of(*interrupted, "converged"), 0);
  }
  EXPECT_EQ(interrupted->refine(1).iterations, 0U);
  while (!fresh->refine(3).converged) {
  }
  expect_same_bits(*straight, *interrupted);
  expect_same_bits(*straight, *fresh);
}

TEST(Wckm, ALateLabelIsAsGoodAsOneThatCameWithTheSample) {
  const std::vector<Row> rows = separated_stream(9, 40, 6, 2);
  RankerInBuffer early(wckm_config(7, 2, false, 40, 40));
  RankerInBuffer late(wckm_config(7, 2, false, 40, 40));
  for (const Row& row : rows) {
    ASSERT_TRUE(early->observe(row.sample()).ok());
    Row hidden = row;
    if (row.kind == SampleKind::labelled) hidden.kind = SampleKind::unlabelled;
    ASSERT_TRUE(late->observe(hidden.sample()).ok());
    late->refine(2);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind != SampleKind::labelled) continue;
    ASSERT_TRUE(late->label(i + 1, rows[i].label).ok());
    late->refine(1);
  }
  while (!early->refine(5).converged || !late->refine(5).converged) {
  }
  expect_same_bits(*early, *late);
}

TEST(Wckm, ResidualIsHowFarADegreeMovedInThePass) {
  const std::vector<Row> rows = held_after(separated_stream(8, 60, 6, 2), 16, 24, 2);
  RankerInBuffer ranker(wckm_config(7, 2, false));
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "residual"), 1);
  // The warm run from what the stream left, then the cold one beside it, which is shown at its end.
  bool done = false;
  while (!done) {
    done = ranker->refine(1).converged;
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_GT(info_of(*ranker, "residual"), 0);
    if (info_of(*ranker, "iterations") == 0) continue;
    EXPECT_LT(info_of(*ranker, "residual"), 1);
  }
  EXPECT_EQ(info_of(*ranker, "converged"), 1);
  EXPECT_LE(info_of(*ranker, "residual"), 1e-4);
  const WckmResult batch =
      wckm(points_of(rows), 2, kBeta, static_cast<int>(info_of(*ranker, "iterations")));
  EXPECT_NEAR(info_of(*ranker, "residual"), batch.moved.back(), kPathTolerance);
}

TEST(Wckm, AWarmRunIsShownUntilTheColdOneIsDone) {
  const std::vector<Row> rows = separated_stream(13, 60, 6, 2);
  RankerInBuffer ranker(wckm_config(7, 2, false));
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
  }
  EXPECT_TRUE(ranker->refine(1000).converged);
  Row last = rows.back();
  last.kind = SampleKind::unlabelled;
  ASSERT_TRUE(ranker->observe(last.sample()).ok());
  // The warm run is near its end from the first pass on: the objective hardly moves any more.
  std::vector<double> objectives;
  while (!ranker->refine(1).converged) {
    ASSERT_TRUE(ranker->rank(0).ok());
    objectives.push_back(info_of(*ranker, "objective"));
  }
  ASSERT_TRUE(ranker->rank(0).ok());
  const double end = info_of(*ranker, "objective");
  ASSERT_GT(objectives.size(), 4U);
  for (const double objective : objectives) EXPECT_NEAR(objective, end, 0.02 * end);
}

TEST(Wckm, MembershipsAreDegreesAndFollowTheLabels) {
  MemoryConfig memory = wckm_config(5, 2, false).configured_memory();
  std::vector<unsigned char> bytes(1 << 15);
  Arena arena(bytes.data(), bytes.size());
  StreamMemory stream;
  ASSERT_TRUE(stream.create(arena, memory).ok());
  Wckm selector(arena, stream, ParamValues(kClusteringParams));
  const std::vector<Row> rows = separated_stream(11, 60, 4, 2);
  Real degrees[2];
  const Span<Real> both(degrees);
  EXPECT_EQ(selector.memberships(0, both).code(), StatusCode::failed_precondition);
  EXPECT_EQ(selector.memberships(kNoSlot, both).code(), StatusCode::failed_precondition);
  for (const Row& row : rows) {
    Observation seen;
    ASSERT_TRUE(stream.observe(row.sample(), &seen).ok());
    selector.observe(seen);
  }
  EXPECT_TRUE(selector.refine(1000).converged);
  const WckmResult batch = wckm(points_of(held_after(rows, 16, 24, 2)), 2, kBeta, 200);
  std::size_t i = 0;
  std::size_t unsure = 0;
  for (const Slot slot : stream.points().order()) {
    ASSERT_TRUE(selector.memberships(slot, both).ok());
    EXPECT_NEAR(static_cast<double>(degrees[0] + degrees[1]), 1, 1e-6);
    for (std::size_t q = 0; q < 2; ++q) {
      EXPECT_NEAR(static_cast<double>(degrees[q]), batch.degrees[i][q], 2e-3);
    }
    const std::uint32_t label = stream.points().label(slot);
    EXPECT_TRUE(label == kUnlabelled || degrees[label] > Real(0.5));
    unsure += degrees[0] > Real(0.05) && degrees[0] < Real(0.95) ? 1U : 0U;
    ++i;
  }
  EXPECT_GT(unsure, 0U);
}

TEST(Wckm, DegreesOfAPoint) {
  Real d[3] = {1, 3, kInfinity};
  Real a[3];
  soft_degrees(3, d, nullptr, a);  // first term of (4.15)
  EXPECT_NEAR(static_cast<double>(a[0]), 0.75, 1e-6);
  EXPECT_NEAR(static_cast<double>(a[1]), 0.25, 1e-6);
  EXPECT_EQ(a[2], Real(0));

  // 0.75 + (0.25 * 0.4) / (2 * 1) and 0.25 + (0.1 - 0.4) / (2 * 3)
  Real e[2] = {1, 3};
  const Real costs[2] = {5, Real(5.4)};
  soft_degrees(2, e, costs, a);
  EXPECT_NEAR(static_cast<double>(a[0]), 0.8, 1e-6);
  EXPECT_NEAR(static_cast<double>(a[1]), 0.2, 1e-6);

  Real on[3] = {2, 0, kInfinity};
  const Real against[3] = {0, 100, 0};
  soft_degrees(3, on, against, a);  // it lies on the centroid, whatever it costs
  EXPECT_EQ(a[1], Real(1));
  EXPECT_EQ(a[0] + a[2], Real(0));

  // Costs that outweigh the distances by far, and all alike: nothing overflows, nothing is 0 / 0.
  const Real tiny = std::numeric_limits<Real>::min();
  Real near[3] = {tiny, tiny * 4, kInfinity};
  const Real many[3] = {Real(0.1), Real(0.1), Real(0.1)};
  soft_degrees(3, near, many, a);
  EXPECT_NEAR(static_cast<double>(a[0]), 0.8, 1e-6);
  Real far[3] = {tiny, tiny * 4, kInfinity};
  const Real torn[3] = {100, 0, 0};
  soft_degrees(3, far, torn, a);
  EXPECT_EQ(a[1], Real(1));
}

TEST(Wckm, StopsAtMaxIterAndSaysSo) {
  RankerConfig config = wckm_config(7, 2, false);
  ASSERT_TRUE(config.values.set(kClusteringParams, "max_iter", 2).ok());
  RankerInBuffer ranker(config);
  for (const Row& row : separated_stream(5, 60, 6, 2)) {
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  EXPECT_FALSE(ranker->refine(0).converged);
  EXPECT_EQ(ranker->refine(1).iterations, 1U);
  EXPECT_EQ(ranker->refine(50).iterations, 3U);  // the rest of the warm run, and the cold one
  EXPECT_EQ(ranker->refine(50).iterations, 0U);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  EXPECT_EQ(info_of(*ranker, "iterations"), 2);
}

TEST(Wckm, SeededStartsAreRepeatableAndDiffer) { expect_seeds_matter(kWckm); }

TEST(Wckm, NeedsTwoClassesABetaThatIsNotOneAndDistancesThatDoNotOverflow) {
  RankerConfig config = wckm_config(3, 2, false);
  RankerInBuffer ranker(config);
  Row row{{1, 2, 3}, SampleKind::labelled, 0};
  ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->refine(5).converged);
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  row.x = {4, 5, 6};
  row.label = 1;
  ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());
  const Real huge = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  row.x = {huge, 5, 6};
  ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  EXPECT_TRUE(ranker->refine(1000).converged);
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);

  ASSERT_TRUE(config.values.set(kClusteringParams, "beta", 1).ok());
  RankerInBuffer refused(config);
  EXPECT_EQ(refused.status().code(), StatusCode::invalid_argument);
}

TEST(Wckm, SaysWhenClustersHaveCollapsed) {
  // Two classes in one place, and many features: every point belongs to both clusters alike.
  Random random(3);
  RankerInBuffer ranker(wckm_config(24, 2, true, 8, 40));
  for (std::uint32_t i = 0; i < 48; ++i) {
    Row row;
    row.kind = i < 4 ? SampleKind::labelled : SampleKind::unlabelled;
    row.label = i % 2;
    for (std::size_t r = 0; r < 24; ++r) row.x.push_back(random.uniform() + random.uniform());
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  EXPECT_TRUE(ranker->refine(1000).converged);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "collapsed"), 1);
  EXPECT_LT(info_of(*ranker, "separation"), 1e-6);
}

TEST(Wckm, FeaturesMayComeInAnyOrderAndBeShifted) {
  std::vector<Row> rows = separated_stream(17, 50, 6, 2);
  const auto scores = [](const std::vector<Row>& given) {
    RankerInBuffer ranker(wckm_config(7, 2, false));
    for (const Row& row : given) EXPECT_TRUE(ranker->observe(row.sample()).ok());
    EXPECT_TRUE(ranker->refine(1000).converged);
    EXPECT_TRUE(ranker->rank(0).ok());
    return std::vector<Real>(ranker->ranking().scores().begin(), ranker->ranking().scores().end());
  };
  const std::vector<Real> plain = scores(rows);
  std::vector<Row> reversed = rows;
  for (Row& row : reversed) std::reverse(row.x.begin(), row.x.end());
  std::vector<Real> back = scores(reversed);
  std::reverse(back.begin(), back.end());
  expect_close(plain, back, 1, kPathTolerance);
  for (Row& row : rows) {
    for (std::size_t r = 0; r < 6; ++r) row.x[r] += static_cast<Real>(16 * r);
  }
  expect_close(plain, scores(rows), 1, kPathTolerance);
}

}  // namespace
}  // namespace whittle::testing
