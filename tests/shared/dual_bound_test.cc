// DualBound against primal less dual value, both computed from their definitions in double
// precision; and where only a sum of small terms tells the gap.
#include "whittle/select/solve/dual_bound.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/shared/ranker_fixture.h"

namespace whittle::testing {
namespace {

struct LossPoint {
  Vector x;
  Role role;
  Place place;
  double multiplier;
};

struct BoundCase {
  std::vector<LossPoint> points;
  Vector w;
  double b;
  HingePenalty penalty;
  bool free_bias;
};

// Values on a grid that both precisions hold.
double grid(Random& random, int size) {
  return (static_cast<double>(random.below(2001)) - 1000) / 1024 * size;
}

// Margins are of order 1, so that points are on all sides of their kinks; with some weights 0.
BoundCase random_case(std::uint64_t seed, bool free_bias, double l1, double l2) {
  Random random(seed);
  BoundCase one;
  one.free_bias = free_bias;
  one.penalty = {Real(1), Real(0.5), static_cast<Real>(l1), static_cast<Real>(l2), Real(1e-3)};
  for (int r = 0; r < 5; ++r) one.w.push_back(random.below(3) == 0 ? 0 : grid(random, 1));
  one.b = grid(random, 1);
  for (int i = 0; i < 30; ++i) {
    LossPoint point;
    for (int r = 0; r < 5; ++r) point.x.push_back(grid(random, 2));
    point.role = static_cast<Role>(random.below(free_bias ? 2 : 5));
    point.place = random.below(3) == 0 ? Place::at_plus : Place::unset;
    if (random.below(6) == 0) point.place = Place::at_minus;
    point.multiplier = grid(random, 1);
    one.points.push_back(point);
  }
  return one;
}

double margin(const BoundCase& one, const Vector& x) {
  double g = one.b;
  for (std::size_t r = 0; r < x.size(); ++r) g += one.w[r] * x[r];
  return g;
}

// From its slopes in units of its weight, and its value at g = 0.
double loss(const LossPoint& point, const HingePenalty& penalty, double g) {
  const double weight = static_cast<double>(loss_weight(penalty, point.role));
  const auto slope = [&](int r) {
    return weight * static_cast<double>(kLossSlopes[int(point.role)][r]);
  };
  double value = weight * (is_labelled(point.role) ? 1 : 2) + slope(1) * std::clamp(g, -1.0, 1.0);
  if (g < -1) value += slope(0) * (g + 1);
  if (g > 1) value += slope(2) * (g - 1);
  return value;
}

double primal(const BoundCase& one) {
  double sum = 0;
  for (const double w : one.w) {
    sum += static_cast<double>(one.penalty.l1) * std::fabs(w) +
           static_cast<double>(one.penalty.l2) / 2 * w * w;
  }
  for (const LossPoint& point : one.points) {
    sum += loss(point, one.penalty, margin(one, point.x));
  }
  return sum;
}

// The slope that the point has: at a kink that its loss has its multiplier, else that at g.
double slope_of(const BoundCase& one, const LossPoint& point) {
  const double weight = static_cast<double>(loss_weight(one.penalty, point.role));
  const Real* slopes = kLossSlopes[int(point.role)];
  const int kink = point.place == Place::at_plus ? 1 : 0;
  if (at_kink(point.place) && slopes[kink] < slopes[kink + 1]) {
    return std::clamp(point.multiplier, weight * static_cast<double>(slopes[kink]),
                      weight * static_cast<double>(slopes[kink + 1]));
  }
  const double g = margin(one, point.x);
  return weight * static_cast<double>(slopes[g < -1 ? 0 : g > 1 ? 2 : 1]);
}

// Slopes that sum to 0 if they must.
Vector slopes_of(const BoundCase& one) {
  Vector slopes;
  double sums[2] = {0, 0};
  for (const LossPoint& point : one.points) {
    slopes.push_back(slope_of(one, point));
    sums[point.role == Role::negative ? 1 : 0] += std::fabs(slopes.back());
  }
  for (std::size_t i = 0; one.free_bias && i < slopes.size(); ++i) {
    const double own = sums[one.points[i].role == Role::negative ? 1 : 0];
    if (own > 0) slopes[i] *= std::min(sums[0], sums[1]) / own;
  }
  return slopes;
}

Vector pull_of(const BoundCase& one, const Vector& slopes) {
  Vector pull(one.w.size(), 0.0);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    for (std::size_t r = 0; r < pull.size(); ++r) pull[r] += slopes[i] * one.points[i].x[r];
  }
  return pull;
}

// The dual value of a part of the slopes; -infinity where there is none.
double dual(const BoundCase& one, const Vector& slopes, double part) {
  const double l1 = static_cast<double>(one.penalty.l1);
  const double l2 = static_cast<double>(one.penalty.l2);
  double value = 0;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double a = part * slopes[i];
    const LossPoint& point = one.points[i];
    value += a * (one.free_bias ? 0 : one.b);
    value -= std::max(a - loss(point, one.penalty, 1), -a - loss(point, one.penalty, -1));
  }
  for (const double pull : pull_of(one, slopes)) {
    const double beyond = std::max(0.0, std::fabs(part * pull) - l1 * (1 + 1e-12));
    if (beyond > 0) value -= l2 > 0 ? beyond * beyond / (2 * l2) : HUGE_VAL;
  }
  return value;
}

