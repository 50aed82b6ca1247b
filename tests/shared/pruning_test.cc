// FeaturePruner in a stream: warm-up, probes, what is learned, drift, statistics, refusals.
#include "whittle/rank/pruning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/shared/pruner_fixture.h"
#include "tests/shared/ranker_fixture.h"
#include "whittle/base/random.h"
#include "whittle/select/fisher.h"
#include "whittle/select/ls.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

TEST(FeaturePruner, SensesEverythingWhileItWarmsUp) {
  PruningConfig config = bare(4);
  config.warm_up = 10;
  config.top = 1;
  PrunerInBuffer pruner(config);
  pruner.pass(9);
  EXPECT_FALSE(pruner->update_due());
  EXPECT_EQ(pruner.update({1, 2, 3, 4}), "1111");
  pruner.pass(1);
  EXPECT_TRUE(pruner->update_due());
  EXPECT_EQ(pruner.sensed(), "1111");  // until there is a ranking
  EXPECT_EQ(pruner->mask_id(), 0U);
  EXPECT_EQ(pruner.update({1, 2, 3, 4}), "0001");
  EXPECT_EQ(pruner.sensed(), "0001");
  EXPECT_EQ(pruner->mask_id(), 1U);
  EXPECT_EQ(pruner->statistics().full_samples, 10U);
}

TEST(FeaturePruner, ProbesEveryUnitOnceAPeriod) {
  PruningConfig config = bare(7);
  config.top = 1;
  config.groups = 1;
  config.probe_every = 8;
  for (const LearnFrom from : {LearnFrom::every_sample, LearnFrom::full_samples}) {
    config.learn_from = from;
    PrunerInBuffer pruner(config);
    const std::uint32_t groups[] = {kOwnUnit, 0, kOwnUnit, 0, kOwnUnit, kOwnUnit, kOwnUnit};
    const Real costs[] = {1, 1, 1, 1, 1, 1, 1};
    ASSERT_TRUE(
        pruner->set_features(0, Span<const std::uint32_t>(groups), Span<const Real>(costs)).ok());
    ASSERT_EQ(pruner.update({9, 1, 2, 3, 4, 5, 6}), "1000000");
    std::vector<int> starts(8);
    for (int period = 0; period < 50; ++period) {
      std::vector<int> probes(7);
      int whole = 0;
      for (int i = 0; i < 8; ++i) {
        const Span<const bool> mask = pruner->next_mask();
        EXPECT_EQ(mask[1], mask[3]);
        for (std::size_t r = 0; r < 7; ++r) probes[r] += mask[r];
        if (mask[2]) ++starts[static_cast<std::size_t>(i)];
        pruner.pass(1);
        EXPECT_EQ(pruner->learns(), from == LearnFrom::every_sample || pruner->full());
        if (pruner->full()) ++whole;
      }
      EXPECT_EQ(probes, (std::vector<int>{8, 1, 1, 1, 1, 1, 1}));
      EXPECT_EQ(whole, from == LearnFrom::full_samples ? 1 : 0);
    }
    // Places are drawn: each comes about 50 / 8 times.
    EXPECT_GE(*std::min_element(starts.begin(), starts.end()), 1);
    EXPECT_LE(*std::max_element(starts.begin(), starts.end()), 15);
    EXPECT_EQ(pruner->statistics().probes, 5U * 50U);  // five pruned units
    EXPECT_EQ(pruner->statistics().cells, 400U + 6U * 50U);
    EXPECT_EQ(pruner->spent(), Real(400 + 6 * 50));
  }
}

TEST(FeaturePruner, SensesEverythingOnDemand) {
  PruningConfig config = bare(3);
  config.top = 1;
  PrunerInBuffer pruner(config);
  ASSERT_EQ(pruner.update({1, 2, 3}), "001");
  EXPECT_EQ(pruner.sensed(), "001");
  const Span<const bool> all = pruner->next_mask(/*all=*/true);
  EXPECT_TRUE(all[0] && all[1] && all[2]);
  pruner.pass(1);
  EXPECT_TRUE(pruner->learns());
  EXPECT_EQ(pruner.sensed(), "001");
  pruner.pass(1);
  EXPECT_FALSE(pruner->learns());
}

