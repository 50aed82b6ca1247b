#include "tests/shared/e1_reference.h"

#include <algorithm>
#include <functional>

#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

// One present value of a feature.
struct Cell {
  Weighed x;
  SampleKind kind;
  std::uint32_t label;
};
using Column = std::vector<Cell>;

bool is_labelled(const Cell& cell) { return cell.kind == SampleKind::labelled; }
bool is_universum(const Cell& cell) { return cell.kind == SampleKind::universum; }

template <typename Filter>
std::vector<Weighed> those(const Column& column, Filter filter) {
  std::vector<Weighed> values;
  for (const Cell& cell : column) {
    if (filter(cell)) values.push_back(cell.x);
  }
  return values;
}

bool constant(const std::vector<Weighed>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](const Weighed& v) { return v.value == values.front().value; });
}

double quotient(double a, double b) {
  if (b > 0) return a / b;
  return a > 0 ? std::numeric_limits<double>::infinity() : no_score();
}

double variance(const Column& column) {
  const auto x = those(column, [](const Cell& c) { return !is_universum(c); });
  if (constant(x)) return no_score();
  const DoubleMoment all = moment_of(x);
  return all.deviations / all.count;
}

double fisher(const Column& column, std::uint32_t classes) {
  const auto labelled = those(column, is_labelled);
  if (constant(labelled)) return no_score();
  const double mu = moment_of(labelled).mean;
  double between = 0, within = 0;
  for (std::uint32_t c = 0; c < classes; ++c) {
    const DoubleMoment one =
        moment_of(those(column, [&](const Cell& v) { return is_labelled(v) && v.label == c; }));
    between += one.count * (one.mean - mu) * (one.mean - mu);
    within += one.deviations;
  }
  return quotient(between, within);
}

// Sums over unordered pairs of labelled samples, of one class and of two.
std::pair<double, double> pair_sums(const Column& column) {
  double must = 0, cannot = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Cell &a = column[i], &b = column[j];
      if (!is_labelled(a) || !is_labelled(b)) continue;
      const double d = a.x.value - b.x.value;
      (a.label == b.label ? must : cannot) += a.x.weight * b.x.weight * d * d;
    }
  }
  return {must, cannot};
}

double cs1(const Column& column) {
  const auto [must, cannot] = pair_sums(column);
  return quotient(must, cannot);
}

double cs2(const Column& column) {
  if (constant(those(column, is_labelled))) return no_score();
  const auto [must, cannot] = pair_sums(column);
  return must - static_cast<double>(Real(0.1)) * cannot;
}

// Sum over all pairs, one of each, with the sum of the pairs' weights.
Weighed squares_between(const std::vector<Weighed>& a, const std::vector<Weighed>& b) {
  Weighed sum = {0, 0};
  for (const Weighed& u : a) {
    for (const Weighed& x : b) {
      sum.value += u.weight * x.weight * (u.value - x.value) * (u.value - x.value);
      sum.weight += u.weight * x.weight;
    }
  }
  return sum;
}

double uvs(const Column& column, bool printed) {
  const auto u = those(column, is_universum);
  const auto x = those(column, [](const Cell& c) { return !is_universum(c); });
  if (u.empty()) return variance(column);
  if (x.empty() || constant(those(column, [](const Cell&) { return true; }))) return no_score();
  const Weighed across = squares_between(u, x);
  const Weighed among = squares_between(u, u);
  const DoubleMoment all = moment_of(x);
  const double pairs = printed ? moment_of(u).count : among.weight;
  return across.value / across.weight - among.value / pairs + all.deviations / all.count;
}

std::size_t rows_of(const std::vector<Row>& rows, SampleKind kind) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const Row& row) { return row.kind == kind; }));
}

bool two_classes(const std::vector<Row>& rows) {
  const Row* first = nullptr;
  for (const Row& row : rows) {
    if (row.kind != SampleKind::labelled) continue;
    if (first == nullptr) first = &row;
    if (row.label != first->label) return true;
  }
  return false;
}

struct Method {
  const SelectorType* type;
  bool printed;
  double tolerance;
  std::function<bool(const std::vector<Row>&)> ready;
  std::function<double(const Column&)> score;
};

