// The central test of the project: after every prefix of a stream, the incremental scores equal a
// brute-force double-precision evaluation of the formula, on all that was seen (E1) or on what is
// held (E2), evictions included.
#include <functional>
#include <string>

#include "tests/shared/ranker_fixture.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/ls.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

using Reference = std::function<Vector(const std::vector<Row>& prefix)>;

// Shapes that between them hold every mix: classes, labels, universum, duplicates, width not a
// multiple of the lanes, one feature, a large offset.
std::vector<StreamShape> shapes() {
  std::vector<StreamShape> all(6);
  all[1] = {2, 70, 9, 3, Real(0.5), Real(0), Real(0.3), true, 0};
  all[2] = {3, 50, 1, 2, Real(0.2), Real(0.2), Real(0.2), false, 0};
  all[3] = {4, 60, 16, 4, Real(0.9), Real(0.05), Real(0), true, 0};
  all[4] = {5, 60, 3, 0, Real(0), Real(0.1), Real(0.5), false, 0};
  all[5] = {6, 60, 8, 2, Real(0.3), Real(0.1), Real(0.1), true, 8192};
  return all;
}

std::size_t count_classes(const std::vector<Row>& rows) {
  std::vector<bool> seen(1024, false);
  for (const Row& row : rows) {
    if (row.kind == SampleKind::labelled) seen[row.label] = true;
  }
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
}

std::size_t count(const std::vector<Row>& rows, SampleKind kind) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const Row& row) { return row.kind == kind; }));
}

// Checks prefixes; `ready` says whether the selector has what it needs.
void check_prefixes(const RankerConfig& config, const std::vector<Row>& rows,
                    const std::function<bool(const std::vector<Row>&)>& ready,
                    const Reference& reference, double tolerance) {
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  EXPECT_EQ(ranker.left(), 0U);
  std::vector<Row> prefix;
  for (const Row& row : rows) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    if (prefix.size() % every(6) != 0) continue;
    const Status status = ranker->rank(0);
    if (!ready(prefix)) {
      EXPECT_EQ(status.code(), StatusCode::failed_precondition) << prefix.size();
      continue;
    }
    ASSERT_TRUE(status.ok()) << status.reason() << " at " << prefix.size();
    expect_scores(ranker->ranking().scores(), reference(prefix), tolerance, config.selector->id,
                  prefix.size());
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Prefix, VarianceEqualsBatchOnAllSeen) {
  for (const StreamShape& shape : shapes()) {
    check_prefixes(
        config_for(kVariance, shape), make_stream(shape),
        [](const auto& rows) { return count(rows, SampleKind::universum) < rows.size(); },
        variance_scores, kTolerance);
  }
}

TEST(Prefix, FisherEqualsBatchOnAllSeen) {
  for (const StreamShape& shape : shapes()) {
    check_prefixes(
        config_for(kFisher, shape), make_stream(shape),
        [](const auto& rows) { return count_classes(rows) >= 2; },
        [&](const auto& rows) { return fisher_scores(rows, shape.classes); }, 4 * kTolerance);
  }
}

TEST(Prefix, ConstraintScore1EqualsBatchOnAllSeen) {
  for (const StreamShape& shape : shapes()) {
    check_prefixes(
        config_for(kCs1, shape), make_stream(shape),
        [](const auto& rows) { return count_classes(rows) >= 2; }, cs1_scores, kTolerance);
  }
}

TEST(Prefix, ConstraintScore2EqualsBatchOnAllSeen) {
  for (const StreamShape& shape : shapes()) {
    check_prefixes(
        config_for(kCs2, shape), make_stream(shape),
        [](const auto& rows) { return count(rows, SampleKind::labelled) >= 2; },
        [](const auto& rows) { return cs2_scores(rows, static_cast<double>(Real(0.1))); },
        20 * kTolerance);  // a difference of two sums
  }
}