// A stream whose features follow the class, or not, under a pruner; the class is told of one sample
// in four, in step with the probes' period.
struct Stream {
  Random random{21};
  std::uint32_t count = 0;
  std::vector<Real> x;
  std::uint32_t label = 0;
  bool labelled = false;

  explicit Stream(std::size_t features) : x(features) {}
  void next(const std::vector<Real>& shifts) {
    label = random.below(3) == 0 ? 1 : 0;
    labelled = count++ % 4 == 0;
    for (std::size_t r = 0; r < x.size(); ++r) {
      x[r] = random.uniform() + random.uniform() + shifts[r] * static_cast<Real>(label);
    }
  }
  Sample sample() const {
    return {Span<const Real>(x.data(), x.size()),
            labelled ? SampleKind::labelled : SampleKind::unlabelled, label};
  }
};

void step(Stream& stream, const std::vector<Real>& shifts, FeaturePruner& pruner,
          FeatureRanker& ranker) {
  stream.next(shifts);
  const Span<const bool> mask = pruner.next_mask();
  for (std::size_t r = 0; r < stream.x.size(); ++r) {
    if (!mask[r]) stream.x[r] = kNoScore;
  }
  ASSERT_TRUE(pruner.observe(Span<const Real>(stream.x.data(), stream.x.size())).ok());
  if (pruner.learns()) {
    ASSERT_TRUE(ranker.observe(stream.sample()).ok());
  }
  if (pruner.update_due()) static_cast<void>(pruner.update(ranker));
}

// What is pruned is missing, not zero: its means, and those per class, are those of all samples,
// and so is the share of the classes.
TEST(FeaturePruner, MeansAndClassBalanceAreUnbiased) {
  const std::vector<Real> shifts = {Real(2), Real(1.5), Real(0.1), Real(0.1)};
  RankerInBuffer ranker(config_for(kFisher, {1, 0, 4, 2}));
  PruningConfig config;
  config.features = 4;
  config.learn_from = learn_from_for(kFisher);
  ASSERT_EQ(config.learn_from, LearnFrom::every_sample);
  PrunerInBuffer pruner(config);
  Stream stream(4);
  for (int i = 0; i < 12000; ++i) step(stream, shifts, *pruner, *ranker);
  EXPECT_EQ(pruner.mask(), "1100");
  const Moments& moments = ranker->memory().moments();
  const double ones = static_cast<double>(moments.count(1));
  EXPECT_EQ(moments.count(0) + moments.count(1), 3000U);
  EXPECT_NEAR(ones / 3000, 1.0 / 3, 0.03);
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t c = 0; c < 2; ++c) {
      const Moment of = moments.of(c, r);
      // A pruned feature has the warm-up's values and one in 16 of the others.
      const double seen = static_cast<double>(of.count / real_count(moments.count(c)));
      EXPECT_NEAR(seen, r < 2 ? 1 : 256.0 / 12000 + 1.0 / 16, 0.03) << r << ' ' << c;
      const double error = 0.41 / std::sqrt(static_cast<double>(of.count));
      EXPECT_NEAR(static_cast<double>(of.mean), 1 + double(c) * double(shifts[r]), 4 * error)
          << r << ' ' << c;
    }
    // Its share of the classes: no class is probed more than the other.
    const double share = static_cast<double>(moments.of(1, r).count /
                                             (moments.of(0, r).count + moments.of(1, r).count));
    EXPECT_NEAR(share, 1.0 / 3, 0.09) << r;
  }
}

