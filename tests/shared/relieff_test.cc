// ReliefF against its definition in double precision, and where it is decided by a rule: ties,
// missing values, single points, constants.
#include "whittle/select/relieff.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/shared/ranker_fixture.h"

namespace whittle::testing {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// A stream of labelled, unlabelled and universum samples. Values use most bits of a float, so that
// distances are equal only where points are.
struct ReliefStream {
  std::uint64_t seed = 1;
  std::size_t rows = 90;
  std::size_t features = 5;
  std::uint32_t classes = 3;
  std::uint32_t labelled_of_10 = 6;
  Real missing = 0;     // share of cells
  Real duplicates = 0;  // share of rows
  Real offset = 0;
};

std::vector<Row> make(const ReliefStream& stream) {
  Random random(stream.seed);
  std::vector<Row> rows;
  while (rows.size() < stream.rows) {
    Row row;
    const std::uint32_t group = random.below(stream.classes);
    const std::uint32_t kind = random.below(10);
    if (kind < stream.labelled_of_10) row = {{}, SampleKind::labelled, group};
    if (kind == 9 && stream.labelled_of_10 < 10) row.kind = SampleKind::universum;
    for (std::size_t r = 0; r < stream.features; ++r) {
      const Real shift = r == 0 ? static_cast<Real>(group) * Real(0.4) : Real(0);
      row.x.push_back(stream.offset + random.uniform() + random.uniform() + shift);
    }
    if (!rows.empty() && random.uniform() < stream.duplicates) {
      row.x = rows[random.below(static_cast<std::uint32_t>(rows.size()))].x;
    }
    for (std::size_t r = 1; r < stream.features; ++r) {
      if (random.uniform() < stream.missing) row.x[r] = static_cast<Real>(kMissing);
    }
    if (stream.features > 1) row.x.back() = Real(0.5);  // constant
    rows.push_back(row);
  }
  return rows;
}

std::vector<Point> labelled_points(const std::vector<Row>& held) {
  std::vector<Row> labelled;
  std::copy_if(held.begin(), held.end(), std::back_inserter(labelled),
               [](const Row& row) { return row.kind == SampleKind::labelled; });
  return points_of(labelled);
}

Vector ranges_of(const std::vector<Point>& points) {
  Vector ranges;
  for (std::size_t r = 0; r < points.front().x.size(); ++r) {
    double least = 1e300, most = -1e300;
    for (const Point& point : points) {
      if (std::isnan(point.x[r])) continue;
      least = std::min(least, point.x[r]);
      most = std::max(most, point.x[r]);
    }
    ranges.push_back(most > least ? most - least : 0);
  }
  return ranges;
}

double difference(const Point& a, const Point& b, std::size_t r, const Vector& ranges) {
  if (ranges[r] == 0 || std::isnan(a.x[r]) || std::isnan(b.x[r])) return 0;
  return std::fabs(a.x[r] - b.x[r]) / ranges[r];
}

// The points of a class that are nearest to point i, at most k.
std::vector<std::size_t> nearest_of_class(const std::vector<Point>& points, std::size_t i,
                                          int label, std::size_t k, const Vector& ranges) {
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t j = 0; j < points.size(); ++j) {
    if (j == i || points[j].label != label) continue;
    double sum = 0;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      sum += difference(points[i], points[j], r, ranges);
    }
    all.emplace_back(sum, j);
  }
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> result;
  for (std::size_t j = 0; j < std::min(k, all.size()); ++j) result.push_back(all[j].second);
  return result;
}

// Straight from the definition, over labelled points, oldest first.
Vector relieff_scores(const std::vector<Point>& points, int classes, std::size_t k) {
  const Vector ranges = ranges_of(points);
  const double n = static_cast<double>(points.size());
  Vector prior(static_cast<std::size_t>(classes));
  for (const Point& point : points) prior[static_cast<std::size_t>(point.label)] += 1 / n;
  Vector scores(ranges.size(), 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double others = 1 - prior[static_cast<std::size_t>(points[i].label)];
    for (int c = 0; c < classes; ++c) {
      const auto used = nearest_of_class(points, i, c, k, ranges);
      const double weight = c == points[i].label ? -1 : prior[static_cast<std::size_t>(c)] / others;
      for (std::size_t r = 0; r < scores.size(); ++r) {
        double sum = 0;
        for (const std::size_t j : used) sum += difference(points[i], points[j], r, ranges);
        if (!used.empty()) scores[r] += weight * sum / static_cast<double>(used.size()) / n;
      }
    }
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    if (ranges[r] == 0) scores[r] = no_score();
  }
  return scores;
}

