// Moments of two nodes combine to those of the joined stream.
#include <cmath>

#include "tests/shared/e1_reference.h"
#include "tests/shared/moments_fixture.h"

namespace whittle::testing {
namespace {

constexpr double kClose = sizeof(Real) == 4 ? 1e-6 : 1e-12;
constexpr std::size_t kFeatures = 11;
constexpr std::uint32_t kClasses = 2;

struct Arrival {
  std::size_t group;
  std::vector<Real> x;
};

// All groups; a level per feature up to 10^4; gaps in every third sample; feature 2 is constant,
// feature 3 has no value in group 0, feature 4 none in group 3.
std::vector<Arrival> arrivals(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<Arrival> all;
  for (int i = 0; i < count; ++i) {
    Arrival one = {random.below(kClasses + 2), {}};
    const bool gaps = random.below(3) == 0;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      const Real level = static_cast<Real>(r) * Real(1000) + static_cast<Real>(one.group);
      const bool gone = (r > 0 && gaps && random.below(4) == 0) || (r == 3 && one.group == 0) ||
                        (r == 4 && one.group == 3);
      one.x.push_back(gone ? kNoScore : r == 2 ? Real(0.1) : level + random.uniform());
    }
    all.push_back(one);
  }
  return all;
}

void feed(Moments& moments, const std::vector<Arrival>& samples) {
  for (const Arrival& one : samples) ASSERT_TRUE(moments.add(one.group, one.x.data()));
}

std::vector<Weighed> values_of(const std::vector<Arrival>& samples, std::size_t group,
                               std::size_t feature, double half_life = 0) {
  const std::vector<double> weights = weights_by_age(samples.size(), half_life);
  std::vector<Weighed> values;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Real v = samples[i].x[feature];
    if (samples[i].group == group && !is_missing(v)) {
      values.push_back({static_cast<double>(v), weights[i]});
    }
  }
  return values;
}

void expect_union(const Moments& moments, const std::vector<Arrival>& a,
                  const std::vector<Arrival>& b, double half_life, double tolerance) {
  for (std::size_t group = 0; group < kClasses + 2; ++group) {
    for (std::size_t r = 0; r < kFeatures; ++r) {
      std::vector<Weighed> values = values_of(a, group, r, half_life);
      for (const Weighed& v : values_of(b, group, r, half_life)) values.push_back(v);
      const DoubleMoment want = moment_of(values);
      const Moment got = moments.of(group, r);
      if (r == 2) {
        EXPECT_EQ(got.deviations, Real(0));
        EXPECT_NEAR(static_cast<double>(got.count), want.count, tolerance * want.count);
      } else {
        expect_moment(got, want, tolerance);
      }
      if (::testing::Test::HasFailure()) FAIL() << "group " << group << " feature " << r;
    }
  }
}

