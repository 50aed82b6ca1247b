// L2GFS against the batch algorithm in double precision, and what streaming adds to it.
#include "whittle/select/l2gfs.h"

#include <limits>

#include "tests/shared/clustering_streams.h"
#include "tests/shared/filled_reference.h"

namespace whittle::testing {
namespace {

RankerConfig l2gfs_config(std::size_t features, std::uint32_t classes, const char* relevance) {
  return clustering_config(kL2gfs, features, classes, relevance[0] == 'e', 32, 48);
}

void expect_batch_result(FeatureRanker& ranker, const std::vector<Point>& points,
                         std::uint32_t classes, bool effective) {
  const L2gfsResult batch = l2gfs(points, classes, static_cast<double>(Real(-0.1)), 200);
  ASSERT_TRUE(ranker.rank(0).ok());
  expect_scores(ranker.ranking().scores(), effective ? batch.effective : batch.weight,
                4 * kTolerance, "l2gfs", points.size());
  EXPECT_EQ(info_of(ranker, "iterations"), batch.iterations);
  EXPECT_EQ(info_of(ranker, "converged"), batch.converged ? 1 : 0);
  EXPECT_NEAR(info_of(ranker, "residual"), batch.moved, kTolerance);
  EXPECT_EQ(info_of(ranker, "violations"), batch.violations);
  EXPECT_NEAR(info_of(ranker, "objective"), batch.objective, 10 * kTolerance * batch.objective);
  EXPECT_NEAR(info_of(ranker, "separation"), batch.separation, 10 * kTolerance * batch.separation);
}

TEST(L2gfs, RefinedToConvergenceEqualsBatchAfterEveryTenthPrefix) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const std::vector<Row> rows = separated_stream(classes, 140, 6, classes);
    for (const bool effective : {false, true}) {
      RankerInBuffer ranker(l2gfs_config(7, classes, effective ? "effective" : "weight"));
      std::vector<Row> prefix;
      for (const Row& row : rows) {
        prefix.push_back(row);
        ASSERT_TRUE(ranker->observe(row.sample()).ok());
        if (prefix.size() % (10 * every(2)) != 0) continue;
        while (!ranker->refine(1).converged) {
        }
        const std::vector<Row> held = held_after(prefix, 32, 48, classes);
        if (classes_in(held) >= 2) {
          expect_batch_result(*ranker, points_of(held), classes, effective);
        }
      }
    }
  }
}

TEST(L2gfs, InterruptionsDoNotChangeTheResult) {
  const std::vector<Row> rows = separated_stream(7, 90, 6, 3);
  RankerInBuffer straight(l2gfs_config(7, 3, "weight"));
  RankerInBuffer interrupted(l2gfs_config(7, 3, "weight"));
  for (const Row& row : rows) {
    ASSERT_TRUE(straight->observe(row.sample()).ok());
    ASSERT_TRUE(interrupted->observe(row.sample()).ok());
    interrupted->refine(1);
  }
  EXPECT_TRUE(straight->refine(1000).converged);
  while (!interrupted->refine(1).converged) {
    ASSERT_TRUE(interrupted->rank(0).ok());
  }
  expect_same_bits(*straight, *interrupted);
  EXPECT_EQ(interrupted->refine(1).iterations, 0U);
}

TEST(L2gfs, ALateLabelIsAsGoodAsOneThatCameWithTheSample) {
  const std::vector<Row> rows = separated_stream(9, 60, 6, 3);
  RankerInBuffer early(l2gfs_config(7, 3, "effective"));
  RankerInBuffer late(l2gfs_config(7, 3, "effective"));
  for (const Row& row : rows) {
    ASSERT_TRUE(early->observe(row.sample()).ok());
    Row hidden = row;
    if (row.kind == SampleKind::labelled) hidden.kind = SampleKind::unlabelled;
    ASSERT_TRUE(late->observe(hidden.sample()).ok());
    if (row.kind == SampleKind::labelled) {
      ASSERT_TRUE(late->label(late->memory().counts().total(), row.label).ok());
    }
    late->refine(1);
  }
  while (!early->refine(5).converged || !late->refine(5).converged) {
  }
  expect_same_bits(*early, *late);
}

// The first pass of a warm run is already near its end, where a cold start is not.
TEST(L2gfs, GoesOnFromWhereItWas) {
  const std::vector<Row> rows = separated_stream(4, 80, 6, 3);
  RankerInBuffer ranker(l2gfs_config(7, 3, "weight"));
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
  }
  EXPECT_TRUE(ranker->refine(1000).converged);
  Row last = rows.back();
  last.kind = SampleKind::unlabelled;
  ASSERT_TRUE(ranker->observe(last.sample()).ok());
  EXPECT_FALSE(ranker->refine(1).converged);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  const double after_one = info_of(*ranker, "objective");
  while (!ranker->refine(1).converged) {
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_LE(info_of(*ranker, "objective"), after_one * 1.0001);  // the cold run is not shown
  }
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 1);
  EXPECT_NEAR(info_of(*ranker, "objective"), after_one, 0.01 * after_one);
}

