// Properties that hold whatever the data: shift, scale, permutation of features, order of samples,
// prefix equality to the bit, degenerate streams.
#include <algorithm>

#include "tests/shared/ranker_fixture.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

const SelectorType* const kAll[] = {&kVariance, &kFisher, &kCs1, &kCs2,
                                    &kUvs,      &kLs,     &kCls, &kL2gfs};

struct Result {
  Status status;
  std::vector<Real> scores;
};

Result run(const SelectorType& type, const std::vector<Row>& rows, std::uint32_t classes = 2,
           std::uint32_t labelled = 64, std::uint32_t window = 64) {
  RankerConfig config(type, kAllParts);
  config.memory.features = static_cast<std::uint32_t>(rows.front().x.size());
  config.memory.classes = classes;
  config.memory.labelled = labelled;
  config.memory.window = window;
  RankerInBuffer ranker(config);
  EXPECT_TRUE(ranker.status().ok()) << type.id << ": " << ranker.status().reason();
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  while (!ranker->refine(100).converged) {
  }
  Result result;
  result.status = ranker->rank(0);
  const auto scores = ranker->ranking().scores();
  if (result.status.ok()) result.scores.assign(scores.begin(), scores.end());
  return result;
}

void expect_close(const Result& a, const Result& b, double factor, double tolerance,
                  const char* id) {
  ASSERT_TRUE(a.status.ok()) << id;
  ASSERT_TRUE(b.status.ok()) << id;
  for (std::size_t r = 0; r < a.scores.size(); ++r) {
    const double x = static_cast<double>(a.scores[r]) * factor;
    const double y = static_cast<double>(b.scores[r]);
    ASSERT_EQ(std::isnan(x), std::isnan(y)) << id << " " << r;
    if (!std::isfinite(x)) continue;
    EXPECT_NEAR(x, y, tolerance * std::fabs(x)) << id << " " << r;
  }
}

TEST(Properties, ShiftChangesNoScore) {
  StreamShape shape;
  shape.features = 10;
  std::vector<Row> rows = make_stream(shape);
  for (const SelectorType* type : kAll) {
    const Result plain = run(*type, rows);
    std::vector<Row> shifted = rows;
    for (Row& row : shifted) {
      for (Real& v : row.x) v += Real(4096);  // exact on the grid
    }
    expect_close(plain, run(*type, shifted), 1, 20 * kTolerance, type->id);
  }
}

TEST(Properties, ScaleActsAsTheFormulaSays) {
  StreamShape shape;
  shape.features = 10;
  std::vector<Row> rows = make_stream(shape);
  for (const SelectorType* type : kAll) {
    const std::string id = type->id;
    const bool squares = id == "variance" || id == "cs2" || id == "uvs";
    const Result plain = run(*type, rows);
    std::vector<Row> scaled = rows;
    for (Row& row : scaled) {
      for (Real& v : row.x) v *= Real(8);
    }
    expect_close(plain, run(*type, scaled), squares ? 64 : 1, 5 * kTolerance, type->id);
  }
}

TEST(Properties, PermutingFeaturesPermutesScores) {
  StreamShape shape;
  shape.features = 10;
  std::vector<Row> rows = make_stream(shape);
  std::vector<Row> reversed = rows;
  for (Row& row : reversed) std::reverse(row.x.begin(), row.x.end());
  for (const SelectorType* type : kAll) {
    Result result = run(*type, reversed);
    std::reverse(result.scores.begin(), result.scores.end());
    expect_close(run(*type, rows), result, 1, 5 * kTolerance, type->id);
  }
}

TEST(Properties, OrderOfSamplesDoesNotMatterWhereItMustNot) {
  StreamShape shape;
  shape.features = 6;
  shape.duplicates = 0;  // equal distances break by age
  std::vector<Row> rows = make_stream(shape);
  std::vector<Row> reversed(rows.rbegin(), rows.rend());
  for (const SelectorType* type : kAll) {
    if (type == &kL2gfs) continue;  // assigns in the order of the samples
    expect_close(run(*type, rows), run(*type, reversed), 1, 20 * kTolerance, type->id);
  }
}

// A stream that has evicted, and a fresh memory that is given what is held, oldest first: the same
// bits, whatever slots the points got.
TEST(Properties, EvictionLeavesTheBitsOfAFreshMemory) {
  StreamShape shape;
  shape.rows = 120;
  shape.features = 9;
  shape.classes = 3;
  for (const SelectorType* type : {static_cast<const SelectorType*>(&kLs), &kCls, &kL2gfs}) {
    std::vector<Row> prefix;
    const std::vector<Row> rows = make_stream(shape);
    for (std::size_t n = 40; n <= rows.size(); n += 20) {
      prefix.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(n));
      const Result streamed = run(*type, prefix, 3, 7, 12);
      const Result fresh = run(*type, held_after(prefix, 7, 12, 3), 3, 7, 12);
      ASSERT_TRUE(streamed.status.ok());
      ASSERT_EQ(std::memcmp(streamed.scores.data(), fresh.scores.data(), 9 * sizeof(Real)), 0)
          << type->id << " " << n;
    }
  }
}