std::vector<Arrival> joined(std::vector<Arrival> a, const std::vector<Arrival>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Splits that leave blocks full, empty and in between, on both sides.
TEST(MomentsMerge, EqualsTheJoinedStream) {
  const std::vector<Arrival> b = arrivals(2, 700);
  for (const int count : {0, 1, 3, 60, 257, 1100}) {
    const std::vector<Arrival> a = arrivals(1, count);
    MomentsInBuffer here(kFeatures, kClasses), there(kFeatures, kClasses);
    feed(here.moments, a);
    feed(there.moments, b);
    const std::uint64_t before = there.digest();
    ASSERT_TRUE(here.moments.merge(there.moments).ok());
    EXPECT_EQ(there.digest(), before);
    expect_union(here.moments, a, b, 0, kClose);
    MomentsInBuffer stream(kFeatures, kClasses);
    feed(stream.moments, joined(a, b));
    for (std::size_t group = 0; group < kClasses + 2; ++group) {
      EXPECT_EQ(here.moments.count(group), stream.moments.count(group));
      for (std::size_t r = 0; r < kFeatures; ++r) {
        EXPECT_EQ(here.moments.of(group, r).count, stream.moments.of(group, r).count);
      }
    }
  }
}

TEST(MomentsMerge, TheStreamGoesOnAfterwards) {
  for (const int count : {0, 1, 90}) {
    const std::vector<Arrival> a = arrivals(3, count), b = arrivals(4, 400), c = arrivals(5, 600);
    MomentsInBuffer here(kFeatures, kClasses), there(kFeatures, kClasses);
    feed(here.moments, a);
    feed(there.moments, b);
    ASSERT_TRUE(here.moments.merge(there.moments).ok());
    feed(here.moments, c);
    expect_union(here.moments, joined(a, c), b, 0, 5 * kClose);
  }
}

TEST(MomentsMerge, OrderDoesNotMatter) {
  std::vector<std::vector<Arrival>> parts = {arrivals(6, 30), arrivals(7, 500), arrivals(8, 200)};
  MomentsInBuffer left(kFeatures, kClasses), right(kFeatures, kClasses);
  MomentsInBuffer one(kFeatures, kClasses), two(kFeatures, kClasses);
  feed(left.moments, parts[0]);
  feed(one.moments, parts[1]);
  feed(right.moments, parts[2]);
  feed(two.moments, parts[2]);
  ASSERT_TRUE(left.moments.merge(one.moments).ok());
  ASSERT_TRUE(left.moments.merge(two.moments).ok());
  ASSERT_TRUE(right.moments.merge(one.moments).ok());
  MomentsInBuffer zero(kFeatures, kClasses);
  feed(zero.moments, parts[0]);
  ASSERT_TRUE(right.moments.merge(zero.moments).ok());
  expect_union(left.moments, joined(parts[0], parts[1]), parts[2], 0, kClose);
  expect_union(right.moments, joined(parts[0], parts[1]), parts[2], 0, kClose);
}

// The merged means are pivots like any other: the block does not start anew.
TEST(MomentsMerge, EmptyNodeTakesOverAPast) {
  MomentsInBuffer here(1, 0), there(1, 0);
  Random random(13);
  std::vector<Weighed> values;
  for (int i = 0; i < 600; ++i) {
    const Real x = Real(50) + random.uniform() + (i < 300 ? Real(0) : Real(3));
    values.push_back({static_cast<double>(x), 1});
    ASSERT_TRUE((i < 300 ? there : here).moments.add(0, &x));
    if (i == 299) {
      ASSERT_TRUE(here.moments.merge(there.moments).ok());
    }
    if (i > 299) expect_moment(here.moments.of(0, 0), moment_of(values), 3 * kClose);
  }
}

// With an empty node nothing changes to the bit, either way.
TEST(MomentsMerge, EmptyNodeAddsNothing) {
  for (const Real half_life : {Real(0), Real(20)}) {
    MomentsInBuffer here(kFeatures, kClasses, half_life), empty(kFeatures, kClasses, half_life);
    feed(here.moments, arrivals(9, 300));
    for (std::size_t group = 0; group < kClasses + 2; ++group) {
      const Moment before = here.moments.of(group, 1);
      ASSERT_TRUE(here.moments.merge(empty.moments).ok());
      const Moment after = here.moments.of(group, 1);
      EXPECT_EQ(after.count, before.count);
      EXPECT_EQ(after.mean + after.mean_rest, before.mean + before.mean_rest);
      EXPECT_EQ(after.deviations, before.deviations);
    }
  }
}

// Both as of now: each sample keeps the age that it has on its own node, whatever the phase of the
// clocks.
TEST(MomentsMerge, HalfLifeKeepsAges) {
  for (const double half_life : {3.0, 40.25, 5000.0}) {
    for (const int count : {0, 1, 55, 100}) {
      const std::vector<Arrival> a = arrivals(10, count), b = arrivals(11, 83);
      MomentsInBuffer here(kFeatures, kClasses, static_cast<Real>(half_life));
      MomentsInBuffer there(kFeatures, kClasses, static_cast<Real>(half_life));
      feed(here.moments, a);
      feed(there.moments, b);
      ASSERT_TRUE(here.moments.merge(there.moments).ok());
      const double tolerance = sizeof(Real) == 4 ? 5e-6 : 1e-9;
      expect_union(here.moments, a, b, half_life, tolerance);
      // And the joined past ages on.
      const std::vector<Arrival> c = arrivals(12, 20);
      feed(here.moments, c);
      std::vector<Arrival> later = b;
      const std::vector<Real> nothing(kFeatures, kNoScore);
      for (int i = 0; i < 20; ++i) later.push_back({0, nothing});
      expect_union(here.moments, joined(a, c), later, half_life, tolerance);
    }
  }
}

// Doubled by itself again and again: counts far past 2^24 stay exact, and samples still count.
TEST(MomentsMerge, CountsPastTheDigitsOfAReal) {
  MomentsInBuffer held(3, 0);
  Random random(12);
  std::vector<Weighed> values;
  for (int i = 0; i < 77; ++i) {
    const Real x[] = {Real(1e4) + random.uniform(), i == 5 ? kNoScore : Real(1), Real(0.3)};
    values.push_back({static_cast<double>(x[0]), 1});
    ASSERT_TRUE(held.moments.add(0, x));
  }
  std::uint64_t count = 77, present = 76;
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(held.moments.merge(held.moments).ok());
    count *= 2;
    present *= 2;
    // One more, at a value of its own, which is lost unless small steps count.
    const Real x[] = {Real(10010), Real(1), kNoScore};
    ASSERT_TRUE(held.moments.add(0, x));
    ++count;
    ++present;
    for (Weighed& v : values) v.weight *= 2;
    values.push_back({10010, 1});
    ASSERT_EQ(held.moments.count(0), count);
    const double exact = static_cast<double>(present);
    EXPECT_NEAR(static_cast<double>(held.moments.of(0, 1).count), exact, exact * 1.3e-7);
  }
  expect_moment(held.moments.of(0, 0), moment_of(values), 1e-5);
  EXPECT_EQ(held.moments.of(0, 1).deviations, Real(0));
  EXPECT_EQ(held.moments.of(0, 2).deviations, Real(0));
  EXPECT_EQ(held.moments.of(0, 2).mean, Real(0.3));
}

