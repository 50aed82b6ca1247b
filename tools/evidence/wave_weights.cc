// How well the weights of wckm and l2gfs tell Breiman's waveforms from noise, and why `relevance =
// auto` goes by the scaling:
//   wave_weights
//
// Per selector, scaling and share of labels: AUC of the features that carry waves, by weight and by
// effect on the distance, mean over the draws and smallest; passes; draws in which the clusters
// collapsed; share of the unlabelled samples that belong most to the cluster of their class.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <vector>

#include "tests/shared/waveform.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/wckm.h"

namespace whittle::evidence {
namespace {

using testing::is_wave_noise;
using testing::kWaveFeatures;
using testing::Row;

constexpr std::uint32_t kClasses = 3;
constexpr std::size_t kSamples = 1000;
constexpr int kDraws = 20;

struct Tally {
  double sum[2] = {}, least[2] = {1, 1};  // AUC by weight, by effect
  double passes = 0, right = 0;
  int collapsed = 0;
};

double fact(const FeatureRanker& ranker, const char* name) {
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    if (std::strcmp(ranker.info()[i].name, name) == 0) {
      return static_cast<double>(ranker.info()[i].number);
    }
  }
  throw std::runtime_error(name);
}

void check(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.reason());
}

// The first `labelled` samples come with their class.
double share_right(const FeatureRanker& ranker, const std::vector<Row>& samples,
                   std::size_t labelled) {
  double right = 0;
  for (std::size_t i = labelled; i < samples.size(); ++i) {
    Real degrees[kClasses];
    check(ranker.memberships(i + 1, degrees));
    const Real* most = std::max_element(degrees, degrees + kClasses);
    right += static_cast<std::uint32_t>(most - degrees) == samples[i].label ? 1 : 0;
  }
  return right / static_cast<double>(samples.size() - labelled);
}

// To mean 0 and population standard deviation 1.
void standardise(std::vector<Row>& rows) {
  const auto count = static_cast<double>(rows.size());
  for (std::size_t r = 0; r < kWaveFeatures; ++r) {
    double sum = 0, squares = 0;
    for (const Row& row : rows) sum += static_cast<double>(row.x[r]);
    const Real mean = static_cast<Real>(sum / count);
    for (Row& row : rows) {
      row.x[r] -= mean;
      squares += static_cast<double>(row.x[r]) * static_cast<double>(row.x[r]);
    }
    for (Row& row : rows) row.x[r] /= static_cast<Real>(std::sqrt(squares / count));
  }
}

// Probability that a feature that carries waves has a larger score than one of noise.
double auc(Span<const Real> scores) {
  double won = 0, pairs = 0;
  for (std::uint32_t a = 0; a < kWaveFeatures; ++a) {
    for (std::uint32_t b = 0; b < kWaveFeatures; ++b) {
      if (is_wave_noise(a) || !is_wave_noise(b)) continue;
      ++pairs;
      if (scores[a] == scores[b]) won += 0.5;
      if (scores[a] > scores[b]) ++won;
    }
  }
  return won / pairs;
}

void rank(const SelectorType& type, const std::vector<Row>& samples, std::size_t labelled,
          Tally& tally) {
  for (std::uint32_t relevance = 0; relevance < 2; ++relevance) {
    RankerConfig config(type);
    config.memory.features = kWaveFeatures;
    config.memory.classes = kClasses;
    config.memory.labelled = static_cast<std::uint32_t>(labelled);
    config.memory.window = static_cast<std::uint32_t>(samples.size() - labelled);
    check(config.values.set(type.params, "relevance", static_cast<Real>(relevance + 1)));
    std::vector<unsigned char> bytes(FeatureRanker::required_bytes(config) + kArenaAlignment);
    Arena arena(bytes.data(), bytes.size());
    FeatureRanker ranker;
    check(ranker.create(arena, config));
    for (const Row& sample : samples) check(ranker.observe(sample.sample()));
    ranker.refine(1000);
    check(ranker.rank(0));
    const double told = auc(ranker.ranking().scores());
    tally.sum[relevance] += told;
    tally.least[relevance] = std::min(tally.least[relevance], told);
    if (relevance > 0) continue;  // the clusters are the same
    tally.passes += fact(ranker, "iterations");
    tally.collapsed += fact(ranker, "collapsed") == 1 ? 1 : 0;
    tally.right += share_right(ranker, samples, labelled);
  }
}

void study(const SelectorType& type, bool scaled, std::size_t labelled) {
  Tally tally;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<Row> samples =
        testing::make_waves(kSamples, labelled, static_cast<std::uint64_t>(draw) + 1);
    if (scaled) standardise(samples);
    rank(type, samples, labelled, tally);
  }
  std::printf("| %-5s | %-8s | %3zu | %.3f (%.3f) | %.3f (%.3f) | %5.1f | %2d | %.3f |\n", type.id,
              scaled ? "z-scored" : "raw", labelled, tally.sum[0] / kDraws, tally.least[0],
              tally.sum[1] / kDraws, tally.least[1], tally.passes / kDraws, tally.collapsed,
              tally.right / kDraws);
}

}  // namespace
}  // namespace whittle::evidence

int main() {
  using whittle::evidence::study;
  std::printf("%zu samples, %d draws\n\n", whittle::evidence::kSamples, whittle::evidence::kDraws);
  std::printf(
      "| selector | scaling | labelled | AUC by weight (least) | by effect (least) | passes "
      "| collapsed | in the cluster of their class |\n");
  try {
    for (const whittle::SelectorType* type : {&whittle::kWckm, &whittle::kL2gfs}) {
      for (const bool scaled : {false, true}) {
        for (const std::size_t labelled : {9U, 30U, 100U, 300U}) study(*type, scaled, labelled);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wave_weights: %s\n", error.what());
    return 1;
  }
  return 0;
}
