// Breiman's waveforms (Breiman, Friedman, Olshen and Stone, 1984): three classes, each of samples
// at a random place between two of three triangular waves; then features that are noise.
//
//   x_j = u h_a(j) + (1 - u) h_b(j) + e_j for j = 1..21, u uniform, e normal; x_j = e_j for j > 21
//   h_1(j) = max(6 - |j - 11|, 0), h_2(j) = h_1(j - 4), h_3(j) = h_1(j + 4)
//   class 0: waves 1 and 2, class 1: 1 and 3, class 2: 2 and 3
//
// All waves are 0 at 1 and 21: 19 of 40 features carry the classes.
#ifndef WHITTLE_TOOLS_EVIDENCE_WAVEFORM_H_
#define WHITTLE_TOOLS_EVIDENCE_WAVEFORM_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "whittle/base/random.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle::evidence {

inline constexpr std::size_t kWaveFeatures = 40;
inline constexpr std::uint32_t kWaveClasses = 3;

struct WaveSample {
  std::vector<Real> x;
  std::uint32_t label = 0;
};

inline Real wave(std::uint32_t which, std::size_t place) {
  constexpr int kMiddle[kWaveClasses] = {11, 15, 7};
  const int height = 6 - std::abs(static_cast<int>(place) - kMiddle[which]);
  return static_cast<Real>(height > 0 ? height : 0);
}

// Nearly normal: the sum of twelve uniform numbers, without a logarithm that boards could differ
// in.
inline Real noise(Random& random) {
  Real sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

inline std::vector<WaveSample> make_waveforms(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<WaveSample> samples(count);
  for (WaveSample& sample : samples) {
    sample.label = random.below(kWaveClasses);
    const std::uint32_t a = sample.label == 2 ? 1 : 0;
    const std::uint32_t b = sample.label == 0 ? 1 : 2;
    const Real u = random.uniform();
    for (std::size_t place = 1; place <= kWaveFeatures; ++place) {
      const Real signal = place > 21 ? Real(0) : u * wave(a, place) + (1 - u) * wave(b, place);
      sample.x.push_back(signal + noise(random));
    }
  }
  return samples;
}

// To mean 0 and population standard deviation 1.
inline void standardise(std::vector<WaveSample>& samples) {
  const Real count = static_cast<Real>(samples.size());
  for (std::size_t r = 0; r < kWaveFeatures; ++r) {
    Real mean = 0, squares = 0;
    for (const WaveSample& sample : samples) mean += sample.x[r] / count;
    for (WaveSample& sample : samples) {
      sample.x[r] -= mean;
      squares += sample.x[r] * sample.x[r] / count;
    }
    for (WaveSample& sample : samples) sample.x[r] /= std::sqrt(squares);
  }
}

inline bool carries_waves(std::size_t feature) { return feature >= 1 && feature <= 19; }

// Probability that a feature that carries waves has a larger score than one of noise.
inline double wave_auc(Span<const Real> scores) {
  double won = 0, pairs = 0;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    for (std::size_t b = 0; b < scores.size(); ++b) {
      if (!carries_waves(a) || carries_waves(b)) continue;
      ++pairs;
      if (scores[a] == scores[b]) won += 0.5;
      if (scores[a] > scores[b]) ++won;
    }
  }
  return won / pairs;
}

}  // namespace whittle::evidence

#endif  // WHITTLE_TOOLS_EVIDENCE_WAVEFORM_H_
