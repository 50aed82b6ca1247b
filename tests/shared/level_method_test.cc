// CuttingPlanes by certificates of optimality, LevelMethod on a problem whose minimum is known.
#include "whittle/select/solve/level_method.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

using Vector = std::vector<double>;

struct Cut {
  double constant;
  std::vector<Real> slopes;
};

std::vector<Cut> random_cuts(std::uint64_t seed, std::size_t m, std::size_t count) {
  Random random(seed);
  std::vector<Cut> cuts(count);
  for (Cut& cut : cuts) {
    cut.constant = static_cast<double>(random.uniform());
    for (std::size_t r = 0; r < m; ++r) cut.slopes.push_back(-random.uniform() * random.uniform());
  }
  if (count > 2) cuts[2] = cuts[1];                                               // equal cuts
  for (Cut& cut : cuts) cut.slopes[m - 1] = cut.slopes[0];                        // equal features
  for (Cut& cut : cuts) cut.slopes[m / 2] = m > 4 ? Real(0) : cut.slopes[m / 2];  // one of no use
  return cuts;
}

double value(const Cut& cut, const Vector& p) {
  double sum = cut.constant;
  for (std::size_t r = 0; r < p.size(); ++r) sum += static_cast<double>(cut.slopes[r]) * p[r];
  return sum;
}

class Planes {
 public:
  Planes(const std::vector<Cut>& cuts, std::size_t sum)
      : m_(cuts[0].slopes.size()),
        bytes_(CuttingPlanes::required_bytes(m_, cuts.size()) + 8),
        arena_(bytes_.data(), bytes_.size()) {
    planes_.place(arena_, m_, cuts.size());
    planes_.clear(sum);
    for (const Cut& cut : cuts) planes_.add(static_cast<Real>(cut.constant), cut.slopes.data());
  }
  CuttingPlanes* operator->() { return &planes_; }
  // In P, within rounding.
  Vector point(std::size_t expected_sum) const {
    Vector p;
    double sum = 0;
    for (std::size_t r = 0; r < m_; ++r) {
      p.push_back(static_cast<double>(planes_.point()[r]));
      EXPECT_GE(p[r], 0);
      EXPECT_LE(p[r], 1);
      sum += p[r];
    }
    EXPECT_NEAR(sum, static_cast<double>(expected_sum), 5e-5);
    return p;
  }

 private:
  std::size_t m_;
  std::vector<unsigned char> bytes_;
  Arena arena_;
  CuttingPlanes planes_;
};

constexpr double kAccuracy = sizeof(Real) == 4 ? 2e-5 : 1e-9;

// The value at the point is an upper bound of the minimum, what the multipliers give a lower one:
// returns how far they are apart.
double duality_gap(const std::vector<Cut>& cuts, std::size_t sum) {
  const std::size_t m = cuts[0].slopes.size();
  Planes planes(cuts, sum);
  planes->minimise(static_cast<Real>(kAccuracy / (20 * static_cast<double>(m))));
  const Vector p = planes.point(sum);
  double upper = -1e9;
  double constant = 0;
  double shares = 0;
  std::vector<Real> slopes(m, 0);
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    const Real share = planes->multipliers()[j];
    upper = std::max(upper, value(cuts[j], p));
    EXPECT_GE(share, Real(0));
    shares += static_cast<double>(share);
    constant += static_cast<double>(share) * cuts[j].constant;
    for (std::size_t r = 0; r < m; ++r) slopes[r] += share * cuts[j].slopes[r];
  }
  EXPECT_NEAR(shares, 1, 1e-6);
  return upper - constant - static_cast<double>(planes->least(slopes.data()));
}

TEST(CuttingPlanes, MinimumHasACertificate) {
  std::uint64_t seed = 0;
  for (const std::size_t m : {3U, 5U, 17U}) {
    for (const std::size_t count : {1U, 4U, 12U}) {
      const std::size_t sum = std::clamp<std::size_t>(m / 3, 1, 10);
      EXPECT_NEAR(duality_gap(random_cuts(++seed, m, count), sum), 0, 10 * kAccuracy)
          << "m " << m << ", cuts " << count;
    }
  }
}

// With as many features a start where products of bounds and multipliers are unequal ends at once,
// at a gap of 6: steps become too short.
TEST(CuttingPlanes, MinimumOfHundredsOfFeaturesHasACertificate) {
  for (const std::size_t count : {1U, 24U}) {
    EXPECT_NEAR(duality_gap(random_cuts(60, 600, count), 10), 0, sizeof(Real) == 4 ? 0.03 : 1e-6)
        << "cuts " << count;
  }
}

// For multipliers mu, the minimum over P of 1/2 |p - from|^2 + sum mu_j (cut_j - level) is a lower
// bound of the projection's 1/2 |p - from|^2.
double dual_value(const std::vector<Cut>& cuts, const Vector& mu, const Vector& from, double level,
                  double sum) {
  Vector pulled = from;
  double constant = 0;
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    constant += mu[j] * (cuts[j].constant - level);
    for (std::size_t r = 0; r < from.size(); ++r) {
      pulled[r] -= mu[j] * static_cast<double>(cuts[j].slopes[r]);
    }
  }
  double low = -100;
  double high = 100;
  Vector p(from.size());
  for (int halving = 0; halving < 100; ++halving) {
    const double shift = (low + high) / 2;
    double total = 0;
    for (std::size_t r = 0; r < p.size(); ++r) {
      p[r] = std::min(std::max(pulled[r] - shift, 0.0), 1.0);
      total += p[r];
    }
    (total > sum ? low : high) = shift;
  }
  double result = constant;
  for (std::size_t r = 0; r < p.size(); ++r) {
    result += (p[r] - from[r]) * (p[r] - from[r]) / 2 + (from[r] - pulled[r]) * p[r];
  }
  return result;
}

