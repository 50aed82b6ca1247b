// mRMR against its definition in double precision: criterion and order of choice; and where it is
// decided by a rule: equal criteria, values on the bounds of a level, missing values, constants.
#include "whittle/select/mrmr.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "tests/shared/ranker_fixture.h"

namespace whittle::testing {
namespace {

using Order = std::vector<std::uint32_t>;

const Real kMissing = std::numeric_limits<Real>::quiet_NaN();

struct MrmrStream {
  std::uint64_t seed = 1;
  std::size_t rows = 90;
  std::uint32_t classes = 3;
  std::uint32_t labelled_of_10 = 6;
  std::size_t noise = 3;  // features that know nothing of the class
  Real missing = 0;       // share of cells
  Real offset = 0;
};
constexpr std::size_t kOthers = 6;  // features beside the noise

// Features: two that follow the class, the first again, the second negated, one of two values (how
// often, depends on the class), a constant, noise.
std::vector<Row> make(const MrmrStream& stream) {
  Random random(stream.seed);
  std::vector<Row> rows;
  while (rows.size() < stream.rows) {
    Row row;
    const std::uint32_t group = random.below(stream.classes);
    const std::uint32_t kind = random.below(10);
    if (kind < stream.labelled_of_10) row = {{}, SampleKind::labelled, group};
    if (kind == 9 && stream.labelled_of_10 < 10) row.kind = SampleKind::universum;
    const auto noise = [&] { return random.uniform() + random.uniform() + random.uniform(); };
    const Real first = stream.offset + noise() + static_cast<Real>(group);
    const Real second = stream.offset + noise() + (group == 0 ? Real(1) : Real(0));
    row.x = {first,  second, first, -second, random.below(4) < group ? Real(0.1) : Real(0.4),
             Real(7)};
    for (std::size_t r = 0; r < stream.noise; ++r) row.x.push_back(noise());
    for (std::size_t r = 1; r < row.x.size(); ++r) {
      if (random.uniform() < stream.missing) row.x[r] = kMissing;
    }
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

// -1, 0, 1 for below, within, above; empty for a constant feature.
std::vector<int> levels_of(const std::vector<Point>& points, std::size_t r) {
  Vector present;
  for (const Point& point : points) {
    if (!std::isnan(point.x[r])) present.push_back(point.x[r]);
  }
  double mean = 0, variance = 0;
  for (const double value : present) mean += value / static_cast<double>(present.size());
  for (const double value : present) {
    variance += (value - mean) * (value - mean) / static_cast<double>(present.size());
  }
  if (std::adjacent_find(present.begin(), present.end(), std::not_equal_to<>()) == present.end()) {
    return {};
  }
  const double bound = std::sqrt(variance) * (1 + 1e-9);  // a value on it is within
  std::vector<int> levels;
  for (const Point& point : points) {
    const double d = point.x[r] - mean;
    levels.push_back(d < -bound ? -1 : d > bound ? 1 : 0);
  }
  return levels;
}

// Of levels from -1 on, classes from 0 on.
double information(const std::vector<int>& a, const std::vector<int>& b) {
  constexpr std::size_t kMost = 8;
  double of_a[kMost] = {}, of_b[kMost] = {}, of_both[kMost][kMost] = {};
  const double share = 1 / static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<std::size_t>(a[i] + 1);
    const auto y = static_cast<std::size_t>(b[i] + 1);
    of_a[x] += share;
    of_b[y] += share;
    of_both[x][y] += share;
  }
  double sum = 0;
  for (std::size_t x = 0; x < kMost; ++x) {
    for (std::size_t y = 0; y < kMost; ++y) {
      const double p = of_both[x][y];
      if (p > 0) sum += p * std::log(p / (of_a[x] * of_b[y]));
    }
  }
  return sum;
}

struct MrmrResult {
  Vector scores;
  Order order;
};

// Straight from the definition, over labelled points.
MrmrResult mrmr(const std::vector<Point>& points) {
  const std::size_t m = points.front().x.size();
  std::vector<int> classes;
  for (const Point& point : points) classes.push_back(point.label);
  std::vector<std::vector<int>> levels;
  Vector relevance(m, 0.0), redundancy(m, 0.0);  // the latter summed over the chosen
  for (std::size_t r = 0; r < m; ++r) {
    levels.push_back(levels_of(points, r));
    if (!levels[r].empty()) relevance[r] = information(levels[r], classes);
  }
  MrmrResult result{Vector(m, no_score()), {}};
  while (true) {
    Vector criteria(m, no_score());
    double best = -1e300;
    for (std::size_t r = 0; r < m; ++r) {
      if (levels[r].empty() || !std::isnan(result.scores[r])) continue;
      const double chosen = static_cast<double>(std::max<std::size_t>(result.order.size(), 1));
      criteria[r] = relevance[r] - redundancy[r] / chosen;
      best = std::max(best, criteria[r]);
    }
    const auto first = std::find_if(criteria.begin(), criteria.end(),
                                    [&](double value) { return best - value <= 1e-6; });
    if (first == criteria.end()) break;
    const auto next = static_cast<std::size_t>(first - criteria.begin());
    result.scores[next] = criteria[next];
    result.order.push_back(static_cast<std::uint32_t>(next));
    for (std::size_t r = 0; r < m; ++r) {
      if (levels[r].empty() || !std::isnan(result.scores[r])) continue;
      redundancy[r] += information(levels[r], levels[next]);
    }
  }
  for (std::uint32_t r = 0; r < m; ++r) {
    if (levels[r].empty()) result.order.push_back(r);
  }
  return result;
}

RankerConfig mrmr_config(std::size_t features, std::uint32_t classes, std::uint32_t labelled) {
  RankerConfig config(kMrmr);
  config.memory.features = static_cast<std::uint32_t>(features);
  config.memory.classes = classes;
  config.memory.labelled = labelled;
  config.memory.window = 8;
  return config;
}

Order order_of(const Ranking& ranking) { return {ranking.order().begin(), ranking.order().end()}; }

void expect_result(const Ranking& ranking, const MrmrResult& expected, std::size_t prefix) {
  ASSERT_EQ(order_of(ranking), expected.order) << prefix;
  for (std::size_t r = 0; r < expected.scores.size(); ++r) {
    const Real score = ranking.scores()[r];
    ASSERT_EQ(has_score(score), !std::isnan(expected.scores[r])) << prefix << " " << r;
    EXPECT_EQ(ranking.selected()[r], has_score(score)) << prefix << " " << r;
    if (!has_score(score)) continue;
    ASSERT_NEAR(static_cast<double>(score), expected.scores[r], kTolerance / 20)
        << prefix << " " << r;
  }
}

void check_prefixes(const MrmrStream& stream, std::uint32_t labelled) {
  RankerInBuffer ranker(mrmr_config(kOthers + stream.noise, stream.classes, labelled));
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  EXPECT_EQ(ranker.left(), 0U);
  std::vector<Row> prefix;
  for (const Row& row : make(stream)) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    const auto points = labelled_points(held_after(prefix, labelled, 8, stream.classes));
    const bool ready = std::any_of(points.begin(), points.end(), [&](const Point& point) {
      return point.label != points.front().label;
    });
    const Status status = ranker->rank(0);
    ASSERT_EQ(status.ok(), ready) << prefix.size();
    if (ready) expect_result(ranker->ranking(), mrmr(points), prefix.size());
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Mrmr, EqualsTheDefinitionAfterEveryPrefix) {
  MrmrStream stream;
  check_prefixes(stream, 64);  // nothing labelled is evicted
  check_prefixes(stream, 7);   // evicts all the time
  check_prefixes(stream, 3);
  stream.seed = 2;
  stream.classes = 2;
  stream.noise = 11;
  stream.labelled_of_10 = 10;
  check_prefixes(stream, 33);  // one past a word of bits
  stream.classes = 7;
  stream.offset = 8192;
  stream.noise = 0;
  check_prefixes(stream, 32);
}

TEST(Mrmr, EqualsTheDefinitionWithMissingValues) {
  MrmrStream stream;
  stream.seed = 3;
  stream.missing = Real(0.25);
  check_prefixes(stream, 40);
  check_prefixes(stream, 9);
  stream.missing = Real(0.9);  // features that no labelled point has
  check_prefixes(stream, 9);
}

Ranking const& rank_of(RankerInBuffer& ranker, const std::vector<Row>& rows,
                       std::uint32_t top = 0) {
  EXPECT_TRUE(ranker.status().ok());
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  const Status status = ranker->rank(top);
  EXPECT_TRUE(status.ok()) << status.reason();
  return ranker->ranking();
}

void expect_same_bits(const Ranking& a, const Ranking& b) {
  EXPECT_EQ(order_of(a), order_of(b));
  EXPECT_EQ(std::memcmp(a.scores().data(), b.scores().data(), a.scores().size() * sizeof(Real)), 0);
}

TEST(Mrmr, UnlabelledAndUniversumSamplesDoNotMatter) {
  std::vector<Row> rows = make({});
  RankerInBuffer all(mrmr_config(rows.front().x.size(), 3, 64));
  rank_of(all, rows);
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [](const Row& row) { return row.kind != SampleKind::labelled; }),
             rows.end());
  RankerInBuffer labelled(mrmr_config(rows.front().x.size(), 3, 64));
  expect_same_bits(all->ranking(), rank_of(labelled, rows));
}

TEST(Mrmr, ShiftScaleAndOrderOfSamplesChangeNoBit) {
  StreamShape shape;
  shape.features = 9;
  shape.labelled = Real(0.9);
  std::vector<Row> rows = make_stream(shape);
  RankerInBuffer plain(mrmr_config(9, 2, 64));
  rank_of(plain, rows);
  for (Row& row : rows) {
    for (std::size_t r = 0; r < 9; ++r) {  // exact on the grid
      row.x[r] = (row.x[r] + Real(1024)) * (r % 2 == 0 ? Real(8) : Real(0.5));
    }
  }
  RankerInBuffer moved(mrmr_config(9, 2, 64));
  expect_same_bits(plain->ranking(), rank_of(moved, rows));
  std::reverse(rows.begin(), rows.end());
  RankerInBuffer reversed(mrmr_config(9, 2, 64));
  expect_same_bits(plain->ranking(), rank_of(reversed, rows));
}

// Numbers of the features matter only where criteria are equal.
TEST(Mrmr, PermutingFeaturesPermutesTheOrder) {
  MrmrStream stream;
  stream.noise = 8;
  std::vector<Row> rows = make(stream);
  for (Row& row : rows) row.x.erase(row.x.begin() + 2, row.x.begin() + 4);  // the copies
  RankerInBuffer plain(mrmr_config(12, 3, 64));
  rank_of(plain, rows);
  for (Row& row : rows) std::reverse(row.x.begin(), row.x.end());
  RankerInBuffer reversed(mrmr_config(12, 3, 64));
  rank_of(reversed, rows);
  for (std::size_t i = 0; i < 11; ++i) {  // the last is constant
    const std::uint32_t r = plain->ranking().order()[i];
    EXPECT_EQ(reversed->ranking().order()[i], 11 - r);
    EXPECT_NEAR(static_cast<double>(reversed->ranking().scores()[11 - r]),
                static_cast<double>(plain->ranking().scores()[r]), kTolerance / 20);
  }
}

// y: 4 points of each class. Feature 0 is 1 in three points of class 1, else 0: level "above"
// there, since 3/8 + sqrt(15)/8 < 1. Feature 1 has two equally frequent values. Feature 2 is
// feature 0 again, constant feature 3 has no score.
std::vector<Row> worked_example() {
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Real above = i < 3 ? Real(1) : Real(0);
    const Real even = i % 2 == 0 ? Real(0.1) : Real(0.4);
    rows.push_back({{above, even, above, 2}, SampleKind::labelled, i < 4 ? 1U : 0U});
  }
  return rows;
}