TEST(L2gfs, ResidualIsTheShareThatChangedItsCluster) {
  const std::vector<Row> rows = held_after(separated_stream(5, 90, 6, 3), 32, 48, 3);
  int above = 0;
  for (int passes = 1; passes < 6; ++passes) {
    RankerConfig config = l2gfs_config(7, 3, "weight");
    ASSERT_TRUE(config.values.set(kL2gfs.params, "max_iter", static_cast<Real>(passes)).ok());
    RankerInBuffer ranker(config);
    for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_EQ(info_of(*ranker, "residual"), 1);
    EXPECT_TRUE(ranker->refine(1000).converged);
    ASSERT_TRUE(ranker->rank(0).ok());
    const L2gfsResult batch = l2gfs(points_of(rows), 3, static_cast<double>(Real(-0.1)), passes);
    EXPECT_NEAR(info_of(*ranker, "residual"), batch.moved, kTolerance);
    EXPECT_EQ(info_of(*ranker, "residual") == 0, info_of(*ranker, "converged") == 1);
    above += batch.moved > 0 && batch.moved < 1 ? 1 : 0;
  }
  EXPECT_GT(above, 0);
}

TEST(L2gfs, FillsMissingValuesWithTheMeanOfThoseHeld) {
  std::vector<Row> rows = separated_stream(5, 60, 6, 2);
  Random random(5);
  for (Row& row : rows) row.x[random.below(6)] = kNoScore;
  RankerInBuffer ranker(l2gfs_config(7, 2, "weight"));
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->refine(1000).converged);
  std::vector<Point> points = points_of(held_after(rows, 32, 48, 2));
  const std::vector<Vector> x = filled(points);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].x = x[i];
  expect_batch_result(*ranker, points, 2, false);
}

TEST(L2gfs, LabelledPointsOfAClassShareItsCluster) {
  const std::vector<Row> rows = separated_stream(11, 100, 4, 2);
  MemoryConfig memory = l2gfs_config(5, 2, "weight").configured_memory();
  std::vector<unsigned char> bytes(1 << 16);
  Arena arena(bytes.data(), bytes.size());
  StreamMemory stream;
  ASSERT_TRUE(stream.create(arena, memory).ok());
  L2gfs selector(arena, stream, ParamValues(kClusteringParams));
  Real none[2];
  EXPECT_EQ(selector.memberships(0, none).code(), StatusCode::failed_precondition);
  EXPECT_EQ(selector.memberships(kNoSlot, none).code(), StatusCode::failed_precondition);
  for (const Row& row : rows) {
    Observation seen;
    ASSERT_TRUE(stream.observe(row.sample(), &seen).ok());
    selector.observe(seen);
  }
  while (!selector.refine(10).converged) {
  }
  for (const Slot slot : stream.points().order()) {
    Real degrees[2];
    ASSERT_TRUE(selector.memberships(slot, degrees).ok());
    EXPECT_EQ(degrees[0] + degrees[1], Real(1));
    EXPECT_TRUE(degrees[0] == 0 || degrees[0] == 1);
    const std::uint32_t label = stream.points().label(slot);
    if (label == kUnlabelled) continue;
    for (const Slot other : stream.points().order()) {
      Real others[2];
      ASSERT_TRUE(selector.memberships(other, others).ok());
      if (stream.points().label(other) != label) continue;
      EXPECT_EQ(degrees[0], others[0]);
    }
  }
  // Mean over the clusters of weights that sum to 1 in each.
  Real scores[5];
  ASSERT_TRUE(selector.score(scores, nullptr).ok());
  double sum = 0;
  for (const Real score : scores) sum += has_score(score) ? static_cast<double>(score) : 0;
  EXPECT_NEAR(sum, 1, 1e-5);
}

