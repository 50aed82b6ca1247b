// Missing cells in moments: skipped feature by feature, the rest of the sample counts.
#include <algorithm>

#include "tests/shared/e1_reference.h"
#include "tests/shared/moments_fixture.h"
#include "whittle/select/cs1.h"
#include "whittle/select/fisher.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

TEST(MomentsMissing, ScoresEqualTheFormulasAfterEveryPrefix) {
  std::vector<StreamShape> shapes(5);
  shapes[0] = {31, 60, 6, 2, Real(0.5), Real(0.15), Real(0.1), true, 0};
  shapes[1] = {32, 60, 17, 3, Real(0.6), Real(0.1), Real(0.1), true, 8192};
  shapes[2] = {33, 50, 8, 4, Real(1), Real(0), Real(0.2), false, 0};      // all labelled
  shapes[3] = {34, 40, 5, 0, Real(0), Real(0.4), Real(0.1), false, 0};    // no label
  shapes[4] = {35, 40, 4, 1, Real(0.5), Real(0.2), Real(0.1), false, 0};  // one class
  for (const StreamShape& shape : shapes) {
    const std::vector<Row> rows = with_missing(make_stream(shape), shape.seed);
    for (const std::uint32_t held : {0U, 7U}) check_e1_prefixes(rows, shape.classes, 0, held);
  }
}

// Blocks and samples with gaps in turn, past many merges, at an offset of 10^4.
TEST(MomentsMissing, LongStreamAtALargeOffset) {
  constexpr std::size_t kFeatures = 11;
  MomentsInBuffer held(kFeatures, 2);
  Random random(8);
  std::vector<std::vector<Weighed>> values(kFeatures);
  for (int i = 0; i < 4000; ++i) {
    Real x[kFeatures];
    for (std::size_t r = 0; r < kFeatures; ++r) {
      // The first third has all values, the second few gaps, the last many; feature 9 comes late.
      const std::uint32_t gap = i < 1300 ? 0 : i < 2600 ? 1 : 40;
      const bool gone = random.below(100) < gap || (r == 9 && i < 2000);
      x[r] = gone ? kNoScore : Real(1e4) + random.uniform() * static_cast<Real>(r + 1);
      if (!gone) values[r].push_back({static_cast<double>(x[r]), 1});
    }
    ASSERT_TRUE(held.moments.add(1, x));
    if (i % 499 != 0) continue;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      const DoubleMoment want = moment_of(values[r]);
      expect_moment(held.moments.of(1, r), want, kTolerance);
      EXPECT_EQ(static_cast<double>(held.moments.of(1, r).count), want.count);
    }
  }
  EXPECT_EQ(held.moments.count(1), 4000U);
  EXPECT_EQ(held.moments.count(0), 0U);
}

// The pivot of a feature is its first value, whenever that comes; the block starts small again, so
// that a first value far off does not spoil what follows.
TEST(MomentsMissing, LateFeatureMayBeginWithAnOutlier) {
  MomentsInBuffer held(3, 1);
  Random random(5);
  std::vector<Weighed> late;
  for (int i = 0; i < 3000; ++i) {
    const Real value = i == 700 ? Real(3000) : random.uniform();
    const Real x[] = {random.uniform(), i < 700 ? kNoScore : value, Real(2)};
    ASSERT_TRUE(held.moments.add(0, x));
    if (i < 700) {
      ASSERT_EQ(held.moments.of(0, 1).count, Real(0));
      continue;
    }
    late.push_back({static_cast<double>(value), 1});
    if (i > 700 && (i < 760 || i % 97 == 0)) {
      expect_moment(held.moments.of(0, 1), moment_of(late), kTolerance);
    }
  }
  EXPECT_EQ(held.moments.of(0, 0).count, Real(3000));
  EXPECT_EQ(held.moments.of(0, 2).deviations, Real(0));
}

TEST(MomentsMissing, ConstantFeatureHasNoDeviationAtAll) {
  MomentsInBuffer held(2, 1);
  for (int i = 0; i < 2000; ++i) {
    const Real x[] = {static_cast<Real>(i), i % 7 == 3 || i == 0 ? kNoScore : Real(0.1)};
    ASSERT_TRUE(held.moments.add(0, x));
    ASSERT_EQ(held.moments.of(0, 1).deviations, Real(0)) << i;
  }
  EXPECT_EQ(held.moments.of(0, 1).mean, Real(0.1));
}