TEST(Properties, DegenerateStreams) {
  const Row one{{1, 2}, SampleKind::labelled, 0};
  const Row other{{3, 2}, SampleKind::labelled, 1};
  const Row plain{{2, 2}};
  for (const SelectorType* type : kAll) {
    const std::string id = type->id;
    const bool needs_classes = id == "fisher" || id == "cs1" || id == "l2gfs";
    // One class only.
    EXPECT_EQ(run(*type, {one, one, plain}).status.ok(), !needs_classes) << id;
    // No labels at all.
    EXPECT_EQ(run(*type, {plain, Row{{4, 2}}}, 0).status.ok(), !needs_classes && id != "cs2") << id;
    // All labelled, a constant feature: no score for it, a score for the other.
    if (id == "cls" || id == "ls") continue;  // two points of two classes: no edge for cls
    const Result result = run(*type, {one, other});
    ASSERT_TRUE(result.status.ok()) << id;
    EXPECT_FALSE(has_score(result.scores[1])) << id;
  }
  // One sample.
  EXPECT_FALSE(has_score(run(kVariance, {one}).scores[0]));
  EXPECT_EQ(run(kLs, {one}).status.code(), StatusCode::failed_precondition);
  // Two points, both constant in feature 1.
  const Result two = run(kLs, {one, other});
  ASSERT_TRUE(two.status.ok());
  EXPECT_TRUE(has_score(two.scores[0]));
  EXPECT_FALSE(has_score(two.scores[1]));
  // Only universum.
  const Row universum{{1, 2}, SampleKind::universum, 0};
  EXPECT_EQ(run(kUvs, {universum}).status.code(), StatusCode::failed_precondition);
}

TEST(Properties, WithoutCannotLinkPairsClsIsLs) {
  StreamShape shape;
  shape.classes = 1;
  shape.features = 7;
  const std::vector<Row> rows = make_stream(shape);
  const Result a = run(kLs, rows, 1);
  const Result b = run(kCls, rows, 1);
  ASSERT_TRUE(a.status.ok());
  EXPECT_EQ(std::memcmp(a.scores.data(), b.scores.data(), 7 * sizeof(Real)), 0);
}

TEST(Properties, WithoutUniversumUvsIsVariance) {
  StreamShape shape;
  shape.universum = 0;
  const std::vector<Row> rows = make_stream(shape);
  const Result a = run(kVariance, rows);
  const Result b = run(kUvs, rows);
  EXPECT_EQ(std::memcmp(a.scores.data(), b.scores.data(), 5 * sizeof(Real)), 0);
}

// One glitch whose square overflows takes its own feature's score away, and makes no winner of it.
TEST(Properties, OverflowGivesNoScore) {
  const Real glitch = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const Real noise = static_cast<Real>(i * 7 % 5);
    rows.push_back({{i == 4 ? glitch : noise, static_cast<Real>(i / 6) + noise / 8},
                    SampleKind::labelled,
                    i / 6});
  }
  for (const SelectorType* type :
       {static_cast<const SelectorType*>(&kVariance), &kFisher, &kCs1, &kCs2, &kUvs}) {
    const Result result = run(*type, rows);
    ASSERT_TRUE(result.status.ok()) << type->id;
    EXPECT_FALSE(has_score(result.scores[0])) << type->id << " " << result.scores[0];
    EXPECT_TRUE(has_score(result.scores[1])) << type->id;
  }
  for (const SelectorType* type : {static_cast<const SelectorType*>(&kLs), &kCls, &kL2gfs}) {
    EXPECT_EQ(run(*type, rows).status.code(), StatusCode::failed_precondition) << type->id;
  }
}

TEST(Properties, SeparatedClassesGiveInfinity) {
  const std::vector<Row> rows = {{{1, 5}, SampleKind::labelled, 0},
                                 {{1, 6}, SampleKind::labelled, 0},
                                 {{2, 5}, SampleKind::labelled, 1},
                                 {{2, 7}, SampleKind::labelled, 1}};
  const Result fisher = run(kFisher, rows);
  EXPECT_EQ(fisher.scores[0], kInfinity);
  EXPECT_LT(fisher.scores[1], kInfinity);
  EXPECT_EQ(run(kCs1, rows).scores[0], Real(0));
}

}  // namespace
}  // namespace whittle::testing