RankerConfig relieff_config(std::size_t features, std::uint32_t classes, std::uint32_t labelled,
                            std::uint32_t k) {
  RankerConfig config(kRelieff);
  config.memory.features = static_cast<std::uint32_t>(features);
  config.memory.classes = classes;
  config.memory.labelled = labelled;
  config.memory.window = 8;
  EXPECT_TRUE(config.values.set(kRelieffParams, "k", static_cast<Real>(k)).ok());
  return config;
}

// Scores are means of numbers between -1 and 1.
void expect_near(Span<const Real> scores, const Vector& expected, std::size_t prefix) {
  ASSERT_EQ(scores.size(), expected.size());
  for (std::size_t r = 0; r < scores.size(); ++r) {
    ASSERT_EQ(has_score(scores[r]), !std::isnan(expected[r])) << prefix << " " << r;
    if (!has_score(scores[r])) continue;
    ASSERT_NEAR(static_cast<double>(scores[r]), expected[r], kTolerance / 20) << prefix << " " << r;
  }
}

void check_prefixes(const ReliefStream& stream, std::uint32_t labelled, std::uint32_t k) {
  RankerInBuffer ranker(relieff_config(stream.features, stream.classes, labelled, k));
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  EXPECT_EQ(ranker.left(), 0U);
  std::vector<Row> prefix;
  for (const Row& row : make(stream)) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    if (prefix.size() % every(6) != 0) continue;
    const auto points = labelled_points(held_after(prefix, labelled, 8, stream.classes));
    const bool ready = std::any_of(points.begin(), points.end(), [&](const Point& point) {
      return point.label != points.front().label;
    });
    const Status status = ranker->rank(0);
    ASSERT_EQ(status.ok(), ready) << prefix.size();
    if (!ready) continue;
    expect_near(ranker->ranking().scores(),
                relieff_scores(points, static_cast<int>(stream.classes), k), prefix.size());
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Relieff, EqualsTheDefinitionAfterEveryPrefix) {
  ReliefStream stream;
  check_prefixes(stream, 64, 10);  // nothing labelled is evicted
  check_prefixes(stream, 64, 2);
  check_prefixes(stream, 7, 2);  // evicts all the time
  check_prefixes(stream, 3, 1);  // single points of their class
  stream.seed = 2;
  stream.features = 17;
  stream.classes = 2;
  stream.labelled_of_10 = 10;
  check_prefixes(stream, 40, 3);
  stream.features = 1;
  check_prefixes(stream, 12, 2);
  stream.features = 8;
  stream.classes = 5;
  check_prefixes(stream, 20, 1024);  // all of a class
}

TEST(Relieff, EqualsTheDefinitionWithMissingValuesDuplicatesAndAnOffset) {
  ReliefStream stream;
  stream.seed = 3;
  stream.missing = Real(0.25);
  check_prefixes(stream, 16, 3);
  stream.missing = Real(0.9);  // features that no labelled point has, pairs with nothing in common
  check_prefixes(stream, 9, 2);
  stream.missing = 0;
  stream.duplicates = Real(0.5);  // points at distance 0, some of another class
  check_prefixes(stream, 24, 3);
  stream.offset = 8192;  // on a coarser grid
  stream.duplicates = 0;
  stream.features = 12;
  check_prefixes(stream, 24, 3);
}

std::vector<Real> scores_of(const std::vector<Row>& rows, std::uint32_t k,
                            std::uint32_t classes = 2) {
  RankerInBuffer ranker(relieff_config(rows.front().x.size(), classes, 128, k));
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  const Status status = ranker->rank(0);
  EXPECT_TRUE(status.ok()) << status.reason();
  const auto scores = ranker->ranking().scores();
  return {scores.begin(), scores.end()};
}

TEST(Relieff, UnlabelledAndUniversumSamplesDoNotMatter) {
  std::vector<Row> rows = make({});
  const std::vector<Real> all = scores_of(rows, 3, 3);
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [](const Row& row) { return row.kind != SampleKind::labelled; }),
             rows.end());
  const std::vector<Real> labelled = scores_of(rows, 3, 3);
  EXPECT_EQ(std::memcmp(all.data(), labelled.data(), all.size() * sizeof(Real)), 0);
}

