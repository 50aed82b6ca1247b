// CSFS against its formula over all pairs, by clusters and by neighbours.
#include "whittle/select/csfs.h"

#include <set>

#include "tests/shared/csfs_reference.h"
#include "tests/shared/ranker_fixture.h"

namespace whittle::testing {
namespace {

struct CsfsCase {
  CloudShape shape;
  CsfsParams params;
  std::uint32_t labelled = 64, window = 64;
  bool keep_distances = true;
};

CloudShape cloud(std::uint64_t seed, std::size_t points, std::size_t features, std::size_t groups,
                 double labelled) {
  CloudShape shape;
  shape.seed = seed;
  shape.points = points;
  shape.features = features;
  shape.groups = groups;
  shape.labelled = labelled;
  return shape;
}

std::vector<CsfsCase> cases() {
  std::vector<CsfsCase> all(15);
  all[0] = {cloud(1, 28, 5, 3, 0.5), {}};          // holds everything
  all[1] = {cloud(2, 40, 9, 3, 0.5), {}, 6, 9};    // evicts all the time
  all[2] = {cloud(3, 40, 17, 2, 0.3), {4}, 8, 9};  // by neighbours
  all[3] = {cloud(3, 40, 17, 2, 0.3), {4}, 8, 9, false};
  all[4] = {cloud(4, 40, 6, 3, 0.5), {3, 5, true}, 8, 9};        // cosine, fixed lambda
  all[5] = {cloud(5, 30, 1, 2, 0.5), {}, 6, 9};                  // m = 1
  all[6] = {cloud(6, 30, 4, 3, 1), {}, 16, 0};                   // all labelled
  all[7] = {cloud(7, 24, 4, 3, 0), {}, 0, 12};                   // no labels
  all[8] = {cloud(8, 24, 4, 1, 0.6), {}, 12, 6};                 // one class
  all[9] = {cloud(9, 40, 5, 2, 0.6), {0, -1, false, 7}, 12, 8};  // the newest constraints
  all[10] = {cloud(10, 40, 6, 3, 0.5), {}, 9, 9};
  all[10].shape.missing = 0.25;
  all[11] = {cloud(11, 40, 6, 3, 0.5), {4}, 9, 9};
  all[11].shape.missing = 0.25;
  all[12] = {cloud(12, 40, 5, 2, 0.5), {}, 9, 9};
  all[12].shape.repeated = 0.4;
  all[13] = {cloud(13, 40, 4, 3, 0.5), {}, 9, 9};  // many points have no value in common
  all[13].shape.missing = 0.7;
  all[14] = {cloud(14, 40, 4, 3, 0.5), {4}, 9, 9};
  all[14].shape.missing = 0.7;
  return all;
}

RankerConfig config_of(const CsfsCase& one) {
  RankerConfig config(kCsfs);
  config.memory.features = static_cast<std::uint32_t>(one.shape.features);
  config.memory.classes = static_cast<std::uint32_t>(one.shape.groups);
  config.memory.labelled = one.labelled;
  config.memory.window = one.window;
  config.memory.keep_distances = one.keep_distances;
  const auto set = [&](const char* name, double value) {
    EXPECT_TRUE(config.values.set(kCsfsParams, name, static_cast<Real>(value)).ok()) << name;
  };
  set("k", static_cast<double>(one.params.k));
  set("metric", one.params.cosine ? 1 : 0);
  set("max_constraints", static_cast<double>(one.params.max_constraints));
  set("lambda", one.params.lambda < 0 ? static_cast<double>(kAutoParam) : one.params.lambda);
  return config;
}

void check_prefixes(const CsfsCase& one) {
  const RankerConfig config = config_of(one);
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  EXPECT_EQ(ranker.left(), 0U);
  std::vector<Row> prefix;
  for (const Row& row : rows_of(make_cloud(one.shape))) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    if (prefix.size() % every(8) != 0) continue;
    const std::vector<Point> points =
        points_of(held_after(prefix, one.labelled, one.window, config.memory.classes));
    const std::uint64_t before = ranker->state_digest();
    const Status status = ranker->rank(0);
    EXPECT_EQ(ranker->state_digest(), before);
    if (!any_edge(csfs_edges(points, one.params))) {
      EXPECT_EQ(status.code(), StatusCode::failed_precondition) << prefix.size();
      continue;
    }
    ASSERT_TRUE(status.ok()) << status.reason() << " at " << prefix.size();
    expect_scores(ranker->ranking().scores(), csfs_scores(points, one.params), 4 * kTolerance,
                  "csfs", prefix.size());
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << one.shape.seed;
  }
}

TEST(Csfs, EqualsItsFormulaAfterEveryPrefix) {
  for (const CsfsCase& one : cases()) check_prefixes(one);
}

TEST(Csfs, ExplicitPairsCountLikeThoseOfLabels) {
  for (const std::size_t k : {0U, 3U}) {
    CsfsCase one = {cloud(14, 26, 5, 3, 0.3), {k}};
    RankerConfig config = config_of(one);
    config.memory.pairs = 12;
    config.memory.explicit_pairs = &kExplicitPairs;
    RankerInBuffer ranker(config);
    ASSERT_TRUE(ranker.status().ok());
    EXPECT_EQ(ranker.left(), 0U);
    const std::vector<Row> rows = rows_of(make_cloud(one.shape));
    const std::vector<Point> points = points_of(rows);
    for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    Random random(3);
    std::vector<GivenPair> given;
    while (given.size() < 12) {
      const GivenPair pair = {random.below(26), random.below(26), given.size() % 2 == 0};
      given.push_back(pair);
      const bool fits = pair.a != pair.b && !closed_links(points, given).empty();
      if (!fits) given.pop_back();
      ASSERT_EQ(ranker->constrain(pair.a + 1, pair.b + 1, pair.must_link).ok(), fits);
      ASSERT_TRUE(ranker->rank(0).ok());
      if (given.size() % every(3) != 0) continue;
      expect_scores(ranker->ranking().scores(), csfs_scores(points, one.params, given),
                    4 * kTolerance, "csfs", given.size());
    }
  }
}

TEST(Csfs, ReportsWhatItUsed) {
  const std::vector<Row> rows = rows_of(make_cloud(cloud(9, 24, 3, 2, 0.5)));
  const std::vector<Point> points = points_of(rows);
  RankerConfig config(kCsfs);
  config.memory.features = 3;
  config.memory.classes = 2;
  config.memory.labelled = 24;
  config.memory.window = 24;
  RankerInBuffer ranker(config);
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  const std::vector<std::size_t> clusters = ward_clusters(filled_vectors(points));
  const std::size_t count = std::set<std::size_t>(clusters.begin(), clusters.end()).size();
  const Coherent kept = coherent_pairs(filled_vectors(points), {newest_pairs(points, true, 2000),
                                                                newest_pairs(points, false, 2000)});
  const auto value = [&](const char* name) {
    for (std::size_t i = 0; i < ranker->info().size(); ++i) {
      if (std::strcmp(ranker->info()[i].name, name) == 0) {
        return static_cast<double>(ranker->info()[i].number);
      }
    }
    return -1.0;
  };
  EXPECT_EQ(value("clusters"), static_cast<double>(count));
  EXPECT_EQ(value("must_links_used"), static_cast<double>(kept.must_link.size()));
  EXPECT_EQ(value("cannot_links_used"), static_cast<double>(kept.cannot_link.size()));
  EXPECT_GT(value("lambda_used"), 0);
}

// k = 0 takes no graph; fewer constraints take less.
TEST(Csfs, TakesOnlyTheMemoryItUses) {
  RankerConfig config = config_of(cases()[0]);
  EXPECT_EQ(config.configured_memory().neighbours, 0U);
  EXPECT_EQ(config.configured_memory().make_graph, nullptr);
  const std::size_t all = FeatureRanker::required_bytes(config);
  ASSERT_TRUE(config.values.set(kCsfsParams, "max_constraints", 10).ok());
  EXPECT_LT(FeatureRanker::required_bytes(config), all);
}

}  // namespace
}  // namespace whittle::testing