TEST(Mrmr, OrderIsTheOrderOfChoiceNotThatOfTheScores) {
  RankerInBuffer ranker(mrmr_config(4, 2, 8));
  const Ranking& ranking = rank_of(ranker, worked_example());
  const double entropy = -3.0 / 8 * std::log(3.0 / 8) - 5.0 / 8 * std::log(5.0 / 8);
  const double given_class = (-3.0 / 4 * std::log(3.0 / 4) - 1.0 / 4 * std::log(1.0 / 4)) / 2;
  const double relevance = entropy - given_class;
  EXPECT_EQ(order_of(ranking), (Order{0, 1, 2, 3}));
  EXPECT_NEAR(static_cast<double>(ranking.scores()[0]), relevance, 1e-6);
  EXPECT_EQ(ranking.scores()[1], Real(0));
  // Chosen last, when half of what it says is there already; that is more than feature 1's score.
  EXPECT_NEAR(static_cast<double>(ranking.scores()[2]), relevance - entropy / 2, 1e-6);
  EXPECT_GT(ranking.scores()[2], ranking.scores()[1]);
  EXPECT_FALSE(has_score(ranking.scores()[3]));
}

TEST(Mrmr, SelectsTheFirstOfItsOwnOrder) {
  const std::size_t expected[] = {3, 1, 2, 3, 3, 3};  // by top; 0 is all with a score
  for (std::uint32_t top = 0; top < 6; ++top) {
    RankerInBuffer ranker(mrmr_config(4, 2, 8));
    const Ranking& ranking = rank_of(ranker, worked_example(), top);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(ranking.selected()[ranking.order()[i]], i < expected[top]) << top << " " << i;
    }
  }
}

