// JSFS against Algorithm 1 in double precision, and what streaming adds to it.
#include "whittle/select/jsfs.h"

#include <algorithm>
#include <set>
#include <string>

#include "tests/shared/filled_reference.h"
#include "tests/shared/jsfs_reference.h"

namespace whittle::testing {
namespace {

struct JsfsCase {
  const char* name;
  std::size_t rows = 48;
  std::size_t features = 6;
  std::uint32_t classes = 2;
  Real labelled = Real(0.3);
  std::uint32_t held_labelled = 12, window = 14;
  std::size_t k = 5;
  Real gap = Real(1);  // between the classes, in three features
  Real offset = 0;
  Real missing = 0;
  bool constant = false;
  bool duplicates = false;
  std::size_t every = 16;  // prefixes compared
};

// Off the grid of make_stream, so that no decision hangs on a tie.
std::vector<Row> rows_of(const JsfsCase& one, std::uint64_t seed) {
  Random random(seed);
  std::vector<Row> rows;
  while (rows.size() < one.rows) {
    Row row;
    const std::uint32_t group = random.below(one.classes);
    if (random.uniform() < one.labelled) {
      row.kind = SampleKind::labelled;
      row.label = group;
    } else if (random.below(12) == 0) {
      row.kind = SampleKind::universum;
    }
    for (std::size_t r = 0; r < one.features; ++r) {
      const Real noise = random.uniform() + random.uniform() + random.uniform() - Real(1.5);
      const Real shift = r < 3 ? one.gap * Real((group + r) % one.classes) : Real(0);
      row.x.push_back(one.offset + noise * Real(r + 1) + shift);
      if (r > 0 && random.uniform() < one.missing) row.x.back() = kNoScore;
    }
    if (one.constant) row.x.back() = one.offset + Real(0.5);
    if (one.duplicates && !rows.empty() && random.below(4) == 0) row.x = rows.back().x;
    rows.push_back(row);
  }
  return rows;
}

RankerConfig config_of(const JsfsCase& one) {
  RankerConfig config(kJsfs);
  config.memory.features = static_cast<std::uint32_t>(one.features);
  config.memory.classes = one.classes;
  config.memory.labelled = one.held_labelled;
  config.memory.window = one.window;
  EXPECT_TRUE(config.values.set(kJsfsParams, "k", static_cast<Real>(one.k)).ok());
  return config;
}

void refine_to_the_end(FeatureRanker& ranker) {
  while (!ranker.refine(1000).converged) {
  }
}

// The problem of a class against the rest; with two classes the later one's.
JsfsResult reference_of(const std::vector<Point>& points, int positive, std::size_t k) {
  std::vector<int> y;
  for (const Point& point : points) {
    y.push_back(point.label < 0 ? 0 : point.label == positive ? 1 : -1);
  }
  JsfsParams params;
  params.k = k;
  return jsfs(points, y, params);
}

std::vector<JsfsResult> references_of(const std::vector<Point>& points, std::size_t k) {
  std::set<int> labels;
  for (const Point& point : points) {
    if (point.label >= 0) labels.insert(point.label);
  }
  std::vector<JsfsResult> all;
  if (labels.size() < 2) return all;
  if (labels.size() == 2) labels.erase(labels.begin());
  for (const int label : labels) all.push_back(reference_of(points, label, k));
  return all;
}

// A decision nearer to its threshold than this may fall otherwise in the core.
constexpr double kCloseCall = sizeof(Real) == 4 ? 2e-4 : 1e-9;
constexpr double kClose = sizeof(Real) == 4 ? 1e-4 : 1e-8;

bool has_close_call(const std::vector<JsfsResult>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const JsfsResult& one) { return one.nearest_call < kCloseCall; });
}