TEST(Relieff, ShiftAndScaleOfAFeatureChangeNoBit) {
  StreamShape shape;
  shape.features = 9;
  shape.labelled = Real(0.8);
  std::vector<Row> rows = make_stream(shape);
  const std::vector<Real> plain = scores_of(rows, 3);
  for (Row& row : rows) {
    for (std::size_t r = 0; r < 9; ++r) {  // exact on the grid
      row.x[r] = (row.x[r] + Real(1024)) * (r % 2 == 0 ? Real(8) : Real(-0.5));
    }
  }
  const std::vector<Real> moved = scores_of(rows, 3);
  EXPECT_EQ(std::memcmp(plain.data(), moved.data(), 9 * sizeof(Real)), 0);
}

TEST(Relieff, OrderOfFeaturesAndOfSamplesDoesNotMatter) {
  ReliefStream stream;
  stream.features = 11;
  std::vector<Row> rows = make(stream);
  const std::vector<Real> plain = scores_of(rows, 4, 3);
  std::reverse(rows.begin(), rows.end());
  const std::vector<Real> samples_reversed = scores_of(rows, 4, 3);
  for (Row& row : rows) std::reverse(row.x.begin(), row.x.end());
  std::vector<Real> both_reversed = scores_of(rows, 4, 3);
  std::reverse(both_reversed.begin(), both_reversed.end());
  EXPECT_FALSE(has_score(plain[10]));  // constant
  for (std::size_t r = 0; r < 10; ++r) {
    const double expected = static_cast<double>(plain[r]);
    EXPECT_NEAR(static_cast<double>(samples_reversed[r]), expected, kTolerance / 10);
    EXPECT_NEAR(static_cast<double>(both_reversed[r]), expected, kTolerance / 10);
  }
}

TEST(Relieff, ClassFeatureRanksFirst) {
  ReliefStream stream;
  stream.features = 6;
  RankerInBuffer ranker(relieff_config(6, 3, 64, 10));
  for (const Row& row : make(stream)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(1).ok());
  EXPECT_EQ(ranker->ranking().order()[0], 0U);
  EXPECT_TRUE(ranker->ranking().selected()[0]);
  EXPECT_FALSE(ranker->ranking().selected()[1]);
  EXPECT_EQ(ranker->ranking().order()[5], 5U);  // constant: last
}

// Two misses at the same distance, each along its own feature; k = 1. By hand: the point of class 0
// adds 1 to the feature of the older miss, and has no hit; each point of class 1 adds -1 to the
// feature in which only its hit lies.
TEST(Relieff, OlderPointFirstAmongEquallyNear) {
  for (const Real width : {Real(1), Real(0.1), Real(47), Real(49)}) {
    // 47 (1 / 47) is not 1 in float, 49 (1 / 49) in double.
    const Row lone{{0, 0}, SampleKind::labelled, 0};
    const Row along_0{{width, 0}, SampleKind::labelled, 1};
    const Row along_1{{0, 1}, SampleKind::labelled, 1};
    const std::vector<Real> first = scores_of({lone, along_0, along_1}, 1);
    EXPECT_EQ(first[0], Real(0)) << width;
    EXPECT_NEAR(static_cast<double>(first[1]), -1.0 / 3, kTolerance) << width;
    const std::vector<Real> second = scores_of({along_1, along_0, lone}, 1);
    EXPECT_NEAR(static_cast<double>(second[0]), -1.0 / 3, kTolerance) << width;
    EXPECT_EQ(second[1], Real(0)) << width;
  }
}

TEST(Relieff, MissingValueIsNoDifferenceAndIsCountedInTheMean) {
  const Real missing = static_cast<Real>(kMissing);
  const std::vector<Row> rows = {{{0, 0}, SampleKind::labelled, 0},
                                 {{1, missing}, SampleKind::labelled, 1},
                                 {{1, 1}, SampleKind::labelled, 1}};
  const std::vector<Real> scores = scores_of(rows, 2);
  // Feature 0: misses differ by 1, hits not at all. Feature 1: misses 1/2 (mean of 0 and 1), 0 and
  // 1; hits 0.
  EXPECT_NEAR(static_cast<double>(scores[0]), 1, kTolerance);
  EXPECT_NEAR(static_cast<double>(scores[1]), 0.5, kTolerance);
}