// Each merge adds a count that a Real cannot hold; a thousand of them make a difference that it
// can.
TEST(MomentsMerge, NoSampleIsLostInCounting) {
  MomentsInBuffer here(2, 0), there(2, 0);
  const Real x[] = {1, kNoScore};
  ASSERT_TRUE(there.moments.add(0, x));
  for (int i = 0; i < 24; ++i) ASSERT_TRUE(there.moments.merge(there.moments).ok());
  ASSERT_TRUE(there.moments.add(0, x));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(here.moments.merge(there.moments).ok());
  const std::uint64_t count = std::uint64_t{1000} * ((1U << 24) + 1);
  EXPECT_EQ(here.moments.count(0), count);
  EXPECT_EQ(here.moments.of(0, 0).count, real_count(count));
  EXPECT_EQ(here.moments.of(0, 1).count, Real(0));
}

// Past 2^24 samples, 100000 more of another level move the mean by what they weigh.
TEST(MomentsMerge, LongStreamGoesOnCounting) {
  MomentsInBuffer held(2, 0);
  const Real low[] = {100, 7}, high[] = {101, kNoScore};
  ASSERT_TRUE(held.moments.add(0, low));
  for (int i = 0; i < 26; ++i) ASSERT_TRUE(held.moments.merge(held.moments).ok());
  const double before = 67108864;
  double added = 0;
  for (int i = 0; i < 100000; ++i, ++added) ASSERT_TRUE(held.moments.add(0, high));
  const Moment all = held.moments.of(0, 0);
  const double mean = 100 + added / (before + added);
  EXPECT_NEAR(static_cast<double>(all.mean) + static_cast<double>(all.mean_rest), mean,
              1e-5 * (mean - 100));
  const double deviations = before * added / (before + added);
  EXPECT_NEAR(static_cast<double>(all.deviations), deviations, 1e-5 * deviations);
  EXPECT_EQ(static_cast<double>(held.moments.of(0, 1).count), before);
  EXPECT_EQ(held.moments.count(0), 67108864U + 100000U);
}

TEST(MomentsMerge, MismatchChangesNothing) {
  MomentsInBuffer held(3, 2, 10);
  const Real x[] = {1, 2, 3};
  ASSERT_TRUE(held.moments.add(0, x));
  ASSERT_TRUE(held.moments.add(1, x));
  const std::uint64_t before = held.digest();
  MomentsInBuffer wide(4, 2, 10), classes(3, 1, 10), slower(3, 2, 11), keeps(3, 2);
  for (MomentsInBuffer* other : {&wide, &classes, &slower, &keeps}) {
    const Real y[] = {4, 5, 6, 7};
    ASSERT_TRUE(other->moments.add(0, y));
    EXPECT_EQ(held.moments.merge(other->moments).code(), StatusCode::invalid_argument);
    EXPECT_EQ(held.digest(), before);
  }
}

}  // namespace
}  // namespace whittle::testing