TEST(MomentsMissing, RefusedSampleChangesNothing) {
  MomentsInBuffer held(4, 1);
  const Real good[] = {1, kNoScore, 3, 4};
  const Real wrong[][4] = {{kNoScore, kNoScore, kNoScore, kNoScore},
                           {1, kNoScore, kInfinity, 4},
                           {-kInfinity, kNoScore, kNoScore, kNoScore}};
  for (int i = 0; i < 20; ++i) {
    for (std::size_t group = 0; group < 3; ++group) {
      const std::uint64_t before = held.digest();
      for (const auto& x : wrong) EXPECT_FALSE(held.moments.add(group, x));
      ASSERT_EQ(held.digest(), before);
    }
    ASSERT_TRUE(held.moments.add(i % 2 == 0 ? 0 : 1, good));
  }
  EXPECT_EQ(held.moments.count(2), 0U);
}

TEST(MomentsMissing, AMissingValueIsNotAnyValue) {
  MomentsInBuffer missing(2, 1);
  MomentsInBuffer mean(2, 1);
  for (int i = 0; i < 10; ++i) {
    // The mean so far, 0, changes no moment but the count.
    const Real sign = i % 2 == 0 ? Real(1) : Real(-1);
    const Real with[] = {1, i < 8 ? sign : Real(0)};
    const Real without[] = {1, i < 8 ? sign : kNoScore};
    ASSERT_TRUE(mean.moments.add(0, with));
    ASSERT_TRUE(missing.moments.add(0, without));
  }
  EXPECT_EQ(missing.moments.of(0, 1).count, Real(8));
  EXPECT_EQ(missing.moments.of(0, 1).deviations, mean.moments.of(0, 1).deviations);
  EXPECT_NE(missing.digest(), mean.digest());
}

TEST(MomentsMissing, OverflowOfOneFeatureLeavesTheOthers) {
  RankerConfig config(kVariance);
  config.memory.features = 3;
  RankerInBuffer ranker(config);
  const Real huge = std::numeric_limits<Real>::max();
  for (int i = 0; i < 9; ++i) {
    const Row row{
        {i % 2 == 0 ? huge : -huge, static_cast<Real>(i), i % 3 == 0 ? kNoScore : Real(1)}};
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  ASSERT_TRUE(ranker->rank(0).ok());
  const auto scores = ranker->ranking().scores();
  EXPECT_FALSE(has_score(scores[0]));
  EXPECT_NEAR(static_cast<double>(scores[1]), 60.0 / 9, kTolerance * 7);
  EXPECT_FALSE(has_score(scores[2]));
}

TEST(MomentsMissing, OrderOfSamplesDoesNotMatter) {
  StreamShape shape;
  shape.features = 9;
  const std::vector<Row> rows = with_missing(make_stream(shape), 3);
  for (const SelectorType* type :
       {static_cast<const SelectorType*>(&kVariance), &kFisher, &kCs1, &kUvs}) {
    RankerInBuffer forward(config_for(*type, shape));
    RankerInBuffer backward(config_for(*type, shape));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_TRUE(forward->observe(rows[i].sample()).ok());
      ASSERT_TRUE(backward->observe(rows[rows.size() - 1 - i].sample()).ok());
    }
    ASSERT_TRUE(forward->rank(0).ok());
    ASSERT_TRUE(backward->rank(0).ok());
    const auto scores = forward->ranking().scores();
    const Vector want(scores.begin(), scores.end());
    expect_scores(backward->ranking().scores(), want, 20 * kTolerance, type->id, rows.size());
  }
}

// The same bits on every port.
TEST(MomentsMissing, GoldenDigest) {
  MomentsInBuffer held(13, 2);
  Random random(77);
  for (int i = 0; i < 1500; ++i) {
    Real x[13];
    for (Real& v : x)
      v = random.below(60) == 0 ? kNoScore : random.uniform() * Real(3.7) + Real(90);
    ASSERT_TRUE(held.moments.add(random.below(4), x));
  }
  EXPECT_EQ(held.digest(), sizeof(Real) == 4 ? std::uint64_t{0xb838f89d53280ce0}
                                             : std::uint64_t{0xa14b4ad8895fd6e0})
      << "0x" << std::hex << held.digest();
}

}  // namespace
}  // namespace whittle::testing