TEST(Mrmr, FirstIndexAmongEqualCriteria) {
  // Features 1, 2 and 4 say the same of the class, in other words; 0 and 3 nothing.
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const Real rare = i % 4 == 0 ? Real(1) : Real(0);
    rows.push_back({{static_cast<Real>(i % 2), 3 - rare, rare / 7, static_cast<Real>(i / 2 % 2),
                     rare * 100 - 5},
                    SampleKind::labelled,
                    i % 4 == 0 ? 0U : 1U});
  }
  RankerInBuffer ranker(mrmr_config(5, 2, 12));
  // With entropy H: first H for 1, 2 and 4. Then 0 for all, 2 and 4 repeating 1. Then H / 2 for 2
  // and 4. Then H / 3 for 4.
  EXPECT_EQ(order_of(rank_of(ranker, rows)), (Order{1, 0, 2, 4, 3}));
}

// Values on mean -+ sd are within, whatever the rounding.
TEST(Mrmr, ValuesOnTheBoundsAreWithin) {
  for (const Real step : {Real(1), Real(0.3), Real(0.1), Real(1e-3), Real(777.7)}) {
    for (const Real start : {Real(0), Real(0.1), Real(-5.7)}) {
      // Two values, equally frequent, one for each class: both on a bound.
      std::vector<Row> rows;
      for (std::uint32_t i = 0; i < 14; ++i) {
        rows.push_back({{start + step * static_cast<Real>(i % 2)}, SampleKind::labelled, i % 2});
      }
      RankerInBuffer even(mrmr_config(1, 2, 14));
      EXPECT_EQ(rank_of(even, rows).scores()[0], Real(0)) << start << " " << step;
    }
    // step * 1..7: mean 4, sd 2 steps; below is 1, above is 7, and these are class 0.
    std::vector<Row> rows;
    for (std::uint32_t i = 1; i < 8; ++i) {
      const std::uint32_t label = i == 1 || i == 7 ? 0 : 1;
      rows.push_back({{step * static_cast<Real>(i)}, SampleKind::labelled, label});
    }
    RankerInBuffer seven(mrmr_config(1, 2, 14));
    const double entropy = -2.0 / 7 * std::log(2.0 / 7) - 5.0 / 7 * std::log(5.0 / 7);
    EXPECT_NEAR(static_cast<double>(rank_of(seven, rows).scores()[0]), entropy, 1e-6) << step;
  }
}

