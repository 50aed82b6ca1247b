// Breiman's waveforms with noise features, by formula: the data of the thesis's "Wave".
#ifndef WHITTLE_TESTS_SHARED_WAVEFORM_H_
#define WHITTLE_TESTS_SHARED_WAVEFORM_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tests/shared/test_streams.h"

namespace whittle::testing {

inline constexpr std::uint32_t kWaveFeatures = 40;

// Mean 0, variance 1, nearly normal.
inline Real nearly_normal(Random& random) {
  Real sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

// A triangle of height 6 about place 10 + shift of 0..20.
inline int triangle(int place, int shift) { return std::max(6 - std::abs(place - 10 - shift), 0); }

// Mixes two of three triangles by a share that is uniform, and adds noise of variance 1; features
// 21 to 39 are noise alone. Breiman et al., Classification and Regression Trees, 1984, 2.6.2.
inline Row wave(std::uint32_t label, Random& random) {
  constexpr int kShifts[3][2] = {{0, 4}, {0, -4}, {4, -4}};
  Row row;
  row.label = label;
  const Real share = random.uniform();
  for (int r = 0; r < static_cast<int>(kWaveFeatures); ++r) {
    const auto first = static_cast<Real>(triangle(r, kShifts[label][0]));
    const auto second = static_cast<Real>(triangle(r, kShifts[label][1]));
    const Real mean = r > 20 ? Real(0) : share * first + (Real(1) - share) * second;
    row.x.push_back(mean + nearly_normal(random));
  }
  return row;
}

// Features without signal: the noise, and the ends of the waves, which are 0 there.
inline bool is_wave_noise(std::uint32_t feature) { return feature == 0 || feature >= 20; }

// `count` waves of random classes, the first `labelled` of them with their label.
inline std::vector<Row> make_waves(std::size_t count, std::size_t labelled, std::uint64_t seed) {
  Random random(seed);
  std::vector<Row> rows;
  while (rows.size() < count) {
    rows.push_back(wave(random.below(3), random));
    if (rows.size() <= labelled) rows.back().kind = SampleKind::labelled;
  }
  return rows;
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_WAVEFORM_H_
