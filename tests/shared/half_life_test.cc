// Forgetting: a sample weighs 0.5^(age / half-life), in every group by the same clock.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/shared/e1_reference.h"
#include "tests/shared/moments_fixture.h"
#include "whittle/select/fisher.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

// A half-life is rounded to 2^-20 samples, weights to a Real.
constexpr double kClose = sizeof(Real) == 4 ? 1e-5 : 1e-9;

TEST(HalfLife, ScoresEqualTheWeightedFormulasAfterEveryPrefix) {
  std::vector<StreamShape> shapes(4);
  shapes[0] = {41, 50, 5, 2, Real(0.5), Real(0.15), Real(0.1), true, 0};
  shapes[1] = {42, 40, 9, 3, Real(0.7), Real(0.1), Real(0.1), true, 8192};
  shapes[2] = {43, 30, 3, 0, Real(0), Real(0.4), Real(0.1), false, 0};   // no label
  shapes[3] = {44, 30, 1, 2, Real(1), Real(0), Real(0.2), false, 1024};  // all labelled
  for (const StreamShape& shape : shapes) {
    for (const double half_life : {3.0, 20.5}) {
      check_e1_prefixes(make_stream(shape), shape.classes, half_life, 0);
      check_e1_prefixes(with_missing(make_stream(shape), 2), shape.classes, half_life, 0);
      check_e1_prefixes(with_missing(make_stream(shape), 3), shape.classes, half_life, 7);
    }
  }
}

// Sample t of a stream whose mean and spread drift and which jumps.
Real drifting(std::uint32_t t) {
  Random random(t);
  const Real level = t < 60000 ? Real(1e4) : Real(1.1e4);
  return level + static_cast<Real>(t) / 1024 +
         random.uniform() * (Real(1) + static_cast<Real>(t) / 65536);
}

// Of samples 0..t, all of them again from their formula.
DoubleMoment of_drifting(std::uint32_t t, double half_life) {
  const double origin = static_cast<double>(drifting(t));
  const double step = std::exp2(-1 / half_life);
  double weight = 1, sum = 0, squares = 0;
  DoubleMoment all;
  for (std::uint32_t age = 0; age <= t && age < 60 * half_life; ++age) {
    const double d = static_cast<double>(drifting(t - age)) - origin;
    all.count += weight;
    sum += weight * d;
    squares += weight * d * d;
    weight *= step;
  }
  all.mean = origin + sum / all.count;
  all.deviations = squares - sum * sum / all.count;
  return all;
}

TEST(HalfLife, LongStreamsDoNotDrift) {
  for (const double half_life : {1.0, 37.25, 65536.5}) {
    MomentsInBuffer held(1, 0, static_cast<Real>(half_life));
    for (std::uint32_t t = 0; t < 100000; ++t) {
      const Real x = drifting(t);
      ASSERT_TRUE(held.moments.add(0, &x));
      if (t != 1000 && t != 60020 && t != 99999) continue;
      expect_moment(held.moments.of(0, 0), of_drifting(t, half_life), kClose);
    }
    EXPECT_EQ(held.moments.count(0), 100000U);
  }
}

TEST(HalfLife, GroupsWithoutSamplesAgeToo) {
  MomentsInBuffer held(2, 2, 50);
  const Real first[] = {3, kNoScore};
  const Real second[] = {5, 1};
  const Real other[] = {0, 0};
  ASSERT_TRUE(held.moments.add(0, first));
  ASSERT_TRUE(held.moments.add(0, second));
  for (int age = 0; age < 1000; ++age) {
    const double now = std::exp2(-age / 50.0);
    const double before = std::exp2(-(age + 1) / 50.0);
    expect_moment(held.moments.of(0, 0), moment_of({{3, before}, {5, now}}), kClose);
    const Moment single = held.moments.of(0, 1);
    EXPECT_NEAR(static_cast<double>(single.count), now, kClose * now);
    EXPECT_EQ(single.deviations, Real(0));
    EXPECT_EQ(held.moments.of(1, 0).count, Real(0));
    ASSERT_TRUE(held.moments.add(held.moments.universum(), other));
  }
  EXPECT_EQ(held.moments.count(0), 2U);
}

