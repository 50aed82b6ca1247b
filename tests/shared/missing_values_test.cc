// ls and cls where values are missing, and with explicit pairs: after every prefix, evictions
// included, equal to brute force over the held points.
#include <functional>

#include "tests/shared/graph_reference.h"
#include "tests/shared/ranker_fixture.h"
#include "whittle/select/cls.h"
#include "whittle/select/ls.h"

namespace whittle::testing {
namespace {

std::vector<Row> with_holes(const StreamShape& shape, Real share) {
  std::vector<Row> rows = make_stream(shape);
  Random random(shape.seed + 77);
  for (Row& row : rows) {
    const std::size_t kept = random.below(static_cast<std::uint32_t>(row.x.size()));
    for (std::size_t r = 0; r < row.x.size(); ++r) {
      if (r != kept && random.uniform() < share) row.x[r] = kNoScore;
    }
  }
  return rows;
}

struct Setting {
  std::size_t k = 3;
  bool cosine = false;
  bool keep = true;
};

// S of ls (use_labels) or cls; links as closed_links gives them.
Matrix graph_of(const std::vector<Point>& points, const Matrix& links, const Setting& setting,
                bool drop_cannot_link) {
  Matrix edge = neighbour_edges(points, setting.k, setting.cosine);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (links[i][j] == 1) edge[i][j] = 1;
      if (links[i][j] == -1 && drop_cannot_link) edge[i][j] = 0;
      if (std::isnan(present_distance(points[i].x, points[j].x))) edge[i][j] = 0;
    }
  }
  return edge;
}

double cls_of(const std::vector<Point>& points, const Matrix& links, const Matrix& s,
              std::size_t r) {
  const Vector present = present_values(points, r);
  if (is_constant(present)) return no_score();
  const double mean = mean_of(present);
  std::vector<int> partners(points.size(), 0);
  int linked = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const double link : links[i]) partners[i] += link == -1 ? 1 : 0;
    linked += partners[i] > 0 ? 1 : 0;
  }
  double t2 = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double f = points[i].x[r];
    if (std::isnan(f)) continue;
    for (std::size_t j = 0; j < points.size(); ++j) {
      const double d = f - points[j].x[r];
      if (links[i][j] == -1 && !std::isnan(d)) t2 += d * d * row_sum(s[i]);
    }
    t2 += (linked - partners[i]) * row_sum(s[i]) * (f - mean) * (f - mean);
  }
  return quotient(2 * pair_sum(points, r, [&](auto i, auto j) { return s[i][j]; }), t2);
}

Vector expected_scores(bool cls, const std::vector<Point>& points, const Matrix& links,
                       const Setting& setting) {
  const bool apart = cls && has_cannot_link(links);
  const Matrix s = edge_weights(points, graph_of(points, links, setting, cls), -1);
  Vector scores;
  for (std::size_t r = 0; r < points[0].x.size(); ++r) {
    scores.push_back(apart ? cls_of(points, links, s, r) : laplacian_score_of(points, s, r));
  }
  return scores;
}

RankerConfig small_config(const SelectorType& type, const StreamShape& shape,
                          const Setting& setting) {
  RankerConfig config = config_for(type, shape, 8, 12);
  config.memory.keep_distances = setting.keep;
  EXPECT_TRUE(config.values.set(type.params, "k", static_cast<Real>(setting.k)).ok());
  EXPECT_TRUE(config.values.set(type.params, "metric", setting.cosine ? 1 : 0).ok());
  return config;
}

