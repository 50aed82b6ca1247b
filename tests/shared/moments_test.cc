#include "whittle/memory/moments.h"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/shared/moments_fixture.h"
#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

// Long streams at a large offset: where a running float mean has stalled and a sum of squares has
// lost everything.
TEST(Moments, LongStreamAtALargeOffsetLosesNothing) {
  constexpr std::size_t kFeatures = 3;
  MomentsInBuffer held(kFeatures, 1);
  Random random(3);
  double mean[kFeatures] = {};
  double squares[kFeatures] = {};
  const Real offsets[kFeatures] = {0, 10000, Real(-1e6)};
  const double count = 200000;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    Real x[kFeatures];
    for (std::size_t r = 0; r < kFeatures; ++r) {
      x[r] = offsets[r] + (random.uniform() - Real(0.5)) * (r == 2 ? Real(64) : Real(1));
      const double before = static_cast<double>(x[r]) - mean[r];
      mean[r] += before / (i + 1);
      squares[r] += before * (static_cast<double>(x[r]) - mean[r]);
    }
    ASSERT_TRUE(held.moments.add(0, x));
  }
  for (std::size_t r = 0; r < kFeatures; ++r) {
    const Moment moment = held.moments.of(0, r);
    EXPECT_EQ(static_cast<double>(moment.count), count);
    const double got = static_cast<double>(moment.mean) + static_cast<double>(moment.mean_rest);
    EXPECT_NEAR(got, mean[r], 1e-5 * std::sqrt(squares[r] / count)) << r;
    EXPECT_NEAR(static_cast<double>(moment.deviations), squares[r], 1e-5 * squares[r]) << r;
  }
}

TEST(Moments, ConstantFeatureHasNoDeviationAtAll) {
  MomentsInBuffer held(1, 1);
  const Real x[] = {Real(0.1)};
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(held.moments.add(0, x));
    ASSERT_EQ(held.moments.of(0, 0).deviations, Real(0)) << i;
    ASSERT_EQ(held.moments.of(0, 0).mean, x[0]) << i;
  }
}

TEST(Moments, OutlierFirstDoesNotSpoilWhatFollows) {
  MomentsInBuffer held(1, 1);
  double sum = 0, squares = 0;
  std::vector<double> values;
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const Real x[] = {i == 0 ? Real(3000) : random.uniform()};
    ASSERT_TRUE(held.moments.add(0, x));
    values.push_back(static_cast<double>(x[0]));
    sum += values.back();
    squares = 0;
    for (const double v : values) squares += (v - sum / (i + 1)) * (v - sum / (i + 1));
    if (i > 0) {
      ASSERT_NEAR(static_cast<double>(held.moments.of(0, 0).deviations), squares, 1e-5 * squares);
    }
  }
}

TEST(Moments, GroupsAreSeparateAndUnionsExact) {
  MomentsInBuffer held(1, 2);
  const std::vector<std::vector<Real>> groups = {{1, 2, 4}, {10, 12}, {100}, {7, 7.5}};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Real v : groups[g]) ASSERT_TRUE(held.moments.add(g, &v));
  }
  EXPECT_EQ(held.moments.count(0), 3U);
  EXPECT_EQ(held.moments.count(held.moments.unlabelled()), 1U);
  EXPECT_EQ(held.moments.count(held.moments.universum()), 2U);
  const Moment labelled = held.moments.of_labelled(0);  // 1 2 4 10 12
  EXPECT_EQ(labelled.count, Real(5));
  EXPECT_NEAR(static_cast<double>(labelled.mean + labelled.mean_rest), 5.8, 1e-6);
  EXPECT_NEAR(static_cast<double>(labelled.deviations), 96.8, 1e-4);
  const Moment ordinary = held.moments.of_ordinary(0);  // and 100
  EXPECT_EQ(ordinary.count, Real(6));
  EXPECT_NEAR(static_cast<double>(ordinary.deviations), 7491.5, 1e-2);
}

TEST(Moments, InfiniteValueChangesNothing) {
  MomentsInBuffer held(11, 1);
  Random random(1);
  std::vector<Real> x(11);
  for (int i = 0; i < 300; ++i) {
    for (Real& v : x) v = random.uniform();
    ASSERT_TRUE(held.moments.add(0, x.data()));
    Digest before;
    held.moments.digest(before);
    for (const Real bad : {kInfinity, -kInfinity}) {
      std::vector<Real> wrong = x;
      wrong[static_cast<std::size_t>(i) % 11] = bad;
      EXPECT_FALSE(held.moments.add(0, wrong.data()));
      EXPECT_FALSE(held.moments.add(1, wrong.data()));  // as a first sample, too
    }
    Digest after;
    held.moments.digest(after);
    ASSERT_EQ(before.value(), after.value());
  }
  EXPECT_EQ(held.moments.count(1), 0U);
}

TEST(Moments, SquaresThatOverflowAreNotTakenForBadValues) {
  MomentsInBuffer held(2, 1);
  const Real huge = std::numeric_limits<Real>::max() / 4;
  for (const Real sign : {Real(1), Real(-1), Real(1)}) {
    const Real x[] = {sign * huge, sign};
    EXPECT_TRUE(held.moments.add(0, x));
  }
  EXPECT_EQ(held.moments.count(0), 3U);
  EXPECT_NEAR(static_cast<double>(held.moments.of(0, 1).deviations), 8.0 / 3, 1e-5);
}

}  // namespace
}  // namespace whittle::testing