// However long ago: mean and variance are still known, and the class is still one.
TEST(HalfLife, WhatAGroupKnowsOutlivesSilence) {
  RankerConfig config(kUvs);
  config.memory.features = 1;
  config.memory.half_life = 2;
  RankerInBuffer ranker(config);
  for (const Real u : {Real(4), Real(6)}) {
    ASSERT_TRUE(ranker->observe(Row{{u}, SampleKind::universum, 0}.sample()).ok());
  }
  for (int t = 0; t < 3000; ++t) {
    const Row row{{t % 2 == 0 ? Real(1) : Real(2)}};
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  const Moments& moments = ranker->memory().moments();
  const Moment u = moments.of(moments.universum(), 0);
  EXPECT_NEAR(static_cast<double>(u.count), 0x1p-64, 0x1p-64 * kClose);
  const DoubleMoment want = moment_of({{4, std::exp2(-0.5)}, {6, 1}});
  EXPECT_NEAR(static_cast<double>(u.mean + u.mean_rest), want.mean, kClose);
  EXPECT_NEAR(static_cast<double>(u.variance()), want.deviations / want.count, kClose);
  ASSERT_TRUE(ranker->rank(0).ok());
  std::vector<Weighed> ordinary;
  for (int age = 0; age < 200; ++age) {
    ordinary.push_back({age % 2 == 0 ? 2.0 : 1.0, std::exp2(-age / 2.0)});
  }
  const DoubleMoment x = moment_of(ordinary);
  const double variance_u = want.deviations / want.count;
  const double shift = want.mean - x.mean;
  const double score =
      shift * shift + variance_u + x.deviations / x.count - 2 * variance_u + x.deviations / x.count;
  EXPECT_NEAR(static_cast<double>(ranker->ranking().scores()[0]), score, 10 * kClose * score);
}

// A sensor that comes back at another level: neither the old level nor its rounding remains.
TEST(HalfLife, JumpAfterSilence) {
  MomentsInBuffer held(2, 0, 1);
  const std::size_t universum = held.moments.universum();
  Random random(2);
  for (int t = 0; t < 300; ++t) {
    const Real old[] = {Real(1e6) + random.uniform(), random.uniform()};
    const Real gone[] = {kNoScore, random.uniform()};
    // The unlabelled group falls silent; in the universum the feature alone does.
    ASSERT_TRUE(held.moments.add(t < 100 ? 0 : universum, t < 100 || t == 150 ? old : gone));
  }
  std::vector<Weighed> fresh[2];
  for (int t = 0; t < 60; ++t) {
    for (std::size_t group = 0; group < 2; ++group) {
      const Real x[] = {random.uniform(), random.uniform()};
      ASSERT_TRUE(held.moments.add(group, x));
      for (auto& values : fresh) {
        for (Weighed& v : values) v.weight /= 2;
      }
      fresh[group].push_back({static_cast<double>(x[0]), 1});
      // The old level weighs 2^-64 at first, and is 10^6 away: 10^-7 of the variance.
      if (t > 2) expect_moment(held.moments.of(group, 0), moment_of(fresh[group]), 2e-5);
      if (::testing::Test::HasFailure()) FAIL() << t << " " << group;
    }
  }
}

// A sample may be kept aside: time passes with it, and it enters when it leaves, at its age.
TEST(HalfLife, SamplesMayEnterLate) {
  for (const double half_life : {0.0, 20.5}) {
    MomentsInBuffer held(2, 1, static_cast<Real>(half_life));
    const std::vector<Row> rows = with_missing(make_stream({71, 150, 2}), 5);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % 3 == 0) {
        ASSERT_TRUE(held.moments.add(1, rows[i].x.data()));
      } else {
        held.moments.pass_time();
      }
      std::vector<Weighed> left;
      const std::vector<double> weights = weights_by_age(i + 1, half_life);
      if (i >= 12 && (i - 12) % 3 != 0) held.moments.add_late(0, rows[i - 12].x.data(), 12);
      for (std::size_t j = 0; j + 12 <= i; ++j) {
        if (j % 3 == 0 || is_missing(rows[j].x[1])) continue;
        left.push_back({static_cast<double>(rows[j].x[1]), weights[j]});
      }
      expect_moment(held.moments.of(0, 1), moment_of(left), kClose);
    }
    for (const std::uint64_t age : {0U, 1U, 20U, 1000U, 4000000000U}) {
      const double weight = half_life == 0 ? 1 : std::exp2(-static_cast<double>(age) / half_life);
      const double want = std::max(weight, 0x1p-64);
      EXPECT_NEAR(static_cast<double>(held.moments.weight_at_age(age)), want, kClose * want) << age;
    }
  }
}