// Scores of features sensed at different rates, from every sample and from full samples only.
TEST(FeaturePruner, FullSamplesKeepScoresComparableOnTheGraph) {
  EXPECT_EQ(learn_from_for(kLs), LearnFrom::full_samples);
  const std::vector<Real> alike = {0, 0, 0, 0};
  const auto ratio = [&](LearnFrom from) {
    RankerInBuffer ranker(config_for(kLs, {1, 0, 4, 2}, 0, 256));
    PruningConfig config;
    config.features = 4;
    config.warm_up = 32;
    config.top = 2;
    config.probe_every = 4;
    config.update_every = 100000;
    config.learn_from = from;
    PrunerInBuffer pruner(config);
    Stream stream(4);
    for (int i = 0; i < 32; ++i) step(stream, alike, *pruner, *ranker);
    EXPECT_EQ(pruner.update({4, 3, 2, 1}), "1100");
    for (int i = 0; i < 1100; ++i) {
      step(stream, alike, *pruner, *ranker);
      stream.labelled = false;
    }
    EXPECT_TRUE(ranker->rank(0).ok());
    const Span<const Real> scores = ranker->ranking().scores();
    return (scores[2] + scores[3]) / (scores[0] + scores[1]);
  };
  // Alike features should score alike; missing cells make one of them look far better.
  EXPECT_LT(ratio(LearnFrom::every_sample), Real(0.5));
  EXPECT_NEAR(ratio(LearnFrom::full_samples), 1, 0.3);
}

// Two features begin to matter, two cease to: the mask follows, by probes alone.
void expect_return(const SelectorType& type, std::uint32_t held, int limit) {
  RankerConfig ranking = config_for(type, {1, 0, 4, 2}, held, held);
  if (held == 0) ranking.memory.half_life = 512;
  RankerInBuffer ranker(ranking);
  PruningConfig config;
  config.features = 4;
  config.top = 2;
  config.probe_every = 8;
  config.drift_block = 0;
  config.learn_from = learn_from_for(type);
  PrunerInBuffer pruner(config);
  Stream stream(4);
  for (int i = 0; i < 3000; ++i) step(stream, {2, 2, 0, 0}, *pruner, *ranker);
  ASSERT_EQ(pruner.mask(), "1100") << type.id;
  int steps = 0;
  while (pruner.mask() != "0011" && steps < limit) {
    step(stream, {0, 0, 2, 2}, *pruner, *ranker);
    ++steps;
  }
  EXPECT_EQ(pruner.mask(), "0011") << type.id;
  EXPECT_EQ(pruner->statistics().alarms, 0U);
}

TEST(FeaturePruner, AFeatureThatBecomesRelevantComesBack) {
  expect_return(kFisher, 0, 8000);
  expect_return(kLs, 24, 8000);
}

TEST(FeaturePruner, AnAlarmSensesEverythingForAWhileAndStartsAnew) {
  PruningConfig config = bare(4);
  config.top = 2;
  config.drift_block = 64;
  config.recovery = 100;
  config.dwell = 100000;
  config.rank_margin = 4;
  PrunerInBuffer pruner(config);
  Random random(5);
  const auto observe = [&](Real shift) {
    const Span<const bool> mask = pruner->next_mask();
    Real x[4];
    for (std::size_t r = 0; r < 4; ++r) x[r] = mask[r] ? random.uniform() + shift : kNoScore;
    bool alarm = false;
    EXPECT_TRUE(pruner->observe(Span<const Real>(x), &alarm).ok());
    return alarm;
  };
  ASSERT_EQ(pruner.update({4, 3, 2, 1}), "1100");
  for (int i = 0; i < 600; ++i) ASSERT_FALSE(observe(0));
  EXPECT_EQ(pruner.update({1, 2, 3, 4}), "1100");  // the margin
  int taken = 0;
  while (!observe(Real(0.6))) ASSERT_LT(++taken, 128);
  EXPECT_EQ(pruner->statistics().alarms, 1U);
  EXPECT_TRUE(pruner->recovering());
  EXPECT_EQ(pruner.sensed(), "1111");
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(pruner.update({1, 2, 3, 4}), "1100");
    ASSERT_FALSE(observe(Real(0.6)));
  }
  EXPECT_FALSE(pruner->recovering());
  EXPECT_EQ(pruner.update({1, 2, 3, 4}), "0011");  // no margin, no dwell
}