TEST(Mrmr, MissingValueIsWithin) {
  // Of the present values of feature 0 only the 9 is out of bounds; the missing cells join the
  // rest.
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const Real value = i == 0 ? Real(9) : i < 6 ? static_cast<Real>(i % 2) : kMissing;
    rows.push_back({{value, i == 0 ? Real(9) : Real(1)}, SampleKind::labelled, i < 5 ? 0U : 1U});
  }
  RankerInBuffer ranker(mrmr_config(2, 2, 10));
  const Ranking& ranking = rank_of(ranker, rows);
  EXPECT_EQ(order_of(ranking), (Order{0, 1}));
  const double relevance =
      std::log(2.0) / 10 + 0.4 * std::log(0.4 / 0.45) + 0.5 * std::log(0.5 / 0.45);
  EXPECT_NEAR(static_cast<double>(ranking.scores()[0]), relevance, 1e-6);
}

TEST(Mrmr, ConstantOverTheLabelledPointsIsNoScore) {
  RankerInBuffer ranker(mrmr_config(4, 2, 8));
  const Ranking& ranking =
      rank_of(ranker, {{{5, kMissing, 1, 1}, SampleKind::labelled, 0},
                       {{6, 1, 2, 2}},  // unlabelled
                       {{5, kMissing, 3, kMissing}, SampleKind::labelled, 1},
                       {{kMissing, kMissing, 4, kMissing}, SampleKind::labelled, 1}});
  EXPECT_EQ(order_of(ranking), (Order{2, 0, 1, 3}));
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(has_score(ranking.scores()[r]), r == 2) << r;
    EXPECT_EQ(ranking.selected()[r], r == 2) << r;
  }
}

