// The streams and settings under which a selector on the held points is compared with its formula,
// after every prefix and with explicit pairs.
#ifndef WHITTLE_TESTS_SHARED_HELD_CASES_H_
#define WHITTLE_TESTS_SHARED_HELD_CASES_H_

#include <cmath>
#include <vector>

#include "tests/shared/graph_reference.h"
#include "tests/shared/ranker_fixture.h"

namespace whittle::testing {

struct HeldCase {
  StreamShape shape;
  std::uint32_t labelled = 64, window = 64;
  std::size_t k = 10;
  double lambda = -1;
  bool cosine = false;
  bool keep_distances = true;
  Real missing = 0;  // share of cells
  bool scaled = false;
};

inline std::vector<HeldCase> held_cases() {
  std::vector<HeldCase> all(11);
  all[1] = {{2, 60, 9, 3, Real(0.5), Real(0.1), Real(0.3), true, 0}, 6, 9, 3};
  all[2] = all[1];  // every sample evicts one, and neighbours are looked for anew
  all[2].keep_distances = false;
  all[3] = {{3, 60, 7, 2, Real(0.4), Real(0), Real(0.2), true, 0}, 8, 12, 4, -1, true};
  all[4] = {{4, 50, 1, 2, Real(0.4), Real(0.2), Real(0.2), false, 0}, 6, 9, 2};
  all[5] = {{5, 40, 16, 4, Real(1), Real(0), Real(0), true, 0}, 24, 0, 3};
  all[6] = {{6, 40, 3, 0, Real(0), Real(0.1), Real(0.5), false, 0}, 0, 12, 3};
  all[7] = {{7, 60, 8, 2, Real(0.3), Real(0.1), Real(0.1), true, 8192}, 10, 10, 4, 12.5};
  all[8] = {{8, 60, 8, 3, Real(0.5), Real(0.2), Real(0.1), true, 0}, 9, 9, 4};
  all[8].missing = Real(0.2);
  all[9] = all[8];
  all[9].cosine = true;
  all[10] = {{9, 60, 6, 2, Real(0.4), Real(0.2), Real(0.1), true, 64}, 9, 9, 4};
  all[10].scaled = true;
  return all;
}

inline std::vector<Row> rows_of(const HeldCase& one) {
  std::vector<Row> rows = make_stream(one.shape);
  if (one.missing == 0) return rows;
  Random random(one.shape.seed + 100);
  for (Row& row : rows) {
    const std::size_t kept = random.below(static_cast<std::uint32_t>(row.x.size()));
    for (std::size_t r = 0; r < row.x.size(); ++r) {
      if (r != kept && random.uniform() < one.missing) row.x[r] = kNoScore;
    }
  }
  return rows;
}

// Powers of two, which keep the values on their grid.
inline Vector gains_of(const HeldCase& one) {
  Vector gains;
  for (std::size_t r = 0; one.scaled && r < one.shape.features; ++r) {
    gains.push_back(std::ldexp(1.0, static_cast<int>(r % 4) - 2));
  }
  return gains;
}
inline Vector offsets_of(const HeldCase& one) {
  return Vector(one.scaled ? one.shape.features : 0, static_cast<double>(one.shape.offset) - 1.5);
}

inline RankerConfig config_of(const SelectorType& type, const HeldCase& one) {
  RankerConfig config = config_for(type, one.shape, one.labelled, one.window);
  config.memory.keep_distances = one.keep_distances;
  config.memory.scaling = one.scaled ? Scaling::minmax : Scaling::none;
  EXPECT_TRUE(config.values.set(type.params, "k", static_cast<Real>(one.k)).ok());
  EXPECT_TRUE(config.values.set(type.params, "metric", one.cosine ? 1 : 0).ok());
  if (one.lambda >= 0 && config.values.set(type.params, "lambda", 1).ok()) {
    EXPECT_TRUE(config.values.set(type.params, "lambda", static_cast<Real>(one.lambda)).ok());
  }
  return config;
}

inline void give_scale(FeatureRanker& ranker, const HeldCase& one) {
  if (!one.scaled) return;
  std::vector<Real> offset, gain;
  for (const double value : offsets_of(one)) offset.push_back(static_cast<Real>(value));
  for (const double value : gains_of(one)) gain.push_back(static_cast<Real>(value));
  ASSERT_TRUE(ranker.set_scale(0, {offset.data(), offset.size()}, {gain.data(), gain.size()}).ok());
}

// A score and the size of the terms it is a sum of, which its error is relative to.
struct Judged {
  double score;
  double size;
};

inline void expect_judged(Real score, const Judged& expected, double tolerance) {
  const double value = static_cast<double>(score);
  if (std::isnan(expected.score) || std::isinf(expected.score)) {
    EXPECT_TRUE(std::isnan(expected.score) ? std::isnan(value) : value == expected.score)
        << value << " for " << expected.score;
  } else {
    EXPECT_NEAR(value, expected.score, tolerance * expected.size);
  }
}

// Feeds the rows and compares after each. `ready(points)`: whether the selector has what it needs,
// else it must say so; `formula(points, prefix)`: a Judged for every feature.
template <typename Ready, typename Formula>
void check_held_prefixes(const RankerConfig& config, const HeldCase& one, Ready ready,
                         Formula formula, double tolerance) {
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  EXPECT_EQ(ranker.left(), 0U);
  give_scale(*ranker, one);
  std::vector<Row> prefix;
  for (const Row& row : rows_of(one)) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    if (prefix.size() % every(5) != 0) continue;
    const std::vector<Point> points =
        points_of(held_after(prefix, one.labelled, one.window, one.shape.classes), offsets_of(one),
                  gains_of(one));
    const std::uint64_t before = ranker->state_digest();
    const Status status = ranker->rank(0);
    EXPECT_EQ(ranker->state_digest(), before);
    if (!ready(points)) {
      EXPECT_EQ(status.code(), StatusCode::failed_precondition) << prefix.size();
      continue;
    }
    ASSERT_TRUE(status.ok()) << status.reason() << " at " << prefix.size();
    const std::vector<Judged> expected = formula(points, prefix);
    for (std::size_t r = 0; r < row.x.size(); ++r) {
      SCOPED_TRACE(::testing::Message()
                   << config.selector->id << (one.cosine ? " cosine" : "") << ": seed "
                   << one.shape.seed << ", prefix " << prefix.size() << ", feature " << r);
      expect_judged(ranker->ranking().scores()[r], expected[r], tolerance);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

// Samples with missing cells that explicit pairs tie, some of them refused: after each, the scores
// must equal formula(points, links), or lack a cannot-link pair.
template <typename Formula>
void check_explicit_pairs(const SelectorType& type, const HeldCase& one, Formula formula,
                          double tolerance) {
  RankerConfig config = config_of(type, one);
  config.memory.pairs = 64;
  const MemoryConfig configured = config.configured_memory();
  std::vector<unsigned char> bytes(StreamMemory::required_bytes(configured) +
                                   type.required_bytes(configured, config.values));
  Arena arena(bytes.data(), bytes.size());
  StreamMemory memory;
  ASSERT_TRUE(memory.create(arena, configured).ok());
  Selector* selector = nullptr;
  ASSERT_TRUE(type.create(arena, memory, config.values, &selector).ok());
  Random random(one.shape.seed);
  std::vector<Row> prefix;
  std::vector<GivenPair> given;
  std::vector<Real> scores(one.shape.features);
  for (const Row& row : rows_of(one)) {
    prefix.push_back(row);
    Observation seen;
    ASSERT_TRUE(memory.observe(row.sample(), &seen).ok());
    const std::vector<Point> points = points_of(prefix);
    const auto n = static_cast<std::uint32_t>(points.size());
    const GivenPair pair = {random.below(n), random.below(n), random.below(2) == 0};
    if (pair.a != pair.b) {
      given.push_back(pair);
      const bool fits = !closed_links(points, given).empty();
      ASSERT_EQ(memory.constrain(pair.a + 1, pair.b + 1, pair.must_link).ok(), fits);
      if (!fits) given.pop_back();
    }
    memory.prepare();
    const Status status = selector->score({scores.data(), scores.size()}, nullptr);
    const Matrix links = closed_links(points, given);
    ASSERT_EQ(status.ok(), has_cannot_link(links)) << n;
    if (!status.ok()) continue;
    const std::vector<Judged> expected = formula(points, links);
    for (std::size_t r = 0; r < scores.size(); ++r) {
      SCOPED_TRACE(::testing::Message() << type.id << ": prefix " << n << ", feature " << r);
      expect_judged(scores[r], expected[r], tolerance);
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(given.size(), 10U);
}

inline HeldCase paired_case() {
  HeldCase one;
  one.shape = {11, 32, 6, 2, Real(0.3), Real(0), Real(0.1), true, 0};
  one.k = 4;
  one.missing = Real(0.15);
  return one;
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_HELD_CASES_H_
