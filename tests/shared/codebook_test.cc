// The codebook: where its units sit on the grid, which of them a sample moves, what the map is good
// for, and what no input may do to it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "tests/shared/codebook_fixture.h"

namespace whittle::testing {
namespace {

double quantisation_error(const RealRows& samples, const RealRows& prototypes) {
  double sum = 0;
  for (const Reals& x : samples) {
    double least = std::numeric_limits<double>::infinity();
    for (const Reals& prototype : prototypes) {
      const std::vector<double> c(prototype.begin(), prototype.end());
      least = std::min(least, distance_of(c, x));
    }
    sum += least;
  }
  return sum / static_cast<double>(samples.size());
}

TEST(Codebook, TakesTheFirstSamplesAsTheyAre) {
  CodebookInBuffer map(5, 3);
  const RealRows samples = uniform_samples(1, 5, 3);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(map->size(), i);
    EXPECT_EQ(map.train(samples[i]), std::vector<std::size_t>{i});
    EXPECT_EQ(map.prototype(i), samples[i]);
  }
  EXPECT_EQ(map->size(), 5U);
}

TEST(Codebook, EveryUnitHasItsOwnCell) {
  for (std::uint32_t units = 1; units <= 30; ++units) {
    CodebookInBuffer map(units, 2);
    map.train_all(uniform_samples(units, units, 2));
    std::vector<bool> taken(units, false);
    for (std::size_t unit = 0; unit < units; ++unit) {
      ASSERT_LT(map->cell(unit), units);
      EXPECT_FALSE(taken[map->cell(unit)]);
      taken[map->cell(unit)] = true;
    }
    EXPECT_GE(map->columns() * map->columns(), units);
    EXPECT_LT((map->columns() - 1) * (map->columns() - 1), units);
  }
}

TEST(Codebook, MovesTheWinnerAndAtFirstWhatIsBesideIt) {
  constexpr std::uint32_t kUnits = 23;
  CodebookInBuffer map(kUnits, 4);
  map.train_all(uniform_samples(5, kUnits, 4));
  std::size_t most = 0;
  std::size_t seen = 0;
  for (const Reals& x : uniform_samples(6, 5 * kUnits, 4)) {
    const RealRows before = map.prototypes();
    const std::vector<std::size_t> moved = map.train(x);
    ++seen;
    ASSERT_GE(moved.size(), 1U);
    ASSERT_LE(moved.size(), Codebook::kMostMoved);
    if (5 * seen > 3 * kUnits) {
      EXPECT_EQ(moved.size(), 1U) << seen;
    }
    most = std::max(most, moved.size());
    const long columns = static_cast<long>(map->columns());
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      const bool is_moved = std::find(moved.begin(), moved.end(), unit) != moved.end();
      EXPECT_EQ(map.prototype(unit) != before[unit], is_moved);
      if (!is_moved || unit == moved[0]) continue;
      const long a = map->cell(unit), b = map->cell(moved[0]);
      EXPECT_EQ(std::labs(a / columns - b / columns) + std::labs(a % columns - b % columns), 1);
    }
  }
  EXPECT_EQ(most, Codebook::kMostMoved);
}

// Of the moved prototypes, those not yet told of have not moved: a graph can follow one by one.
TEST(Codebook, TellsOfOnePrototypeBeforeItMovesTheNext) {
  const MemoryConfig config = codebook_config(9, 2);
  std::vector<unsigned char> bytes(Codebook::required_bytes(config));
  Arena arena(bytes.data(), bytes.size());
  std::vector<Real> prototypes(18);
  Codebook codebook;
  codebook.place(arena, config, prototypes.data());
  std::vector<Real> before = prototypes;
  for (const Reals& x : uniform_samples(7, 30, 2)) {
    codebook.train(x.data(), [&](std::size_t unit) {
      for (std::size_t i = 0; i < prototypes.size(); ++i) {
        if (i / 2 != unit) {
          EXPECT_EQ(prototypes[i], before[i]);
        }
      }
      before = prototypes;
    });
  }
}

TEST(Codebook, OneUnitIsTheMeanOfTheFirstAndThenFollows) {
  CodebookInBuffer map(1, 1);
  for (int i = 1; i <= 5; ++i) {
    map.train({static_cast<Real>(i)});
    EXPECT_NEAR(static_cast<double>(map.prototype(0)[0]), (1 + i) / 2.0, 1e-6);
  }
  for (int i = 0; i < 200; ++i) map.train({Real(100)});
  EXPECT_NEAR(static_cast<double>(map.prototype(0)[0]), 100, 1e-3);
  EXPECT_EQ(map->wins(0), 205U);
  EXPECT_EQ(map->trained(), 205U);
}

TEST(Codebook, RepresentsClustersBetterThanSamplesPickedAtRandom) {
  for (const bool sorted : {false, true}) {
    const RealRows samples = clustered_samples(8, 800, 8, sorted);
    CodebookInBuffer map(24, 3);
    map.train_all(samples);
    Random random(9);
    double picked = 0;
    for (int trial = 0; trial < 5; ++trial) {
      RealRows some;
      while (some.size() < 24) some.push_back(samples[random.below(800)]);
      picked += quantisation_error(samples, some) / 5;
    }
    EXPECT_LT(quantisation_error(samples, map.prototypes()), 0.75 * picked) << sorted;
  }
}