TEST(Mrmr, DeviationsWithoutSquaresAreNoScoreAndHurtNoOther) {
  const Real huge = std::numeric_limits<Real>::max();
  const Real tiny = std::numeric_limits<Real>::min();
  std::vector<Row> rows = worked_example();
  RankerInBuffer plain(mrmr_config(4, 2, 8));
  rank_of(plain, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Real value = static_cast<Real>(i);
    rows[i].x.insert(rows[i].x.end(), {value * tiny, i == 2 ? -huge : huge, value * (huge / 8)});
  }
  RankerInBuffer ranker(mrmr_config(7, 2, 8));
  const Ranking& ranking = rank_of(ranker, rows);
  EXPECT_EQ(order_of(ranking), (Order{0, 1, 2, 3, 4, 5, 6}));
  for (std::size_t r = 3; r < 7; ++r) EXPECT_FALSE(has_score(ranking.scores()[r])) << r;
  EXPECT_EQ(
      std::memcmp(ranking.scores().data(), plain->ranking().scores().data(), 4 * sizeof(Real)), 0);
}

TEST(Mrmr, RankingChangesNothing) {
  RankerInBuffer ranker(mrmr_config(kOthers + 3, 3, 20));
  RankerInBuffer ranked_often(mrmr_config(kOthers + 3, 3, 20));
  const std::vector<Row> rows = make({});
  for (const Row& row : rows) {
    ASSERT_TRUE(ranked_often->observe(row.sample()).ok());
    if (ranked_often->rank(2).ok()) {
      ASSERT_TRUE(ranked_often->rank(0).ok());
    }
  }
  expect_same_bits(rank_of(ranker, rows), ranked_often->ranking());
  EXPECT_EQ(ranker->state_digest(), ranked_often->state_digest());
}

TEST(Mrmr, NeedsTwoClassesHeldAndTakesNoParameter) {
  RankerInBuffer ranker(mrmr_config(2, 2, 4));
  const auto expect_refused = [&] {
    const std::uint64_t before = ranker->state_digest();
    const Status status = ranker->rank(0);
    EXPECT_EQ(status.code(), StatusCode::failed_precondition);
    EXPECT_STREQ(status.reason(), "mrmr needs labelled samples of two classes");
    EXPECT_EQ(ranker->state_digest(), before);
  };
  ASSERT_TRUE(ranker->observe(Row{{1, 2}}.sample()).ok());
  expect_refused();
  ASSERT_TRUE(ranker->observe(Row{{3, 4}, SampleKind::labelled, 1}.sample()).ok());
  expect_refused();
  ASSERT_TRUE(ranker->observe(Row{{5, 4}, SampleKind::labelled, 0}.sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());

  RankerInBuffer holds_none(mrmr_config(2, 2, 0));
  ASSERT_TRUE(holds_none->observe(Row{{1, 2}, SampleKind::labelled, 0}.sample()).ok());
  ASSERT_TRUE(holds_none->observe(Row{{2, 3}, SampleKind::labelled, 1}.sample()).ok());
  EXPECT_EQ(holds_none->rank(0).code(), StatusCode::failed_precondition);

  ParamValues values(kMrmr.params);
  EXPECT_EQ(values.set(kMrmr.params, "k", 1).code(), StatusCode::not_found);
}

}  // namespace
}  // namespace whittle::testing