std::vector<Method> methods(std::uint32_t classes) {
  const auto ordinary = [](const std::vector<Row>& rows) {
    return rows_of(rows, SampleKind::universum) < rows.size();
  };
  const auto pair = [](const std::vector<Row>& rows) {
    return rows_of(rows, SampleKind::labelled) >= 2;
  };
  return {
      {&kVariance, false, kTolerance, ordinary, variance},
      {&kFisher, false, 4 * kTolerance, two_classes,
       [classes](const Column& c) { return fisher(c, classes); }},
      {&kCs1, false, 2 * kTolerance, two_classes, cs1},
      // Differences of sums.
      {&kCs2, false, 20 * kTolerance, pair, cs2},
      {&kUvs, false, 20 * kTolerance, ordinary, [](const Column& c) { return uvs(c, false); }},
      {&kUvs, true, 20 * kTolerance, ordinary, [](const Column& c) { return uvs(c, true); }},
  };
}

Vector reference(const Method& method, const std::vector<Row>& rows,
                 const std::vector<double>& weights) {
  Vector scores;
  for (std::size_t r = 0; r < rows.front().x.size(); ++r) {
    Column column;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (is_missing(rows[i].x[r])) continue;
      column.push_back(
          {{static_cast<double>(rows[i].x[r]), weights[i]}, rows[i].kind, rows[i].label});
    }
    scores.push_back(column.empty() ? no_score() : method.score(column));
  }
  return scores;
}

}  // namespace

DoubleMoment moment_of(const std::vector<Weighed>& values) {
  DoubleMoment all;
  for (const Weighed& v : values) {
    all.count += v.weight;
    all.mean += v.weight * v.value;
  }
  if (all.count == 0) return all;
  all.mean /= all.count;
  for (const Weighed& v : values) {
    all.deviations += v.weight * (v.value - all.mean) * (v.value - all.mean);
  }
  return all;
}

void expect_moment(const Moment& got, const DoubleMoment& want, double tolerance) {
  EXPECT_NEAR(static_cast<double>(got.count), want.count, tolerance * want.count);
  if (want.count == 0) return;
  EXPECT_NEAR(static_cast<double>(got.mean) + static_cast<double>(got.mean_rest), want.mean,
              tolerance * std::sqrt(want.deviations / want.count));
  EXPECT_NEAR(static_cast<double>(got.deviations), want.deviations, tolerance * want.deviations);
}

std::vector<double> weights_by_age(std::size_t n, double half_life) {
  std::vector<double> weights(n, 1);
  for (std::size_t i = 0; i < n && half_life > 0; ++i) {
    weights[i] = std::exp2(-static_cast<double>(n - 1 - i) / half_life);
  }
  return weights;
}

void check_e1_prefixes(const std::vector<Row>& rows, std::uint32_t classes, double half_life,
                       std::uint32_t held) {
  for (const Method& method : methods(classes)) {
    RankerConfig config(*method.type, kAllParts);
    config.memory.features = static_cast<std::uint32_t>(rows.front().x.size());
    config.memory.classes = classes;
    config.memory.half_life = static_cast<Real>(half_life);
    config.memory.labelled = held;
    config.memory.window = held;
    if (method.printed) {
      ASSERT_TRUE(config.values.set(kUvsParams, "universum_norm", 1).ok());
    }
    RankerInBuffer ranker(config);
    ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
    EXPECT_EQ(ranker.left(), 0U);
    std::vector<Row> prefix;
    for (const Row& row : rows) {
      prefix.push_back(row);
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
      if (prefix.size() % every(6) != 0) continue;
      const Status status = ranker->rank(0);
      ASSERT_EQ(status.ok(), method.ready(prefix)) << method.type->id << " " << prefix.size();
      if (!status.ok()) continue;
      const Vector want = reference(method, prefix, weights_by_age(prefix.size(), half_life));
      expect_scores(ranker->ranking().scores(), want, method.tolerance, method.type->id,
                    prefix.size());
      if (::testing::Test::HasFailure()) return;
    }
  }
}

std::vector<Row> with_missing(std::vector<Row> rows, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows[i];
    for (std::size_t r = 1; r < row.x.size(); ++r) {
      const bool gone = r == 1   ? i < 25
                        : r == 2 ? true
                        : r == 3 ? row.kind == SampleKind::labelled && row.label == 1
                                 : random.below(4) == 0;
      if (gone) row.x[r] = kNoScore;
    }
    const bool other_value =
        std::any_of(row.x.begin() + 1, row.x.end(), [](Real v) { return !is_missing(v); });
    if (other_value && random.below(4) == 0) row.x[0] = kNoScore;
  }
  return rows;
}

}  // namespace whittle::testing