TEST(Prefix, UniversumVarianceEqualsBatchOnAllSeen) {
  for (const StreamShape& shape : shapes()) {
    for (const bool printed : {false, true}) {
      RankerConfig config = config_for(kUvs, shape);
      ASSERT_TRUE(config.values.set(kUvsParams, "alpha", Real(0.75)).ok());
      ASSERT_TRUE(config.values.set(kUvsParams, "beta", Real(0.5)).ok());
      ASSERT_TRUE(config.values.set(kUvsParams, "universum_norm", printed ? 1 : 0).ok());
      check_prefixes(
          config, make_stream(shape),
          [](const auto& rows) { return count(rows, SampleKind::universum) < rows.size(); },
          [&](const auto& rows) { return uvs_scores(rows, 0.75, 0.5, printed); },
          20 * kTolerance);  // a difference of two sums
    }
  }
}

struct GraphCase {
  std::uint32_t labelled, window;
  GraphParams params;
  bool keep_distances = true;
};

std::vector<GraphCase> graph_cases() {
  std::vector<GraphCase> cases(5);
  cases[0] = {64, 64, {}, true};                    // holds everything
  cases[1] = {6, 9, {3, -1, false, true}, true};    // evicts all the time
  cases[2] = {6, 9, {3, -1, false, false}, false};  // the same without kept distances
  cases[3] = {4, 5, {1, 2.5, false, true}, true};   // one neighbour, fixed lambda
  cases[4] = {8, 0, {20, -1, false, true}, true};   // k past what is held, labelled only
  return cases;
}

RankerConfig graph_config(const SelectorType& type, const StreamShape& shape,
                          const GraphCase& one) {
  RankerConfig config = config_for(type, shape, one.labelled, one.window);
  config.memory.keep_distances = one.keep_distances;
  EXPECT_TRUE(config.values.set(type.params, "k", static_cast<Real>(one.params.k)).ok());
  const Real lambda = one.params.lambda < 0 ? kAutoParam : static_cast<Real>(one.params.lambda);
  EXPECT_TRUE(config.values.set(type.params, "lambda", lambda).ok());
  EXPECT_TRUE(config.values.set(type.params, "metric", one.params.cosine ? 1 : 0).ok());
  return config;
}

// Whether the graph has an edge: two points that are not all in cannot-link pairs.
bool has_edge(const std::vector<Point>& points, const GraphParams& params, bool drop_cannot) {
  const auto lists = nearest(points, params.k, params.cosine);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const std::size_t j : lists[i]) {
      if (!drop_cannot || points[i].label < 0 || points[j].label < 0 ||
          points[i].label == points[j].label) {
        return true;
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (drop_cannot && points[i].label >= 0 && points[i].label == points[j].label) return true;
    }
  }
  return false;
}

void check_graph_selector(const SelectorType& type, bool cls) {
  for (const StreamShape& shape : shapes()) {
    for (const GraphCase& one : graph_cases()) {
      RankerConfig config = graph_config(type, shape, one);
      if (!cls) {
        const Real use_labels = one.params.use_labels ? 1 : 0;
        ASSERT_TRUE(config.values.set(type.params, "use_labels", use_labels).ok());
      }
      const auto held = [&](const std::vector<Row>& rows) {
        return points_of(held_after(rows, one.labelled, one.window, shape.classes));
      };
      check_prefixes(
          config, make_stream(shape),
          [&](const auto& rows) { return has_edge(held(rows), one.params, cls); },
          [&](const auto& rows) {
            return cls ? cls_scores(held(rows), one.params) : ls_scores(held(rows), one.params);
          },
          2 * kTolerance);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Prefix, LaplacianScoreEqualsBatchOnHeldPoints) { check_graph_selector(kLs, false); }

TEST(Prefix, ConstrainedLaplacianScoreEqualsBatchOnHeldPoints) { check_graph_selector(kCls, true); }

}  // namespace
}  // namespace whittle::testing
