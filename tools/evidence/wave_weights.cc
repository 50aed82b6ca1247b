// How well the weights of wckm and l2gfs tell Breiman's waveforms from noise, and why `relevance =
// auto` goes by the scaling:
//   wave_weights
//
// Per selector, scaling and share of labels: AUC of the features that carry waves, by weight and by
// effect on the distance, mean over the draws and smallest; passes; draws in which the clusters
// collapsed; share of the unlabelled samples that belong most to the cluster of their class.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "tools/evidence/waveform.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/wckm.h"

namespace whittle::evidence {
namespace {

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
double share_right(const FeatureRanker& ranker, const std::vector<WaveSample>& samples,
                   std::size_t labelled) {
  double right = 0;
  for (std::size_t i = labelled; i < samples.size(); ++i) {
    Real degrees[kWaveClasses];
    check(ranker.memberships(i + 1, degrees));
    const Real* most = std::max_element(degrees, degrees + kWaveClasses);
    right += static_cast<std::uint32_t>(most - degrees) == samples[i].label ? 1 : 0;
  }
  return right / static_cast<double>(samples.size() - labelled);
}

void rank(const SelectorType& type, const std::vector<WaveSample>& samples, std::size_t labelled,
          Tally& tally) {
  for (std::uint32_t relevance = 0; relevance < 2; ++relevance) {
    RankerConfig config(type);
    config.memory.features = kWaveFeatures;
    config.memory.classes = kWaveClasses;
    config.memory.labelled = static_cast<std::uint32_t>(labelled);
    config.memory.window = static_cast<std::uint32_t>(samples.size() - labelled);
    check(config.values.set(type.params, "relevance", static_cast<Real>(relevance + 1)));
    std::vector<unsigned char> bytes(FeatureRanker::required_bytes(config) + kArenaAlignment);
    Arena arena(bytes.data(), bytes.size());
    FeatureRanker ranker;
    check(ranker.create(arena, config));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const SampleKind kind = i < labelled ? SampleKind::labelled : SampleKind::unlabelled;
      const std::uint32_t label = i < labelled ? samples[i].label : 0;
      check(ranker.observe({Span<const Real>(samples[i].x.data(), kWaveFeatures), kind, label}));
    }
    ranker.refine(1000);
    check(ranker.rank(0));
    const double auc = wave_auc(ranker.ranking().scores());
    tally.sum[relevance] += auc;
    tally.least[relevance] = std::min(tally.least[relevance], auc);
    if (relevance > 0) continue;  // the clusters are the same
    tally.passes += fact(ranker, "iterations");
    tally.collapsed += fact(ranker, "collapsed") == 1 ? 1 : 0;
    tally.right += share_right(ranker, samples, labelled);
  }
}

void study(const SelectorType& type, bool scaled, std::size_t labelled) {
  Tally tally;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<WaveSample> samples =
        make_waveforms(static_cast<std::uint64_t>(draw) + 1, kSamples);
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
