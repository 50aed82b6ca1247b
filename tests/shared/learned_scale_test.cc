// The scale that a stream teaches, against the formula over the samples so far.
#include "whittle/memory/learned_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/shared/e1_reference.h"

namespace whittle::testing {
namespace {

struct Learner {
  Learner(Scaling scaling, std::uint32_t features, std::uint32_t learn = 5) {
    MemoryConfig config;
    config.features = features;
    config.classes = 2;
    config.moments = true;
    config.scaling = scaling;
    config.learn = learn;
    needed = LearnedScale::required_bytes(config);
    bytes.resize(Moments::required_bytes(config) + needed);
    Arena arena(bytes.data(), bytes.size());
    moments.place(arena, config);
    EXPECT_EQ(arena.left(), needed);
    scale.place(arena, config);
    EXPECT_EQ(arena.left(), 0U);
  }
  // As the memory does it.
  void observe(const Row& row) {
    const bool labelled = row.kind == SampleKind::labelled;
    const bool universum = row.kind == SampleKind::universum;
    const std::size_t group = labelled    ? row.label
                              : universum ? moments.universum()
                                          : moments.unlabelled();
    ASSERT_TRUE(moments.add(group, row.x.data()));
    if (!universum) scale.observe(row.x.data());
  }
  FeatureScale of(std::size_t feature) const {
    return scale.of(feature, moments.of_ordinary(feature));
  }
  std::uint64_t digest() const {
    Digest digest;
    scale.digest(digest);
    return digest.value();
  }

  std::size_t needed = 0;
  std::vector<unsigned char> bytes;
  Moments moments;
  LearnedScale scale;
};

std::vector<double> present(const std::vector<Row>& rows, std::size_t feature) {
  std::vector<double> values;
  for (const Row& row : rows) {
    if (row.kind == SampleKind::universum || is_missing(row.x[feature])) continue;
    values.push_back(static_cast<double>(row.x[feature]));
  }
  return values;
}

// Offset and gain; gain 0 where there is no spread.
std::pair<double, double> scale_of(const std::vector<double>& values, Scaling scaling) {
  if (values.empty()) return {0, 0};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  if (*least == *greatest) return {0, 0};
  if (scaling == Scaling::minmax) return {*least, 1 / (*greatest - *least)};
  std::vector<Weighed> weighed;
  for (const double v : values) weighed.push_back({v, 1});
  const DoubleMoment all = moment_of(weighed);
  return {all.mean, 1 / std::sqrt(all.deviations / all.count)};
}

TEST(LearnedScale, EqualsTheFormulaAfterEveryPrefix) {
  std::vector<StreamShape> shapes(3);
  shapes[0] = {51, 60, 6, 2, Real(0.3), Real(0.2), Real(0.1), true, 0};
  shapes[1] = {52, 60, 9, 2, Real(0.3), Real(0.2), Real(0.1), true, 8192};
  shapes[2] = {53, 40, 1, 2, Real(0.9), Real(0), Real(0.1), false, -100};
  for (const StreamShape& shape : shapes) {
    for (const Scaling scaling : {Scaling::minmax, Scaling::zscore}) {
      for (const bool gaps : {false, true}) {
        const std::vector<Row> rows =
            gaps ? with_missing(make_stream(shape), 4) : make_stream(shape);
        Learner learner(scaling, static_cast<std::uint32_t>(shape.features));
        std::vector<Row> prefix;
        for (const Row& row : rows) {
          prefix.push_back(row);
          learner.observe(row);
          for (std::size_t r = 0; r < shape.features; ++r) {
            const auto [offset, gain] = scale_of(present(prefix, r), scaling);
            const FeatureScale got = learner.of(r);
            ASSERT_NEAR(static_cast<double>(got.gain), gain, kTolerance * gain) << r;
            // A mean is rounded to a Real.
            const double exact = scaling == Scaling::minmax ? 0 : kTolerance / 50;
            if (gain > 0) {
              ASSERT_NEAR(static_cast<double>(got.offset), offset, exact * (std::fabs(offset) + 1));
            }
          }
        }
      }
    }
  }
}

TEST(LearnedScale, MinmaxTakesWhatWasSeenToZeroAndOne) {
  Learner learner(Scaling::minmax, 2);
  for (const Real v : {Real(-3), Real(7), Real(1)}) learner.observe(Row{{v, v * Real(1e30)}});
  for (std::size_t r = 0; r < 2; ++r) {
    const Real unit = r == 0 ? Real(1) : Real(1e30);
    const FeatureScale scale = learner.of(r);
    EXPECT_EQ((Real(-3) * unit - scale.offset) * scale.gain, Real(0));
    EXPECT_NEAR(static_cast<double>((Real(7) * unit - scale.offset) * scale.gain), 1, 1e-6);
  }
}

// What cannot be divided by scales to 0, with a finite offset.
TEST(LearnedScale, NoUsableSpreadIsGainZero) {
  const Real huge = std::numeric_limits<Real>::max();
  const Real tiny = std::numeric_limits<Real>::denorm_min();
  for (const Scaling scaling : {Scaling::minmax, Scaling::zscore}) {
    Learner learner(scaling, 4);
    for (const Real sign : {Real(-1), Real(1), Real(-1)}) {
      // Constant, never there, spread too large, spread too small.
      learner.observe(Row{{Real(0.1), kNoScore, sign * huge, sign * tiny}});
    }
    for (std::size_t r = 0; r < 4; ++r) {
      EXPECT_EQ(learner.of(r).gain, Real(0)) << r;
      EXPECT_TRUE(std::isfinite(learner.of(r).offset)) << r;
    }
    // From which a later scale gets back what a constant feature was.
    EXPECT_EQ(learner.of(0).offset, Real(0.1));
  }
}

TEST(LearnedScale, UniversumTeachesNothing) {
  for (const Scaling scaling : {Scaling::minmax, Scaling::zscore}) {
    Learner learner(scaling, 1);
    learner.observe(Row{{1}});
    learner.observe(Row{{3}, SampleKind::labelled, 1});
    learner.observe(Row{{100}, SampleKind::universum, 0});
    EXPECT_EQ(learner.of(0).offset, scaling == Scaling::minmax ? Real(1) : Real(2));
    EXPECT_EQ(learner.of(0).gain, scaling == Scaling::minmax ? Real(0.5) : Real(1));
  }
}

TEST(LearnedScale, OnlyMinmaxTakesBytes) {
  EXPECT_EQ(Learner(Scaling::minmax, 8).needed, 2 * 8 * sizeof(Real));
  EXPECT_EQ(Learner(Scaling::zscore, 8).needed, 0U);
  EXPECT_EQ(Learner(Scaling::none, 8).needed, 0U);
  EXPECT_EQ(Learner(Scaling::minmax, 8, 0).needed, 0U);  // the scale is given
}

TEST(LearnedScale, DigestFollowsTheRanges) {
  Learner learner(Scaling::minmax, 1);
  const std::uint64_t empty = learner.digest();
  learner.observe(Row{{1}});
  const std::uint64_t one = learner.digest();
  EXPECT_NE(one, empty);
  learner.observe(Row{{2}});
  const std::uint64_t two = learner.digest();
  EXPECT_NE(two, one);
  learner.observe(Row{{Real(1.5)}});
  EXPECT_EQ(learner.digest(), two);
  Digest nothing;
  EXPECT_EQ(Learner(Scaling::zscore, 1).digest(), nothing.value());
}

}  // namespace
}  // namespace whittle::testing