TEST(L2gfs, ScoresAreUsableWithoutRefineAndWithoutHeldPoints) {
  RankerConfig config = l2gfs_config(7, 2, "effective");
  config.memory.labelled = 0;
  config.memory.window = 0;
  config.memory.scaling = Scaling::zscore;
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker.status().ok());
  // About 1 / standard deviation: features 0 and 1 carry the classes on top of the noise.
  const Real offset[7] = {};
  const Real gain[7] = {Real(1.1), Real(1.1), 2, 2, 2, 2, 1};
  ASSERT_TRUE(ranker->set_scale(0, offset, gain).ok());
  for (const Row& row : separated_stream(5, 300, 6, 2)) {
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  EXPECT_TRUE(ranker->refine(10).converged);  // nothing held: nothing to do
  ASSERT_TRUE(ranker->rank(2).ok());
  // Features 0 and 1 tell the classes apart, 6 is constant.
  EXPECT_LT(ranker->ranking().order()[0], 2U);
  EXPECT_LT(ranker->ranking().order()[1], 2U);
  EXPECT_EQ(ranker->ranking().order()[6], 6U);
  EXPECT_FALSE(has_score(ranker->ranking().scores()[6]));
}

TEST(L2gfs, StopsAtMaxIterAndSaysSo) {
  RankerConfig config = l2gfs_config(7, 2, "weight");
  ASSERT_TRUE(config.values.set(kClusteringParams, "max_iter", 1).ok());
  RankerInBuffer ranker(config);
  for (const Row& row : separated_stream(5, 60, 6, 2)) {
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  EXPECT_FALSE(ranker->refine(0).converged);
  const Refinement done = ranker->refine(50);
  EXPECT_EQ(done.iterations, 1U);
  EXPECT_TRUE(done.converged);  // nothing left to do
  EXPECT_EQ(ranker->refine(50).iterations, 0U);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
}

TEST(L2gfs, SeededStartsAreRepeatableAndDiffer) { expect_seeds_matter(kL2gfs); }

TEST(L2gfs, NeedsTwoClassesAndABetaThatIsNotOne) {
  RankerConfig config = l2gfs_config(3, 2, "weight");
  RankerInBuffer ranker(config);
  Row row{{1, 2, 3}, SampleKind::labelled, 0};
  ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  row.x = {4, 5, 6};
  row.label = 1;
  ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());

  ASSERT_TRUE(config.values.set(kClusteringParams, "beta", 1).ok());
  RankerInBuffer refused(config);
  EXPECT_EQ(refused.status().code(), StatusCode::invalid_argument);
}

TEST(L2gfs, AutoRelevanceFollowsTheScaling) {
  for (const Scaling scaling : {Scaling::none, Scaling::minmax, Scaling::zscore}) {
    RankerConfig config(kL2gfs);
    config.memory.features = 2;
    config.memory.classes = 2;
    config.memory.labelled = 8;
    config.memory.scaling = scaling;
    RankerInBuffer ranker(config);
    const Real zero[] = {0, 0};
    const Real one[] = {1, 1};
    EXPECT_EQ(ranker->set_scale(0, zero, one).ok(), scaling != Scaling::none);
    for (std::uint32_t i = 0; i < 4; ++i) {
      const Row row{{static_cast<Real>(i), static_cast<Real>(i * i)}, SampleKind::labelled, i % 2};
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
    }
    ranker->refine(10);
    ASSERT_TRUE(ranker->rank(0).ok());
    bool found = false;
    for (std::size_t i = 0; i < ranker->info().size(); ++i) {
      if (std::strcmp(ranker->info()[i].name, "relevance") != 0) continue;
      found = true;
      EXPECT_STREQ(ranker->info()[i].text, scaling == Scaling::zscore ? "effective" : "weight");
    }
    EXPECT_TRUE(found);
  }
}

// After a new scale the clusters are those of a first pass over the held points in that scale.
TEST(L2gfs, ANewScaleMakesNewClusters) {
  RankerConfig config(kL2gfs, kAllParts);
  config.memory.features = 4;
  config.memory.classes = 2;
  config.memory.labelled = 16;
  config.memory.window = 16;
  config.memory.scaling = Scaling::zscore;
  config.memory.learn = 20;
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  const std::vector<Row> rows = separated_stream(6, 60, 3, 2);
  const auto wide = [&](std::size_t i) {
    Row row = rows[i];
    row.x[2] *= i < 20 ? Real(1) : Real(100);
    return row;
  };
  for (std::size_t i = 0; i < 40; ++i) ASSERT_TRUE(ranker->observe(wide(i).sample()).ok());
  while (!ranker->refine(2).converged) {
  }
  ASSERT_TRUE(ranker->rank(0).ok());
  const double before = info_of(*ranker, "objective");
  ASSERT_TRUE(ranker->rescale().ok());
  ASSERT_TRUE(ranker->rank(0).ok());  // before any refinement
  const double at_once = info_of(*ranker, "objective");
  EXPECT_LT(at_once, 0.7 * before);
  while (!ranker->refine(2).converged) {
  }
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_LE(info_of(*ranker, "objective"), at_once * 1.0001);
  EXPECT_GT(info_of(*ranker, "objective"), at_once / 2);
}

}  // namespace
}  // namespace whittle::testing