// The same bits on every port.
TEST(FeaturePruner, IsDeterministic) {
  const auto run = [] {
    RankerInBuffer ranker(config_for(kFisher, {1, 0, 4, 2}));
    PruningConfig config;
    config.features = 4;
    config.learn_from = LearnFrom::every_sample;
    PrunerInBuffer pruner(config);
    Stream stream(4);
    for (int i = 0; i < 2000; ++i) step(stream, {1, Real(0.1), 1, 0}, *pruner, *ranker);
    Digest digest;
    pruner->digest(digest);
    return digest.value();
  };
  EXPECT_EQ(run(), run());
  if (sizeof(Real) == sizeof(float)) {
    EXPECT_EQ(run(), 17028342872001173162ULL);
  }
}

TEST(FeaturePruner, RefusesWhatMakesNoSense) {
  const auto code = [](auto change) {
    PruningConfig config;
    config.features = 4;
    change(config);
    return PrunerInBuffer(config).status().code();
  };
  using C = PruningConfig;
  EXPECT_EQ(code([](C&) {}), StatusCode::ok);
  EXPECT_EQ(code([](C& c) { c.features = 0; }), StatusCode::out_of_range);
  EXPECT_EQ(code([](C& c) { c.groups = 5; }), StatusCode::out_of_range);
  EXPECT_EQ(code([](C& c) { c.top = 5; }), StatusCode::out_of_range);
  EXPECT_EQ(code([](C& c) { c.update_every = 0; }), StatusCode::out_of_range);
  EXPECT_EQ(code([](C& c) { c.stability_masks = 1; }), StatusCode::out_of_range);
  EXPECT_EQ(code([](C& c) { c.drift_block = 7; }), StatusCode::out_of_range);
  EXPECT_EQ(code([](C& c) { c.rule = PruningRule::budget; }), StatusCode::invalid_argument);
  EXPECT_EQ(code([](C& c) { c.threshold = kNoScore; }), StatusCode::invalid_argument);
  EXPECT_EQ(code([](C& c) { c.score_margin = -1; }), StatusCode::invalid_argument);
  EXPECT_EQ(code([](C& c) { c.rule = static_cast<PruningRule>(9); }), StatusCode::invalid_argument);

  PruningConfig config;
  config.features = 4;
  config.groups = 1;
  FeaturePruner small;
  Arena none(nullptr, 0);
  EXPECT_EQ(small.create(none, config).value(), FeaturePruner::required_bytes(config));
  EXPECT_FALSE(small.created());

  PrunerInBuffer pruner(config);
  const std::uint32_t groups[] = {0, 1};
  const Real costs[] = {1, -1};
  const Real fine[] = {1, 1};
  const Span<const std::uint32_t> both(groups);
  const Span<const std::uint32_t> one(groups, 1);
  EXPECT_EQ(pruner->set_features(0, both, Span<const Real>(fine)).code(),
            StatusCode::out_of_range);  // no group 1
  EXPECT_EQ(pruner->set_features(4, one, Span<const Real>(fine, 1)).code(),
            StatusCode::out_of_range);
  EXPECT_EQ(pruner->set_features(0, one, Span<const Real>(fine)).code(),
            StatusCode::invalid_argument);
  EXPECT_EQ(pruner->set_group_costs(0, Span<const Real>(costs + 1, 1)).code(),
            StatusCode::invalid_argument);
  EXPECT_EQ(pruner->observe(Span<const Real>(fine)).code(), StatusCode::invalid_argument);
  EXPECT_EQ(pruner->statistics().samples, 0U);
  pruner.pass(1);
  EXPECT_EQ(pruner->set_features(0, one, Span<const Real>(fine, 1)).code(),
            StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