void expect_equal(const FeatureRanker& ranker, const std::vector<Point>& points,
                  const std::vector<JsfsResult>& all) {
  int passes = 0;
  bool converged = true;
  double largest = 0;
  for (const JsfsResult& one : all) {
    passes += one.passes;
    converged = converged && one.converged;
    for (const double w : one.w) largest = std::max(largest, std::fabs(w));
  }
  for (std::size_t r = 0; r < points[0].x.size(); ++r) {
    const Real score = ranker.ranking().scores()[r];
    if (is_constant(present_values(points, r))) {
      EXPECT_FALSE(has_score(score)) << r;
      continue;
    }
    double expected = 0;
    bool selected = false;
    for (const JsfsResult& one : all) {
      expected = std::max(expected, std::fabs(one.w[r]));
      selected = selected || one.selected[r];
    }
    EXPECT_NEAR(static_cast<double>(score), expected, kClose * largest) << r;
    EXPECT_EQ(ranker.ranking().selected()[r], selected) << r;
  }
  EXPECT_EQ(info_of(ranker, "iterations"), passes);
  EXPECT_EQ(info_of(ranker, "converged"), converged ? 1 : 0);
  if (all.size() > 1) return;
  EXPECT_EQ(info_of(ranker, "kept_samples"), static_cast<double>(all[0].kept_samples));
  const double objective = all[0].objectives.back();
  EXPECT_NEAR(info_of(ranker, "objective"), objective, kClose * std::fabs(objective));
}

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
  three.every = 20;
  check_prefixes(three, 10);
}

// Whatever came before, and however refine was cut into pieces: the same bits.
TEST(Jsfs, HistoryAndInterruptionsLeaveNoTrace) {
  JsfsCase one{"plain"};
  one.rows = 50;
  const std::vector<Row> rows = rows_of(one, 11);
  RankerInBuffer streamed(config_of(one));
  for (const Row& row : rows) {
    ASSERT_TRUE(streamed->observe(row.sample()).ok());
    streamed->refine(17);
  }
  while (!streamed->refine(1).converged) {
    ASSERT_TRUE(streamed->rank(0).ok());
  }
  RankerInBuffer fresh(config_of(one));
  for (const Row& row : held_after(rows, one.held_labelled, one.window, one.classes)) {
    ASSERT_TRUE(fresh->observe(row.sample()).ok());
  }
  refine_to_the_end(*fresh);
  ASSERT_TRUE(streamed->rank(0).ok());
  ASSERT_TRUE(fresh->rank(0).ok());
  for (std::size_t r = 0; r < one.features; ++r) {
    const Real a = streamed->ranking().scores()[r], b = fresh->ranking().scores()[r];
    EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << r;
  }
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
  std::size_t objectives = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
    if (i != 19 && i != 20) continue;
    refine_to_the_end(*ranker);
    ASSERT_TRUE(ranker->rank(0).ok());
    const InfoEntry& objective = ranker->info()[0];
    ASSERT_STREQ(objective.name, "objective");
    objectives = objective.kind == InfoKind::list ? objective.numbers.size() : 1;
    EXPECT_EQ(objectives, i == 19 ? 1U : 3U);
    const std::vector<Row> prefix(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    const std::vector<Point> points =
        points_of(held_after(prefix, one.held_labelled, one.window, one.classes));
    const std::vector<JsfsResult> all = references_of(points, one.k);
    if (!has_close_call(all)) expect_equal(*ranker, points, all);
  }
  EXPECT_EQ(objectives, 3U);
}

TEST(Jsfs, ALateLabelIsAsGoodAsAnEarlyOne) {
  JsfsCase one{"plain"};
  one.rows = 24;
  std::vector<Row> rows = rows_of(one, 12);
  rows[20].kind = SampleKind::unlabelled;
  RankerInBuffer late(config_of(one));
  for (const Row& row : rows) ASSERT_TRUE(late->observe(row.sample()).ok());
  refine_to_the_end(*late);
  ASSERT_TRUE(late->label(21, 1).ok());
  EXPECT_FALSE(late->refine(1).converged);
  refine_to_the_end(*late);
  rows[20].kind = SampleKind::labelled;
  rows[20].label = 1;
  RankerInBuffer early(config_of(one));
  for (const Row& row : rows) ASSERT_TRUE(early->observe(row.sample()).ok());
  refine_to_the_end(*early);
  ASSERT_TRUE(late->rank(0).ok());
  ASSERT_TRUE(early->rank(0).ok());
  const auto a = late->ranking().scores(), b = early->ranking().scores();
  EXPECT_EQ(std::memcmp(a.data(), b.data(), one.features * sizeof(Real)), 0);
}