void check_holes(const SelectorType& type, const StreamShape& shape, Real share,
                 const Setting& setting) {
  RankerInBuffer ranker(small_config(type, shape, setting));
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  std::vector<Row> prefix;
  for (const Row& row : with_holes(shape, share)) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    if (prefix.size() % every(8) != 0) continue;
    const auto points = points_of(held_after(prefix, 8, 12, shape.classes));
    if (points.empty()) continue;
    const Matrix links = closed_links(points, {});
    const Status status = ranker->rank(0);
    if (!any_edge(graph_of(points, links, setting, &type == &kCls))) {
      EXPECT_EQ(status.code(), StatusCode::failed_precondition);
      continue;
    }
    ASSERT_TRUE(status.ok()) << status.reason();
    expect_scores(ranker->ranking().scores(),
                  expected_scores(&type == &kCls, points, links, setting),
                  setting.cosine ? 100 * kTolerance : 10 * kTolerance, type.id, prefix.size());
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(MissingValues, LsAndClsEqualBatchAfterEveryPrefix) {
  StreamShape shape;
  shape.rows = 50;
  shape.duplicates = Real(0.2);
  for (const SelectorType* type : {&kLs, &kCls}) {
    for (const bool keep : {true, false}) {
      for (const std::size_t features : {2U, 5U, 17U}) {
        for (const Real share : {Real(0.1), Real(0.6)}) {
          shape.features = features;
          shape.seed = features + 3;
          check_holes(*type, shape, share, {3, false, keep});
        }
      }
    }
  }
}

// The means that stand in for missing values move with every sample; angles follow when scoring.
TEST(MissingValues, CosineReadsTheMeansOfTheTime) {
  StreamShape shape;
  shape.rows = 40;
  shape.features = 6;
  shape.duplicates = 0;
  shape.constant_feature = false;
  for (const bool keep : {true, false}) check_holes(kLs, shape, Real(0.3), {3, true, keep});
}

TEST(MissingValues, WithoutAnyTheBitsAreThoseOfAMemoryThatNeverSawOne) {
  StreamShape shape;
  shape.features = 9;
  RankerInBuffer plain(small_config(kCls, shape, {}));
  RankerInBuffer holed(small_config(kCls, shape, {}));
  const Row hole{{kNoScore, 1, 2, 3, 4, 5, 6, 7, 8}};
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(holed->observe(hole.sample()).ok());
  for (const Row& row : make_stream(shape)) {
    ASSERT_TRUE(plain->observe(row.sample()).ok());
    ASSERT_TRUE(holed->observe(row.sample()).ok());
  }
  ASSERT_FALSE(holed->memory().points().any_missing());  // they have left the window
  ASSERT_TRUE(plain->rank(0).ok());
  ASSERT_TRUE(holed->rank(0).ok());
  for (std::size_t r = 0; r < 9; ++r) {
    EXPECT_TRUE(plain->ranking().scores()[r] == holed->ranking().scores()[r] ||
                !has_score(plain->ranking().scores()[r]));
  }
}

TEST(ExplicitPairs, ClsEqualsBatchOverTheirClosure) {
  StreamShape shape;
  shape.rows = 60;
  shape.features = 6;
  shape.universum = 0;
  Random random(5);
  RankerConfig config = small_config(kCls, shape, {});
  config.memory.pairs = 12;
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  std::vector<Row> prefix;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ids;  // of accepted pairs
  std::vector<bool> must;
  std::size_t most_pairs = 0;
  for (const Row& row : make_stream(shape)) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    const std::uint64_t newest = prefix.size();
    const std::uint64_t other = newest - std::min<std::uint64_t>(newest, random.below(8));
    const bool link = random.below(2) == 0;
    if (ranker->constrain(newest, other, link).ok()) {
      ids.emplace_back(newest, other);
      must.push_back(link);
    }
    std::vector<Point> points;
    std::vector<std::uint64_t> held;
    for (const Slot slot : ranker->memory().points().order()) {
      held.push_back(ranker->memory().points().arrival(slot) + 1);
      points.push_back(points_of({prefix[static_cast<std::size_t>(held.back() - 1)]})[0]);
    }
    std::vector<GivenPair> given;
    for (std::size_t p = 0; p < ids.size(); ++p) {
      const auto a = std::find(held.begin(), held.end(), ids[p].first);
      const auto b = std::find(held.begin(), held.end(), ids[p].second);
      if (a == held.end() || b == held.end()) continue;
      given.push_back({static_cast<std::size_t>(a - held.begin()),
                       static_cast<std::size_t>(b - held.begin()), must[p]});
    }
    most_pairs = std::max(most_pairs, given.size());
    const Matrix links = closed_links(points, given);
    ASSERT_FALSE(links.empty()) << "a contradiction was taken";
    if (!any_edge(graph_of(points, links, {}, true))) continue;
    ASSERT_TRUE(ranker->rank(0).ok());
    expect_scores(ranker->ranking().scores(), expected_scores(true, points, links, {}),
                  10 * kTolerance, "cls with pairs", prefix.size());
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(most_pairs, 3U);
}

}  // namespace
}  // namespace whittle::testing
