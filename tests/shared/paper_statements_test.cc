// What the papers say of data that a formula gives.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/shared/filled_reference.h"
#include "tests/shared/ranker_fixture.h"
#include "tests/shared/waveform.h"
#include "whittle/select/cls.h"
#include "whittle/select/csfs.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/wckm.h"

namespace whittle::testing {
namespace {

constexpr std::uint32_t kSamples = 160;
constexpr std::uint32_t kLabelled = 8;
constexpr std::uint64_t kSeeds = 2 / every(2);

RankerConfig wave_config(const SelectorType& type) {
  RankerConfig config(type, kAllParts);
  config.memory.features = kWaveFeatures;
  config.memory.classes = 3;
  config.memory.labelled = kLabelled;
  config.memory.window = kSamples - kLabelled;
  config.memory.keep_distances = false;
  return config;
}

void standardise(std::vector<Row>& rows) {
  const auto n = static_cast<Real>(rows.size());
  for (std::size_t r = 0; r < kWaveFeatures; ++r) {
    Real sum = 0, squares = 0;
    for (const Row& row : rows) sum += row.x[r];
    for (const Row& row : rows) squares += (row.x[r] - sum / n) * (row.x[r] - sum / n);
    for (Row& row : rows) row.x[r] = (row.x[r] - sum / n) / std::sqrt(squares / n);
  }
}

// Probability that a feature without signal is ranked after one with.
double noise_last(const Ranking& ranking) {
  int signals = 0, noise = 0, after = 0;
  for (const std::uint32_t feature : ranking.order()) {
    if (is_wave_noise(feature)) {
      after += signals;
      ++noise;
    } else {
      ++signals;
    }
  }
  return static_cast<double>(after) / (signals * noise);
}

// Ranks waves of one seed, refined to the end.
void rank_waves(RankerInBuffer& ranker, bool z_scored, std::uint64_t seed) {
  ASSERT_TRUE(ranker.status().ok()) << ranker.status().reason();
  std::vector<Row> rows = make_waves(kSamples, kLabelled, seed);
  if (z_scored) standardise(rows);
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  while (!ranker->refine(1).converged) {
  }
  ASSERT_TRUE(ranker->rank(0).ok());
}

double noise_last(const RankerConfig& config, bool z_scored, std::uint64_t seed) {
  RankerInBuffer ranker(config);
  rank_waves(ranker, z_scored, seed);
  return noise_last(ranker->ranking());
}

// [T] 3.6.2, figure 3.10, and 3.8.3: with 8 labels, the noise has the worst scores.
TEST(Wave, ScoresOnTheGraphRankNoiseLast) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const SelectorType* type : {&kLs, &kCls, &kCsfs}) {
      EXPECT_GT(noise_last(wave_config(*type), false, seed), 0.98) << type->id << ", seed " << seed;
    }
  }
}

constexpr Real kWeight = 1, kEffective = 2;  // values of the parameter relevance

RankerConfig clusters_config(const SelectorType& type, Real relevance) {
  RankerConfig config = wave_config(type);
  EXPECT_TRUE(config.values.set(type.params, "relevance", relevance).ok());
  return config;
}

// The weights rank noise last on the data as they are, their effect on the distance on z-scored
// data; the other way round, both rank it first. So relevance = auto goes by the scaling.
TEST(Wave, RelevanceOfL2gfsGoesByTheScaling) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    EXPECT_GT(noise_last(clusters_config(kL2gfs, kWeight), false, seed), 0.9) << seed;
    EXPECT_GT(noise_last(clusters_config(kL2gfs, kEffective), true, seed), 0.9) << seed;
    EXPECT_LT(noise_last(clusters_config(kL2gfs, kWeight), true, seed), 0.1) << seed;
    EXPECT_LT(noise_last(clusters_config(kL2gfs, kEffective), false, seed), 0.1) << seed;
  }
}

TEST(Wave, WeightsOfWckmRankNoiseLastOnRawData) {
  EXPECT_GT(noise_last(clusters_config(kWckm, kWeight), false, 1), 0.9);
}

// On z-scored data all clusters come to lie in one place, features differ by less than float tells,
// and only double ranks noise last: the ranking must say so.
TEST(Wave, WckmSaysThatClustersCollapsedOnZScoredData) {
  RankerInBuffer ranker(clusters_config(kWckm, kEffective));
  rank_waves(ranker, true, 1);
  EXPECT_EQ(info_of(*ranker, "collapsed"), 1);
  if (sizeof(Real) == sizeof(double)) {
    EXPECT_GT(noise_last(ranker->ranking()), 0.9);
  }
}

}  // namespace
}  // namespace whittle::testing