TEST(Relieff, TwoPointsOfTwoClassesAndNoHits) {
  const std::vector<Real> scores =
      scores_of({{{1, 5, 2}, SampleKind::labelled, 0}, {{3, 5, 1}, SampleKind::labelled, 1}}, 10);
  EXPECT_EQ(scores[0], Real(1));
  EXPECT_FALSE(has_score(scores[1]));
  EXPECT_EQ(scores[2], Real(1));
}

TEST(Relieff, ConstantOverTheLabelledPointsIsNoScore) {
  const Real missing = static_cast<Real>(kMissing);
  const std::vector<Real> scores = scores_of({{{1, 5, missing}, SampleKind::labelled, 0},
                                              {{2, 6, 1}},  // unlabelled
                                              {{3, 5, missing}, SampleKind::labelled, 1},
                                              {{4, missing, 2}, SampleKind::labelled, 1}},
                                             10);
  EXPECT_TRUE(has_score(scores[0]));
  EXPECT_FALSE(has_score(scores[1]));
  EXPECT_FALSE(has_score(scores[2]));
}

TEST(Relieff, RangeThatOverflowsIsNoScoreAndHurtsNoOther) {
  const Real huge = std::numeric_limits<Real>::max();
  const Real tiny = std::numeric_limits<Real>::min();
  std::vector<Row> rows;
  std::vector<Row> without;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const Real value = static_cast<Real>(i * 5 % 7);
    rows.push_back({{i == 3   ? huge
                     : i == 5 ? -huge
                              : value,
                     value * tiny, huge / (value + 1)},
                    SampleKind::labelled,
                    i / 6});
    without.push_back({{0, value, 1 / (value + 1)}, SampleKind::labelled, i / 6});
  }
  const std::vector<Real> scores = scores_of(rows, 2);
  const std::vector<Real> expected = scores_of(without, 2);
  EXPECT_FALSE(has_score(scores[0]));
  for (const std::size_t r : {1U, 2U}) {
    EXPECT_NEAR(static_cast<double>(scores[r]), static_cast<double>(expected[r]), kTolerance) << r;
  }
}

TEST(Relieff, NeedsTwoClassesHeld) {
  RankerInBuffer ranker(relieff_config(2, 2, 4, 10));
  const auto expect_refused = [&] {
    const std::uint64_t before = ranker->state_digest();
    const Status status = ranker->rank(0);
    EXPECT_EQ(status.code(), StatusCode::failed_precondition);
    EXPECT_STREQ(status.reason(), "relieff needs labelled samples of two classes");
    EXPECT_EQ(ranker->state_digest(), before);
  };
  ASSERT_TRUE(ranker->observe(Row{{1, 2}}.sample()).ok());
  expect_refused();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(ranker->observe(Row{{3, 4}, SampleKind::labelled, 1}.sample()).ok());
    expect_refused();
  }
  ASSERT_TRUE(ranker->observe(Row{{5, 4}, SampleKind::labelled, 0}.sample()).ok());
  const std::uint64_t before = ranker->state_digest();
  EXPECT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(ranker->state_digest(), before);

  RankerInBuffer holds_none(relieff_config(2, 2, 0, 10));
  ASSERT_TRUE(holds_none->observe(Row{{1, 2}, SampleKind::labelled, 0}.sample()).ok());
  ASSERT_TRUE(holds_none->observe(Row{{2, 3}, SampleKind::labelled, 1}.sample()).ok());
  EXPECT_EQ(holds_none->rank(0).code(), StatusCode::failed_precondition);
}

TEST(Relieff, RefusesOtherParametersAndValues) {
  ParamValues values(kRelieffParams);
  EXPECT_EQ(values.integer(0), 10U);
  EXPECT_EQ(values.set(kRelieffParams, "k", 0).code(), StatusCode::out_of_range);
  EXPECT_EQ(values.set(kRelieffParams, "k", 1025).code(), StatusCode::out_of_range);
  EXPECT_EQ(values.set(kRelieffParams, "k", Real(2.5)).code(), StatusCode::invalid_argument);
  EXPECT_EQ(values.set(kRelieffParams, "lambda", 1).code(), StatusCode::not_found);
  EXPECT_EQ(values.integer(0), 10U);
}

}  // namespace
}  // namespace whittle::testing
