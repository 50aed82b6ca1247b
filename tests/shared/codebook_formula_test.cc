// The codebook against its formula, in double precision by brute force, after every sample.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "tests/shared/codebook_fixture.h"

namespace whittle::testing {
namespace {

// What codebook.h says, over vectors.
struct Reference {
  struct Unit {
    std::vector<double> c;
    double weight = 1;
    double wins = 1;
    long row = 0, column = 0;
  };
  explicit Reference(std::size_t k) : capacity(static_cast<long>(k)) {
    while (columns * columns < capacity) ++columns;
  }

  void train(const Reals& x) {
    ++trained;
    if (static_cast<long>(units.size()) < capacity) return grow(x);
    Unit& winner = units[least(x, [](const Unit& unit) { return std::sqrt(unit.wins); })];
    ++winner.wins;
    Unit& idle = *std::min_element(units.begin(), units.end(),
                                   [](const Unit& a, const Unit& b) { return a.wins < b.wins; });
    if (winner.wins * static_cast<double>(capacity) > 4.0 * static_cast<double>(trained) &&
        idle.wins <= std::floor(winner.wins / 2) && distance_of(winner.c, x) > 0) {
      idle.wins = std::floor(winner.wins / 2);
      winner.wins -= idle.wins;
      idle.c.assign(x.begin(), x.end());
      idle.weight = 1;
      ++relieved;
      return;
    }
    const double t = static_cast<double>(trained - capacity) / static_cast<double>(capacity);
    const double radius = std::exp(-t);
    for (Unit& unit : units) {
      const long d = grid_distance(unit, winner.row, winner.column);
      const double tau = std::exp(-static_cast<double>(d * d) / (2 * radius * radius));
      if (d > 1 || tau < 0.2) continue;
      unit.weight = std::min(unit.weight + tau, 5.0);
      for (std::size_t r = 0; r < x.size(); ++r) {
        const double value = static_cast<double>(x[r]);
        if (std::isnan(value)) continue;
        unit.c[r] =
            std::isnan(unit.c[r]) ? value : unit.c[r] + tau / unit.weight * (value - unit.c[r]);
      }
    }
  }

  void grow(const Reals& x) {
    Unit unit;
    unit.c.assign(x.begin(), x.end());
    const long rows = (capacity + columns - 1) / columns;
    long row = (rows - 1) / 2, column = (columns - 1) / 2;
    if (!units.empty()) {
      const Unit& near = units[least(x, [](const Unit&) { return 1.0; })];
      row = near.row;
      column = near.column;
    }
    long best = std::numeric_limits<long>::max();
    for (long cell = 0; cell < capacity; ++cell) {
      Unit candidate;
      candidate.row = cell / columns;
      candidate.column = cell % columns;
      const bool taken = std::any_of(units.begin(), units.end(), [&](const Unit& other) {
        return other.row == candidate.row && other.column == candidate.column;
      });
      const long d = grid_distance(candidate, row, column);
      if (taken || d >= best) continue;
      best = d;
      unit.row = candidate.row;
      unit.column = candidate.column;
    }
    units.push_back(unit);
  }

  static long grid_distance(const Unit& unit, long row, long column) {
    return std::labs(unit.row - row) + std::labs(unit.column - column);
  }
  std::size_t least(const Reals& x, const std::function<double(const Unit&)>& factor) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < units.size(); ++i) {
      const double cost = distance_of(units[i].c, x) * factor(units[i]);
      if (cost < distance_of(units[best].c, x) * factor(units[best])) best = i;
    }
    return best;
  }

  long capacity;
  long columns = 1;
  long trained = 0;
  int relieved = 0;
  std::vector<Unit> units;
};

void expect_equal(const CodebookInBuffer& map, const Reference& reference, std::size_t after) {
  ASSERT_EQ(map->size(), reference.units.size());
  for (std::size_t unit = 0; unit < map->size(); ++unit) {
    const Reference::Unit& expected = reference.units[unit];
    ASSERT_EQ(map->wins(unit), static_cast<std::uint32_t>(expected.wins)) << after;
    ASSERT_EQ(map->cell(unit), expected.row * reference.columns + expected.column) << after;
    for (std::size_t r = 0; r < expected.c.size(); ++r) {
      const double value = static_cast<double>(map->prototype(unit)[r]);
      if (std::isnan(expected.c[r])) {
        ASSERT_TRUE(std::isnan(value)) << after;
      } else {
        ASSERT_NEAR(value, expected.c[r], sizeof(Real) == 4 ? 1e-5 : 1e-13) << after;
      }
    }
  }
}

TEST(Codebook, EqualsTheFormulaAfterEverySample) {
  for (const std::uint32_t units : {1U, 2U, 3U, 7U, 12U, 13U, 16U}) {
    for (const std::size_t features : {std::size_t{1}, std::size_t{4}, std::size_t{9}}) {
      CodebookInBuffer map(units, static_cast<std::uint32_t>(features));
      Reference reference(units);
      std::size_t after = 0;
      for (const Reals& x : uniform_samples(units, 10 * units + 20, features)) {
        map.train(x);
        reference.train(x);
        expect_equal(map, reference, ++after);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Codebook, EqualsTheFormulaOnAStreamThatComesSorted) {
  CodebookInBuffer map(10, 3);
  Reference reference(10);
  std::size_t after = 0;
  for (const Reals& x : clustered_samples(2, 300, 4, true)) {
    map.train(x);
    reference.train(x);
    expect_equal(map, reference, ++after);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(reference.relieved, 0);
}

TEST(Codebook, EqualsTheFormulaWithMissingValues) {
  CodebookInBuffer map(6, 5);
  Reference reference(6);
  Random random(3);
  std::size_t after = 0;
  for (Reals x : uniform_samples(4, 120, 5)) {
    for (Real& value : x) {
      if (random.below(3) == 0) value = kNoScore;
    }
    x[random.below(5)] = random.uniform();  // never all
    map.train(x);
    reference.train(x);
    expect_equal(map, reference, ++after);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace whittle::testing