double gap_of(const BoundCase& one) {
  std::vector<Real> first(one.w.size()), second(one.w.size()), origin(one.w.size()), w;
  for (const double value : one.w) w.push_back(static_cast<Real>(value));
  DualBound bound(one.penalty, one.free_bias, {origin.data(), origin.size()}, first.data(),
                  second.data());
  for (const LossPoint& point : one.points) {
    std::vector<Real> x;
    for (const double value : point.x) x.push_back(static_cast<Real>(value));
    bound.add(point.role, point.place, static_cast<Real>(point.multiplier),
              static_cast<Real>(margin(one, point.x)), x.data());
  }
  return static_cast<double>(bound.gap(w.data()));
}

TEST(DualBound, IsPrimalLessTheBestDualValue) {
  const double penalties[][2] = {{0.5, 1}, {0, 2}, {4, 0}, {0.25, 0}, {30, 1}};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const double* penalty = penalties[seed % 5];
    const BoundCase one = random_case(seed, seed % 2 == 0, penalty[0], penalty[1]);
    const Vector slopes = slopes_of(one);
    double largest = 0;
    for (const double pull : pull_of(one, slopes)) largest = std::max(largest, std::fabs(pull));
    const double l1 = static_cast<double>(one.penalty.l1);
    const double within = largest > l1 ? l1 / largest : 1;
    const double value = primal(one);
    const double ends = value - std::max(dual(one, slopes, 0), dual(one, slopes, 1));
    const double best = std::min(ends, value - dual(one, slopes, within));
    SCOPED_TRACE(seed);
    const double gap = gap_of(one);
    // A loss with two kinks is only bounded between the ends.
    EXPECT_GE(gap, best - kTolerance * value);
    EXPECT_LE(gap, (one.free_bias ? best : ends) + kTolerance * value);
  }
}

// One point of each class, often: 1000 losses of 0.5 each and w = 0.5, which is the minimum. The
// objective is of the size of 1000, a slope wrong by a millionth costs a millionth of that.
TEST(DualBound, IsNotLostInTheRoundingOfTheObjective) {
  BoundCase one;
  one.free_bias = true;
  one.penalty = {Real(1), Real(0), Real(999), Real(2), Real(1e-3)};
  one.w = {0.5};
  one.b = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool positive = i % 2 == 0;
    one.points.push_back(
        {{positive ? 1.0 : -1.0}, positive ? Role::positive : Role::negative, Place::unset, 0});
  }
  EXPECT_EQ(gap_of(one), 0);
  one.w[0] = 0.5 + 1.0 / 4096;
  EXPECT_NEAR(gap_of(one), 1.0 / 4096 / 4096, 1e-12);  // l2 / 2 times the square
}

}  // namespace
}  // namespace whittle::testing