// A few steps after a sample came, scores are not far from those that the cold start ends at.
TEST(Jsfs, AnswersMeanwhileFromTheLastResult) {
  JsfsCase one{"plain"};
  one.held_labelled = 16;
  one.window = 20;
  one.rows = 60;
  const std::vector<Row> rows = rows_of(one, 13);
  RankerInBuffer ranker(config_of(one));
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
  }
  refine_to_the_end(*ranker);
  ASSERT_TRUE(ranker->observe(rows.back().sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  const auto scores = [&] {
    EXPECT_TRUE(ranker->rank(0).ok());
    const auto all = ranker->ranking().scores();
    return std::vector<Real>(all.begin(), all.end());
  };
  const std::vector<Real> stale = scores();
  std::vector<std::vector<Real>> seen = {stale};
  while (!ranker->refine(1).converged) {
    if (scores() != seen.back()) seen.push_back(scores());
  }
  if (scores() != seen.back()) seen.push_back(scores());
  ASSERT_EQ(seen.size(), 3U);  // the last result, fitted anew, solved from the start
  const Real largest = *std::max_element(seen[2].begin(), seen[2].end());
  for (std::size_t r = 0; r < one.features; ++r) {
    EXPECT_NEAR(static_cast<double>(seen[1][r]), static_cast<double>(seen[2][r]),
                0.25 * static_cast<double>(largest));
  }
}

TEST(Jsfs, RanksByTheLabelsBeforeTheFirstStep) {
  JsfsCase one{"plain"};
  one.gap = 6;
  RankerInBuffer ranker(config_of(one));
  for (const Row& row : rows_of(one, 14)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_FALSE(ranker->refine(0).converged);
  ASSERT_TRUE(ranker->rank(0).ok());
  const auto order = ranker->ranking().order();
  std::set<std::uint32_t> best(order.begin(), order.begin() + 3);
  EXPECT_EQ(best, (std::set<std::uint32_t>{0, 1, 2}));
  std::uint32_t label = 0;
  EXPECT_EQ(ranker->predict({rows_of(one, 14)[0].x.data(), one.features}, &label).code(),
            StatusCode::failed_precondition);
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

TEST(Jsfs, PredictsTheClassesItLearned) {
  for (const std::uint32_t classes : {2U, 3U}) {
    JsfsCase one{"far"};
    one.classes = classes;
    one.gap = 12;
    one.rows = 70;
    one.labelled = 1;
    one.window = 0;
    one.held_labelled = 36;
    const std::vector<Row> rows = rows_of(one, 16);
    RankerInBuffer ranker(config_of(one));
    for (std::size_t i = 0; i < 36; ++i) ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
    refine_to_the_end(*ranker);
    ASSERT_TRUE(ranker->rank(0).ok());
    int right = 0, asked = 0;
    for (std::size_t i = 36; i < rows.size(); ++i) {
      if (rows[i].kind != SampleKind::labelled) continue;
      std::uint32_t label = 9;
      ASSERT_TRUE(ranker->predict({rows[i].x.data(), one.features}, &label).ok());
      right += label == rows[i].label ? 1 : 0;
      ++asked;
    }
    EXPECT_GT(right, asked * 9 / 10) << classes;
  }
}

TEST(Jsfs, StopsAtMaxIterAndSaysSo) {
  JsfsCase one{"plain"};
  one.rows = 30;
  RankerConfig config = config_of(one);
  ASSERT_TRUE(config.values.set(kJsfsParams, "max_iter", 2).ok());
  RankerInBuffer ranker(config);
  for (const Row& row : rows_of(one, 17)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->refine(10000).converged);  // nothing left to do
  EXPECT_EQ(ranker->refine(10).iterations, 0U);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  EXPECT_EQ(info_of(*ranker, "iterations"), 2);
}

TEST(Jsfs, SaysWhatItLacks) {
  RankerConfig config = config_of({"plain"});
  config.memory.features = 2;
  RankerInBuffer ranker(config);
  const Row first{{1, kNoScore}, SampleKind::labelled, 0};
  const Row second{{kNoScore, 2}, SampleKind::labelled, 1};
  ASSERT_TRUE(ranker->observe(first.sample()).ok());
  EXPECT_TRUE(ranker->refine(10).converged);
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  ASSERT_TRUE(ranker->observe(second.sample()).ok());
  refine_to_the_end(*ranker);
  const Status status = ranker->rank(0);
  EXPECT_EQ(status.code(), StatusCode::failed_precondition);
  EXPECT_NE(std::string(status.reason()).find("in common"), std::string::npos);
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