TEST(Codebook, NeighboursOnTheGridAreNearEachOther) {
  CodebookInBuffer map(36, 2);
  map.train_all(uniform_samples(10, 1000, 2));
  double adjacent = 0, all = 0;
  int adjacent_pairs = 0, pairs = 0;
  for (std::size_t a = 0; a < 36; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const Reals p = map.prototype(a), q = map.prototype(b);
      const double distance =
          std::hypot(static_cast<double>(p[0] - q[0]), static_cast<double>(p[1] - q[1]));
      all += distance;
      ++pairs;
      const int i = static_cast<int>(map->cell(a)), j = static_cast<int>(map->cell(b));
      if (std::abs(i / 6 - j / 6) + std::abs(i % 6 - j % 6) != 1) continue;
      adjacent += distance;
      ++adjacent_pairs;
    }
  }
  EXPECT_LT(adjacent / adjacent_pairs, 0.8 * all / pairs);
}

// Also when the stream goes through one cluster after the other: no unit is left over, none stands
// for much more than its share.
TEST(Codebook, UnitsWinAlike) {
  for (const bool sorted : {false, true}) {
    constexpr std::uint32_t kUnits = 32;
    CodebookInBuffer map(kUnits, 3);
    map.train_all(clustered_samples(11, 1600, 4, sorted));
    std::vector<int> units_of(4, 0);
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      const Reals c = map.prototype(unit);
      ++units_of[(c[0] > Real(4) ? 1U : 0U) + (c[1] > Real(4) ? 2U : 0U)];
      EXPECT_LT(map->wins(unit), 5U * 1600 / kUnits);
    }
    for (const int count : units_of) EXPECT_GE(count, 4) << sorted;
  }
}

TEST(Codebook, ConstantDataMovesNothing) {
  CodebookInBuffer map(7, 4);
  const Reals x = {Real(0.1), Real(-3.3), 0, Real(1e4)};
  for (std::size_t i = 0; i < 7; ++i) map.train(x);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(map.train(x).empty());
  for (const Reals& prototype : map.prototypes()) EXPECT_EQ(prototype, x);
}

TEST(Codebook, UnitsThatStartAsOneComeApart) {
  CodebookInBuffer map(8, 2);
  for (int i = 0; i < 50; ++i) map.train({0, 0});  // a sensor that has not woken up
  map.train_all(uniform_samples(12, 200, 2));
  const RealRows prototypes = map.prototypes();
  int far = 0;
  for (const Reals& c : prototypes) far += c[0] + c[1] > Real(0.3) ? 1 : 0;
  EXPECT_GE(far, 6);
}

TEST(Codebook, NoValueMakesAPrototypeInfinite) {
  constexpr Real kMax = std::numeric_limits<Real>::max();
  constexpr Real kTiny = std::numeric_limits<Real>::denorm_min();
  const Real values[] = {kMax, -kMax, kMax / 2, -kMax / 3, 0, kTiny, -kTiny, Real(1)};
  for (const std::uint32_t units : {1U, 2U, 5U}) {
    CodebookInBuffer map(units, 3);
    Random random(units);
    for (int i = 0; i < 300; ++i) {
      Reals x(3);
      for (Real& value : x) value = values[random.below(8)];
      map.train(x);
      for (const Reals& prototype : map.prototypes()) {
        for (const Real value : prototype) ASSERT_TRUE(std::isfinite(value)) << i;
      }
    }
  }
}

TEST(Codebook, MissingCellOfAPrototypeTakesTheFirstValueThatComes) {
  CodebookInBuffer map(1, 2);
  map.train({1, kNoScore});
  EXPECT_TRUE(is_missing(map.prototype(0)[1]));
  map.train({kNoScore, 5});  // nothing in common
  EXPECT_EQ(map.prototype(0), (Reals{1, 5}));
  EXPECT_EQ(map.train({1, kNoScore}), std::vector<std::size_t>{});
  EXPECT_EQ(map.train({3, kNoScore}), std::vector<std::size_t>{0});
  EXPECT_EQ(map.prototype(0)[1], Real(5));
}

TEST(Codebook, WithoutUnitsTakesNoBytesAndDoesNothing) {
  MemoryConfig config = codebook_config(4, 3);
  EXPECT_GT(Codebook::required_bytes(config), 0U);
  config.geometry = Geometry::window;
  EXPECT_EQ(Codebook::required_bytes(config), 0U);
  CodebookInBuffer map(0, 3);
  EXPECT_TRUE(map.train({1, 2, 3}).empty());
  EXPECT_EQ(map->size(), 0U);
}

TEST(Codebook, SameBitsOnEveryPort) {
  CodebookInBuffer map(11, 6);
  map.train_all(uniform_samples(13, 300, 6));
  EXPECT_EQ(map.digest(), sizeof(Real) == 4 ? 11793912988557134190U : 15442215391390854438U);
}

TEST(Codebook, DigestCoversEverySample) {
  CodebookInBuffer map(3, 2);
  std::uint64_t last = map.digest();
  for (const Reals& x : uniform_samples(14, 20, 2)) {
    map.train(x);
    EXPECT_NE(map.digest(), last);
    last = map.digest();
  }
}

}  // namespace
}  // namespace whittle::testing
