// L2GFS against the batch algorithm in double precision, and what streaming adds to it.
#include "whittle/select/l2gfs.h"

#include <set>

#include "tests/shared/ranker_fixture.h"

namespace whittle::testing {
namespace {

// Off the grid of make_stream: with ties between clusters the passes would depend on rounding.
std::vector<Row> separated_stream(std::uint64_t seed, std::size_t rows, std::size_t features,
                                  std::uint32_t classes) {
  Random random(seed);
  std::vector<Row> all;
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    const std::uint32_t group = random.below(classes);
    if (random.below(3) == 0) {
      row.kind = SampleKind::labelled;
      row.label = group;
    } else if (random.below(12) == 0) {
      row.kind = SampleKind::universum;
    }
    for (std::size_t r = 0; r < features; ++r) {
      const Real noise = random.uniform() + random.uniform() + random.uniform();
      row.x.push_back(noise + (r < classes && r == group ? Real(1.5) : Real(0)));
    }
    row.x.push_back(Real(3));  // constant
    all.push_back(row);
  }
  return all;
}

std::size_t classes_in(const std::vector<Row>& rows) {
  std::set<std::uint32_t> seen;
  for (const Row& row : rows) {
    if (row.kind == SampleKind::labelled) seen.insert(row.label);
  }
  return seen.size();
}

RankerConfig l2gfs_config(std::size_t features, std::uint32_t classes, const char* relevance) {
  RankerConfig config(kL2gfs);
  config.memory.features = static_cast<std::uint32_t>(features);
  config.memory.classes = classes;
  config.memory.labelled = 32;
  config.memory.window = 48;
  EXPECT_TRUE(config.values.set(kL2gfsParams, "relevance", relevance[0] == 'w' ? 1 : 2).ok());
  return config;
}

double info_value(const FeatureRanker& ranker, const char* name) {
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    if (std::strcmp(ranker.info()[i].name, name) == 0) {
      return static_cast<double>(ranker.info()[i].number);
    }
  }
  ADD_FAILURE() << "no info called " << name;
  return 0;
}

void expect_batch_result(FeatureRanker& ranker, const std::vector<Point>& points,
                         std::uint32_t classes, bool effective) {
  const L2gfsResult batch = l2gfs(points, classes, static_cast<double>(Real(-0.1)), 200);
  ASSERT_TRUE(ranker.rank(0).ok());
  expect_scores(ranker.ranking().scores(), effective ? batch.effective : batch.weight,
                4 * kTolerance, "l2gfs", points.size());
  EXPECT_EQ(info_value(ranker, "iterations"), batch.iterations);
  EXPECT_EQ(info_value(ranker, "converged"), batch.converged ? 1 : 0);
  EXPECT_EQ(info_value(ranker, "violations"), batch.violations);
  EXPECT_NEAR(info_value(ranker, "objective"), batch.objective, 10 * kTolerance * batch.objective);
  EXPECT_NEAR(info_value(ranker, "separation"), batch.separation,
              10 * kTolerance * batch.separation);
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
        if (prefix.size() % 10 != 0) continue;
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
  ASSERT_TRUE(straight->rank(0).ok());
  ASSERT_TRUE(interrupted->rank(0).ok());
  for (std::size_t r = 0; r < 7; ++r) {
    const Real a = straight->ranking().scores()[r];
    const Real b = interrupted->ranking().scores()[r];
    EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << r;
  }
}

TEST(L2gfs, LabelledPointsOfAClassShareItsCluster) {
  const std::vector<Row> rows = separated_stream(11, 100, 4, 2);
  MemoryConfig memory = l2gfs_config(5, 2, "weight").configured_memory();
  std::vector<unsigned char> bytes(1 << 16);
  Arena arena(bytes.data(), bytes.size());
  StreamMemory stream;
  ASSERT_TRUE(stream.create(arena, memory).ok());
  L2gfs selector(arena, stream, ParamValues(kL2gfsParams));
  for (const Row& row : rows) {
    Observation seen;
    ASSERT_TRUE(stream.observe(row.sample(), &seen).ok());
    selector.observe(seen);
  }
  while (!selector.refine(10).converged) {
  }
  for (const Slot slot : stream.points().order()) {
    EXPECT_LT(selector.membership(slot), 2U);
    const std::uint32_t label = stream.points().label(slot);
    if (label == kUnlabelled) continue;
    for (const Slot other : stream.points().order()) {
      if (stream.points().label(other) != label) continue;
      EXPECT_EQ(selector.membership(slot), selector.membership(other));
    }
  }
  for (std::uint32_t q = 0; q < 2; ++q) {
    Real sum = 0;
    for (std::size_t r = 0; r < 5; ++r) sum += selector.weight(q, r);
    EXPECT_NEAR(static_cast<double>(sum), 1, 1e-5);
  }
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
  ASSERT_TRUE(config.values.set(kL2gfsParams, "max_iter", 1).ok());
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
  EXPECT_EQ(info_value(*ranker, "converged"), 0);
}

TEST(L2gfs, SeededStartsAreRepeatableAndDiffer) {
  std::vector<Real> first;
  bool any_differs = false;
  for (const int seed : {1, 1, 2, 3, 4}) {
    RankerConfig config = l2gfs_config(7, 3, "weight");
    ASSERT_TRUE(config.values.set(kL2gfsParams, "seed", static_cast<Real>(seed)).ok());
    ASSERT_TRUE(config.values.set(kL2gfsParams, "max_iter", 1).ok());
    RankerInBuffer ranker(config);
    for (const Row& row : separated_stream(9, 60, 6, 3)) {
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
    }
    ranker->refine(1);
    ASSERT_TRUE(ranker->rank(0).ok());
    const auto scores = ranker->ranking().scores();
    const std::vector<Real> all(scores.begin(), scores.begin() + 6);
    if (first.empty()) {
      first = all;
    } else if (seed == 1) {
      EXPECT_EQ(all, first);
    } else {
      any_differs = any_differs || all != first;
    }
  }
  EXPECT_TRUE(any_differs);
}

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

  ASSERT_TRUE(config.values.set(kL2gfsParams, "beta", 1).ok());
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

}  // namespace
}  // namespace whittle::testing