TEST(CuttingPlanes, ProjectionHasACertificate) {
  std::uint64_t seed = 20;
  for (const std::size_t m : {3U, 5U, 17U}) {
    for (const std::size_t count : {1U, 4U, 12U}) {
      const std::size_t sum = std::clamp<std::size_t>(m / 3, 1, 10);
      const std::vector<Cut> cuts = random_cuts(++seed, m, count);
      Planes planes(cuts, sum);
      planes->minimise(Real(1e-6));
      const Vector minimum = planes.point(sum);
      const Vector from(m, static_cast<double>(sum) / static_cast<double>(m));
      double least = -1e9;
      double here = -1e9;
      for (const Cut& cut : cuts) {
        least = std::max(least, value(cut, minimum));
        here = std::max(here, value(cut, from));
      }
      const double level = 0.5 * here + 0.5 * least;
      const std::vector<Real> start(m, static_cast<Real>(sum) / static_cast<Real>(m));
      planes->project(start.data(), static_cast<Real>(level),
                      static_cast<Real>(kAccuracy / (20 * static_cast<double>(m))));
      const Vector p = planes.point(sum);
      double distance = 0;
      for (std::size_t r = 0; r < m; ++r) distance += (p[r] - from[r]) * (p[r] - from[r]) / 2;
      Vector mu;
      for (std::size_t j = 0; j < count; ++j) {
        EXPECT_LE(value(cuts[j], p), level + 10 * kAccuracy);
        mu.push_back(static_cast<double>(planes->multipliers()[j]));
      }
      EXPECT_NEAR(distance, dual_value(cuts, mu, from, level, static_cast<double>(sum)),
                  20 * kAccuracy)
          << "m " << m << ", cuts " << count;
    }
  }
}

TEST(CuttingPlanes, TheLastCutTakesThePlaceOfOneRemoved) {
  const std::vector<Cut> cuts = random_cuts(50, 4, 3);
  Planes planes(cuts, 2);
  planes->remove(0);
  EXPECT_EQ(planes->size(), 2U);
  planes->minimise(static_cast<Real>(kAccuracy / 100));
  const Vector p = planes.point(2);  // of cuts 1 and 2, which are equal: its smallest slopes
  double best = 0;
  std::vector<Real> sorted = cuts[1].slopes;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t r = 0; r < 2; ++r) best += static_cast<double>(sorted[r]);
  EXPECT_NEAR(value(cuts[1], p), cuts[1].constant + best, 10 * kAccuracy);
}

// phi(p, u) = sum u_r - p_r u_r^2 / (4 w_r), so F(p) = sum w_r / p_r at u_r = 2 w_r / p_r. Its
// minimum has p_r = sqrt(w_r) times a constant, 1 at most.
TEST(LevelMethod, ReachesAKnownMinimumWithMoreStepsThanCuts) {
  constexpr std::size_t kFeatures = 12;
  constexpr std::size_t kSum = 4;
  Vector w;
  for (std::size_t r = 0; r < kFeatures; ++r) w.push_back(std::pow(0.5, static_cast<double>(r)));
  double factor = 0;
  for (double low = 0, high = 1e6; high - low > 1e-9;) {
    factor = (low + high) / 2;
    double sum = 0;
    for (const double weight : w) sum += std::min(1.0, factor * std::sqrt(weight));
    (sum < static_cast<double>(kSum) ? low : high) = factor;
  }
  double minimum = 0;
  for (const double weight : w) minimum += weight / std::min(1.0, factor * std::sqrt(weight));

  std::vector<unsigned char> bytes(LevelMethod::required_bytes(kFeatures, kFeatures) + 8);
  Arena arena(bytes.data(), bytes.size());
  LevelMethod method;
  method.place(arena, kFeatures, kFeatures);
  std::vector<Real> slopes(kFeatures, Real(kSum) / Real(kFeatures));
  std::vector<double> u(kFeatures);
  method.begin(kSum, Real(0.9), Real(1e-4), kFeatures, slopes.data());
  const auto cut_of = [&](const double* dual) {
    double constant = 0;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      constant += dual[r];
      slopes[r] = static_cast<Real>(-dual[r] * dual[r] / (4 * w[r]));
    }
    return static_cast<Real>(constant);
  };
  const auto lower_bound = [&] {
    return static_cast<double>(method.upper()) * (1 - static_cast<double>(method.gap()));
  };
  std::size_t steps = 0;
  for (; steps < 200 && !(method.gap() <= Real(1e-4)); ++steps) {
    if (steps > 0) method.next_point();
    double value = 0;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      u[r] = 2 * w[r] / static_cast<double>(method.point()[r]);
      value += u[r] / 2;
    }
    method.lower_upper(static_cast<Real>(value));
    const double before = lower_bound();
    const Real constant = cut_of(u.data());
    method.add_cut(constant, slopes.data(), u.data());
    const double* mixture = method.mix();
    const Real mixed = cut_of(mixture);
    method.raise_lower(mixed, slopes.data());
    EXPECT_GE(lower_bound(), before);
    EXPECT_LE(lower_bound(), minimum * (1 + 1e-5));
    EXPECT_GE(static_cast<double>(method.upper()), minimum * (1 - 1e-5));
  }
  EXPECT_GT(steps, LevelMethod::kCuts);
  EXPECT_LE(method.gap(), Real(1e-4));
  EXPECT_NEAR(static_cast<double>(method.upper()), minimum, 1.1e-4 * minimum);
}

}  // namespace
}  // namespace whittle::testing
