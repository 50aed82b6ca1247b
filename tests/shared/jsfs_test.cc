// JSFS against Algorithm 1 in double precision.
#include "whittle/select/jsfs.h"

#include <algorithm>
#include <string>

#include "tests/shared/jsfs_cases.h"

namespace whittle::testing {
namespace {

void check_prefixes(const JsfsCase& one, std::uint64_t seed) {
  SCOPED_TRACE(std::string(one.name) + ", seed " + std::to_string(seed));
  RankerInBuffer ranker(config_of(one));
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  EXPECT_EQ(ranker.left(), 0U);
  std::vector<Row> prefix;
  int compared = 0, close = 0;
  for (const Row& row : rows_of(one, seed)) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    if (prefix.size() % one.every != 0) {
      ranker->refine(static_cast<std::uint32_t>(prefix.size() % 7));
      continue;
    }
    const std::vector<Point> points =
        points_of(held_after(prefix, one.held_labelled, one.window, one.classes));
    const std::vector<JsfsResult> all = references_of(points, one.k);
    refine_to_the_end(*ranker);
    const std::uint64_t before = ranker->state_digest();
    const Status status = ranker->rank(0);
    EXPECT_EQ(ranker->state_digest(), before);
    if (all.empty()) {
      EXPECT_EQ(status.code(), StatusCode::failed_precondition);
      continue;
    }
    ASSERT_TRUE(status.ok()) << status.reason();
    if (has_close_call(all)) {
      ++close;
      continue;
    }
    SCOPED_TRACE(prefix.size());
    expect_equal(*ranker, points, all);
    ++compared;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(compared, close);
}

TEST(Jsfs, EqualsAlgorithmOneAfterPrefixes) {
  JsfsCase plain{"plain"};
  check_prefixes(plain, 1);
  check_prefixes(plain, 2);
  JsfsCase offset{"offset"};
  offset.offset = 1000;
  check_prefixes(offset, 3);
}

TEST(Jsfs, EqualsItWithConstantFeaturesDuplicatesAndMissingCells) {
  JsfsCase one{"degenerate"};
  one.constant = one.duplicates = true;
  check_prefixes(one, 4);
  one.missing = Real(0.2);
  one.constant = false;
  check_prefixes(one, 5);
}

TEST(Jsfs, EqualsItWithMoreFeaturesThanPointsAndWithOneFeature) {
  JsfsCase wide{"wide"};
  wide.rows = 24;
  wide.features = 16;
  wide.every = 12;
  wide.held_labelled = 6;
  wide.window = 8;
  wide.k = 3;
  check_prefixes(wide, 6);
  JsfsCase narrow{"narrow"};
  narrow.features = 1;
  check_prefixes(narrow, 7);
}

TEST(Jsfs, EqualsItWhereAllIsLabelledAndWhereClassesAreFarApart) {
  JsfsCase labelled{"labelled"};
  labelled.labelled = 1;
  labelled.window = 0;
  labelled.rows = 40;
  check_prefixes(labelled, 8);
  JsfsCase separable{"separable"};
  separable.gap = 12;
  separable.rows = 40;
  check_prefixes(separable, 9);
}

TEST(Jsfs, EqualsItOneAgainstTheRest) {
  JsfsCase three{"three"};
  three.classes = 3;
  three.gap = 2;
  three.rows = 40;
  three.every = 20 * every(2);
  check_prefixes(three, 10);
}

// A third class turns one problem into three.
TEST(Jsfs, AThirdClassMayCome) {
  JsfsCase one{"three"};
  one.classes = 3;
  one.gap = 4;
  one.rows = 30;
  one.window = 6;
  std::vector<Row> rows = rows_of(one, 19);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < 20 && rows[i].label == 2) rows[i].label = 1;
  }
  rows[20].kind = SampleKind::labelled;
  rows[20].label = 2;
  RankerInBuffer ranker(config_of(one));
  for (std::size_t i = 0; i <= 20; ++i) {
    ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
    if (i != 19 && i != 20) continue;
    refine_to_the_end(*ranker);
    ASSERT_TRUE(ranker->rank(0).ok());
    const InfoEntry& objective = ranker->info()[0];
    ASSERT_STREQ(objective.name, "objective");
    EXPECT_EQ(objective.kind, i == 19 ? InfoKind::real : InfoKind::list);
    EXPECT_EQ(objective.numbers.size(), i == 19 ? 0U : 3U);
    const std::vector<Row> prefix(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    const std::vector<Point> points =
        points_of(held_after(prefix, one.held_labelled, one.window, one.classes));
    const std::vector<JsfsResult> all = references_of(points, one.k);
    if (!has_close_call(all)) expect_equal(*ranker, points, all);
  }
}

// Scale and shift of a feature, and the order of features, do not matter.
TEST(Jsfs, ScalesItselfAndIgnoresTheOrderOfFeatures) {
  JsfsCase one{"plain"};
  one.rows = 30;
  const std::vector<Row> rows = rows_of(one, 15);
  std::vector<Row> moved = rows;
  for (Row& row : moved) {
    std::reverse(row.x.begin(), row.x.end());
    row.x[0] = row.x[0] * Real(8) - Real(3);
  }
  std::vector<Real> scores[2];
  for (const bool other : {false, true}) {
    RankerInBuffer ranker(config_of(one));
    for (const Row& row : other ? moved : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    refine_to_the_end(*ranker);
    ASSERT_TRUE(ranker->rank(0).ok());
    const auto all = ranker->ranking().scores();
    scores[other ? 1 : 0].assign(all.begin(), all.end());
  }
  std::reverse(scores[1].begin(), scores[1].end());
  expect_close(scores[0], scores[1], 1, 20 * kClose);
}

// Nothing traps and every loop ends, whatever the numbers.
TEST(Jsfs, TakesExtremeValues) {
  for (const Real size : {Real(1e-30), Real(1e30)}) {
    JsfsCase one{"plain"};
    one.rows = 24;
    RankerInBuffer ranker(config_of(one));
    for (Row row : rows_of(one, 18)) {
      for (Real& value : row.x) value *= size;
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
    }
    refine_to_the_end(*ranker);
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_GT(ranker->ranking().scores()[ranker->ranking().order()[0]], Real(0));
  }
}

}  // namespace
}  // namespace whittle::testing
