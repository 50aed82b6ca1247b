#include "whittle/rank/drift.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/shared/drift_reference.h"
#include "tests/shared/test_streams.h"
#include "whittle/base/math.h"
#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

class DriftInBuffer {
 public:
  explicit DriftInBuffer(const DriftConfig& config)
      : bytes_(DriftDetector::required_bytes(config) + 8) {
    EXPECT_TRUE(check_drift(config).ok());
    Arena arena(bytes_.data(), bytes_.size());
    detector.place(arena, config);
    EXPECT_EQ(arena.used(), DriftDetector::required_bytes(config));
  }
  bool observe(const std::vector<Real>& x) {
    return detector.observe(Span<const Real>(x.data(), x.size()));
  }

  DriftDetector detector;

 private:
  std::vector<unsigned char> bytes_;
};

Real normal(Random& random) {
  Real sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

constexpr Real kMissing = std::numeric_limits<Real>::quiet_NaN();

// Samples until the alarm after one feature of four changes; 0: none within 2000.
int delay(Real shift, Real factor, DriftAlarm* alarm) {
  DriftInBuffer drift({4, 64, 1'000'000});
  Random random(11);
  for (int i = 0; i < 2600; ++i) {
    std::vector<Real> x;
    for (int r = 0; r < 4; ++r) x.push_back(normal(random));
    if (i >= 600) x[2] = shift + factor * x[2];
    if (!drift.observe(x)) continue;
    EXPECT_GE(i, 600) << "a false alarm";
    *alarm = drift.detector.alarm();
    return i - 599;
  }
  return 0;
}

TEST(DriftDetector, SeesAShift) {
  DriftAlarm alarm;
  const int up = delay(Real(1), Real(1), &alarm);
  EXPECT_GT(up, 0);
  EXPECT_LE(up, 128);
  EXPECT_EQ(alarm.feature, 2U);
  EXPECT_EQ(alarm.kind, DriftKind::location);
  EXPECT_TRUE(alarm.up);
  EXPECT_GT(delay(Real(-1), Real(1), &alarm), 0);
  EXPECT_FALSE(alarm.up);
}

TEST(DriftDetector, SeesASpread) {
  DriftAlarm alarm;
  const int wider = delay(Real(0), Real(3), &alarm);
  EXPECT_GT(wider, 0);
  EXPECT_LE(wider, 192);
  EXPECT_EQ(alarm.feature, 2U);
  EXPECT_EQ(alarm.kind, DriftKind::spread);
  EXPECT_TRUE(alarm.up);
  EXPECT_GT(delay(Real(0), Real(0.3), &alarm), 0);
  EXPECT_FALSE(alarm.up);
}

// How many alarms so many samples raise, sample i being next(i).
template <typename Next>
int alarms_in(DriftInBuffer& drift, int samples, Next next) {
  int alarms = 0;
  for (int i = 0; i < samples; ++i) alarms += drift.observe(next(i)) ? 1 : 0;
  return alarms;
}

// With a rate that can be counted: one alarm in 2000 samples.
void expect_rate(Real (*draw)(Random&), const char* what) {
  DriftInBuffer drift({2, 32, 2000});
  Random random(5);
  const auto next = [&](int) { return std::vector<Real>{draw(random), draw(random)}; };
  constexpr int kSamples = 60000 / static_cast<int>(every(3));
  EXPECT_LE(alarms_in(drift, kSamples, next), kSamples / 2000) << what;
}

TEST(DriftDetector, KeepsItsRateWhateverTheDistribution) {
  expect_rate([](Random& random) { return random.uniform(); }, "uniform");
  expect_rate([](Random& random) { return -whittle::log(Real(1) - random.uniform()); },
              "exponential");
  expect_rate([](Random& random) { return random.below(20) == 0 ? Real(1) : Real(0); },
              "a rare event");
}

TEST(DriftDetector, AConstantFeatureIsNoAlarmUntilItMoves) {
  DriftInBuffer drift({1, 64, 1'000'000});
  for (int i = 0; i < 5000; ++i) ASSERT_FALSE(drift.observe({Real(3)})) << i;
  int taken = 0;
  while (taken < 200 && !drift.observe({Real(4)})) ++taken;
  EXPECT_LT(taken, 128);
}

// A slow sensor: each value is nearly the last.
TEST(DriftDetector, CountsABlockOfDependentValuesForLess) {
  DriftInBuffer drift({1, 64, 100'000});
  Random random(12);
  Real x = 0;
  const auto next = [&](int) {
    x = Real(0.8) * x + Real(0.6) * normal(random);
    return std::vector<Real>{x};
  };
  EXPECT_LE(alarms_in(drift, 20000, next), 1);
}

// Noise on a wave `period` samples long; Pi is near enough.
Real wave(int i, int period, Random& random) {
  const double phase = 6.2832 * (i % period) / period;
  return normal(random) + static_cast<Real>(1.5 * std::sin(phase));
}

// What comes back again and again is no news: a few alarms, then none.
TEST(DriftDetector, GrowsQuietWhereThereAreCycles) {
  DriftInBuffer drift({2, 64, 10'000});
  Random random(3);
  const auto next = [&](int i) {
    return std::vector<Real>{wave(i, 300, random), wave(i + 100, 300, random)};
  };
  EXPECT_LE(alarms_in(drift, 30000, next), 3);
  EXPECT_GT(drift.detector.dispersion(0, DriftKind::location), Real(5));
}

TEST(DriftDetector, DispersionIsAboutOneForIndependentValues) {
  DriftInBuffer drift({2, 64, 1'000'000});
  Random random(8);
  double sum = 0;
  int counted = 0;
  for (int i = 0; i < 40000; ++i) {
    EXPECT_FALSE(drift.observe({random.uniform(), random.below(3) == 0 ? Real(1) : Real(0)}));
    if (i < 8000 || i % 640 != 0) continue;
    for (const std::size_t r : {0U, 1U}) {
      sum += static_cast<double>(drift.detector.dispersion(r, DriftKind::location));
      ++counted;
    }
  }
  EXPECT_NEAR(sum / counted, 1, 0.15);
}

// One feature with cycles, and a change in another one: still seen, and so is the next.
TEST(DriftDetector, NeitherCyclesElsewhereNorAChangeBeforeHideAChange) {
  DriftInBuffer drift({6, 64, 100'000});
  Random random(9);
  int seen = 0;
  int others = 0;
  for (int i = 0; i < 24000; ++i) {
    std::vector<Real> x = {wave(i, 300, random)};
    for (int r = 1; r < 6; ++r) x.push_back(normal(random));
    const int regime = i / 6000;
    if (regime % 2 == 1) x[2] += Real(1.5);
    if (!drift.observe(x)) continue;
    const bool of_change = regime > 0 && i % 6000 < 192 && drift.detector.alarm().feature == 2;
    ++(of_change ? seen : others);
  }
  EXPECT_EQ(seen, 3);
  EXPECT_LE(others, 3);
}

// Every alarm and every dispersion, by brute force in double: shifts, cycles, ties, gaps.
TEST(DriftDetector, IsWhatItsDefinitionSays) {
  const DriftConfig config = {4, 32, 20'000};
  DriftInBuffer drift(config);
  DriftReference reference(config);
  Random random(17);
  int alarms = 0;
  Real slow = 0;
  constexpr int kRows = 12000 / static_cast<int>(every(4));
  for (int i = 0; i < kRows; ++i) {
    slow = Real(0.7) * slow + normal(random);
    std::vector<Real> x = {normal(random) + Real(2 * (i / 2000 % 2)), wave(i, 400, random), slow,
                           static_cast<Real>(random.below(4))};
    if (i > 5000) x[3] = random.below(8) == 0 ? Real(5) : Real(2);
    if (random.below(10) == 0) x[0] = kMissing;
    const bool alarm = drift.observe(x);
    ASSERT_EQ(alarm, reference.observe(x)) << i;
    alarms += alarm ? 1 : 0;
    if (i % 500 != 0) continue;
    for (const DriftKind kind : {DriftKind::location, DriftKind::spread}) {
      for (std::size_t r = 0; r < 4; ++r) {
        const double expected = reference.dispersion(r, kind);
        ASSERT_NEAR(static_cast<double>(drift.detector.dispersion(r, kind)), expected,
                    1e-3 * expected)
            << i << ' ' << r;
      }
    }
  }
  EXPECT_GE(alarms, kRows / 3000);
}

TEST(DriftDetector, SkipsWhatIsMissing) {
  const DriftConfig config = {2, 32, 1'000'000};
  DriftInBuffer all(config);
  DriftInBuffer some(config);
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    const Real a = normal(random) + (i > 2000 ? Real(3) : Real(0));
    const Real b = normal(random);
    const bool alarm = all.observe({a, b});
    EXPECT_FALSE(some.observe({kMissing, kInfinity}));
    ASSERT_EQ(some.observe({a, b}), alarm) << i;
  }
}

TEST(DriftDetector, StartsAnewAfterAnAlarm) {
  DriftInBuffer drift({1, 32, 1'000'000});
  Random random(6);
  const auto next = [&](int i) {
    return std::vector<Real>{normal(random) + (i > 1000 ? Real(5) : Real(0))};
  };
  EXPECT_EQ(alarms_in(drift, 4000, next), 1);
}

TEST(DriftDetector, RefusesWhatMakesNoSense) {
  EXPECT_EQ(check_drift({1, 15, 1000}).code(), StatusCode::out_of_range);
  EXPECT_EQ(check_drift({1, 256, 1000}).code(), StatusCode::out_of_range);
  EXPECT_EQ(check_drift({1, 64, 0}).code(), StatusCode::out_of_range);
  EXPECT_EQ(check_drift({1, 64, kMissing}).code(), StatusCode::out_of_range);
  EXPECT_TRUE(check_drift({1, 0, 0}).ok());
  EXPECT_EQ(DriftDetector::required_bytes({8, 0, 0}), 0U);
}

}  // namespace
}  // namespace whittle::testing