TEST(HalfLife, ConstantFeatureHasNoDeviationAtAll) {
  MomentsInBuffer held(1, 1, Real(7.3));
  const Real x = Real(0.1);
  for (int t = 0; t < 2000; ++t) {
    ASSERT_TRUE(held.moments.add(t % 300 < 200 ? 0 : 1, &x));
    ASSERT_EQ(held.moments.of_ordinary(0).deviations, Real(0)) << t;
    ASSERT_EQ(held.moments.of_ordinary(0).mean, x) << t;
  }
}

TEST(HalfLife, RefusedSampleDoesNotAge) {
  MomentsInBuffer held(2, 1, 5);
  const Real good[] = {1, kNoScore};
  const Real wrong[][2] = {{kInfinity, 1}, {kNoScore, kNoScore}};
  for (int t = 0; t < 30; ++t) {
    const std::uint64_t before = held.digest();
    for (const auto& x : wrong) EXPECT_FALSE(held.moments.add(0, x));
    ASSERT_EQ(held.digest(), before);
    ASSERT_TRUE(held.moments.add(1, good));
    ASSERT_NE(held.digest(), before);  // group 0 has aged, too
  }
}

TEST(HalfLife, PastTheStreamForgetsNothing) {
  StreamShape shape;
  shape.features = 9;
  for (const SelectorType* type : {static_cast<const SelectorType*>(&kVariance), &kFisher, &kUvs}) {
    RankerConfig config = config_for(*type, shape);
    RankerInBuffer plain(config);
    config.memory.half_life = Real(1e9);
    RankerInBuffer forgetting(config);
    for (const Row& row : make_stream(shape)) {
      ASSERT_TRUE(plain->observe(row.sample()).ok());
      ASSERT_TRUE(forgetting->observe(row.sample()).ok());
    }
    ASSERT_TRUE(plain->rank(0).ok());
    ASSERT_TRUE(forgetting->rank(0).ok());
    const auto scores = plain->ranking().scores();
    expect_scores(forgetting->ranking().scores(), Vector(scores.begin(), scores.end()), 2e-4,
                  type->id, shape.rows);
  }
}

TEST(HalfLife, ExtremesAreHarmless) {
  for (const Real half_life : {std::numeric_limits<Real>::denorm_min(), Real(1e-9), Real(1e30),
                               std::numeric_limits<Real>::max(), kInfinity}) {
    MomentsInBuffer held(1, 0, half_life);
    for (int t = 0; t < 100; ++t) {
      const Real x = static_cast<Real>(t);
      ASSERT_TRUE(held.moments.add(0, &x));
    }
    const Moment all = held.moments.of(0, 0);
    const bool forgets = half_life < 1;
    EXPECT_NEAR(static_cast<double>(all.count), forgets ? 1 : 100, 1e-4);
    EXPECT_NEAR(static_cast<double>(all.mean), forgets ? 99 : 49.5, 1e-4);
  }
}

TEST(HalfLife, NoBlocksTakeNoBytes) {
  MemoryConfig config;
  config.features = 16;
  config.classes = 2;
  config.moments = true;
  const std::size_t plain = Moments::required_bytes(config);
  config.half_life = 10;
  EXPECT_EQ(Moments::required_bytes(config), plain - 5 * 2 * 16 * sizeof(Real));
}

// The same bits on every port.
TEST(HalfLife, GoldenDigest) {
  MomentsInBuffer held(13, 2, Real(40.7));
  Random random(78);
  for (int i = 0; i < 1000; ++i) {
    Real x[13];
    for (Real& v : x)
      v = random.below(60) == 0 ? kNoScore : random.uniform() * Real(3.7) + Real(90);
    ASSERT_TRUE(held.moments.add(random.below(4), x));
  }
  EXPECT_EQ(held.digest(), sizeof(Real) == 4 ? std::uint64_t{0x46de5133947afac6}
                                             : std::uint64_t{0xf1c3dc48a5341ed0})
      << "0x" << std::hex << held.digest();
}

}  // namespace
}  // namespace whittle::testing
