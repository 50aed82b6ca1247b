#include "whittle/base/math.h"

#include <gtest/gtest.h>

#include <cmath>

#include "whittle/base/random.h"

namespace whittle {
namespace {

constexpr double kUlp = static_cast<double>(std::numeric_limits<Real>::epsilon());

TEST(Math, ExpIsWithinTwoUnitsInTheLastPlace) {
  for (int i = -8600; i <= 8800; ++i) {
    const Real x = static_cast<Real>(i) / Real(100) + static_cast<Real>(i % 7) * Real(1e-3);
    const double expected = std::exp(static_cast<double>(x));
    EXPECT_NEAR(static_cast<double>(exp(x)), expected, 2 * kUlp * expected) << i;
  }
}

TEST(Math, ExpAtTheEnds) {
  EXPECT_EQ(exp(Real(0)), Real(1));
  EXPECT_EQ(exp(-kInfinity), Real(0));
  EXPECT_EQ(exp(kInfinity), kInfinity);
  EXPECT_EQ(exp(Real(-1e30)), Real(0));
  EXPECT_EQ(exp(Real(1e30)), kInfinity);
  EXPECT_FALSE(has_score(exp(kNoScore)));
  // Results too small for a normal number fade out instead of jumping to 0.
  const Real least = std::numeric_limits<Real>::min();
  const Real tiny = exp(static_cast<Real>(std::log(static_cast<double>(least))) - Real(2));
  EXPECT_GT(tiny, Real(0));
  EXPECT_LT(tiny, least);
}

TEST(Math, LogIsWithinTwoUnitsInTheLastPlace) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const Real x = (random.uniform() + Real(1e-6)) * exp(random.uniform() * Real(120) - Real(60));
    const double expected = std::log(static_cast<double>(x));
    EXPECT_NEAR(static_cast<double>(log(x)), expected, 2 * kUlp * std::fabs(expected)) << x;
  }
  // Near 1, where the result is small.
  for (int i = -50; i <= 50; ++i) {
    const Real x = Real(1) + static_cast<Real>(i) * Real(1e-3);
    const double expected = std::log(static_cast<double>(x));
    EXPECT_NEAR(static_cast<double>(log(x)), expected, 2 * kUlp * std::fabs(expected)) << x;
  }
}

TEST(Math, LogAtTheEnds) {
  EXPECT_EQ(log(Real(1)), Real(0));
  EXPECT_EQ(log(Real(0)), -kInfinity);
  EXPECT_EQ(log(kInfinity), kInfinity);
  EXPECT_FALSE(has_score(log(Real(-1))));
  EXPECT_FALSE(has_score(log(kNoScore)));
  const Real subnormal = std::numeric_limits<Real>::denorm_min() * Real(64);
  EXPECT_NEAR(static_cast<double>(log(subnormal)), std::log(static_cast<double>(subnormal)), 1e-4);
}

TEST(Math, Pow) {
  EXPECT_EQ(pow(Real(3), Real(0)), Real(1));
  EXPECT_EQ(pow(Real(0), Real(2)), Real(0));
  EXPECT_EQ(pow(Real(0), Real(-2)), kInfinity);
  for (const double p : {-1.1, -0.1, 0.5, 0.909, 2.0}) {
    for (const double x : {1e-12, 0.3, 1.0, 7.0, 1e9}) {
      const double expected = std::pow(static_cast<double>(Real(x)), static_cast<double>(Real(p)));
      EXPECT_NEAR(static_cast<double>(pow(Real(x), Real(p))), expected, 40 * kUlp * expected);
    }
  }
}

}  // namespace
}  // namespace whittle
