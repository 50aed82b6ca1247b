#include "whittle/rank/drift.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

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

// With a rate that can be counted: 60,000 samples may raise 30 alarms.
void expect_rate(Real (*draw)(Random&), const char* what) {
  DriftInBuffer drift({2, 32, 2000});
  Random random(5);
  int alarms = 0;
  for (int i = 0; i < 60000; ++i) {
    alarms += drift.observe({draw(random), draw(random)}) ? 1 : 0;
  }
  EXPECT_LE(alarms, 30) << what;
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
  int alarms = 0;
  for (int i = 0; i < 20000; ++i) {
    x = Real(0.8) * x + Real(0.6) * normal(random);
    alarms += drift.observe({x}) ? 1 : 0;
  }
  EXPECT_LE(alarms, 1);
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
  int alarms = 0;
  for (int i = 0; i < 4000; ++i) {
    alarms += drift.observe({normal(random) + (i > 1000 ? Real(5) : Real(0))}) ? 1 : 0;
  }
  EXPECT_EQ(alarms, 1);
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
