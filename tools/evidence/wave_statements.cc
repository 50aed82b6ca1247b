// How well scores tell Breiman's waveforms from noise (thesis 3.6.2, 4.5):
//   wave_statements WAVE.csv
//
// Features x1..x40, of which x22 to x40 are noise, and x1 and x21 too: the waves are 0 there.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <numeric>
#include <string>

#include "tools/evidence/rank_rows.h"
#include "whittle/base/random.h"
#include "whittle/select/cls.h"
#include "whittle/select/csfs.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/wckm.h"

namespace whittle::evidence {
namespace {

Rows picked_at_random(Random& random, std::size_t size, std::size_t count) {
  Rows rows(size);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(rows[i], rows[i + random.below(static_cast<std::uint32_t>(size - i))]);
  }
  rows.resize(count);
  return rows;
}

constexpr std::size_t kWaveSamples = 1000;
constexpr std::size_t kWaveLabels = 8;
constexpr int kDraws = 20;

// Waves are 0 at the first and the last of their 21 places.
bool is_noise(std::uint32_t feature) { return feature == 0 || feature >= 20; }

// Probability that a noise feature is ranked after one that is not.
double noise_last(const Ranks& order) {
  double signals = 0, after = 0, noise = 0;
  for (const std::uint32_t feature : order) {
    if (is_noise(feature)) {
      after += signals;
      ++noise;
    } else {
      ++signals;
    }
  }
  return after / (signals * noise);
}

cli::Dataset standardised(cli::Dataset data) {
  for (std::size_t r = 0; r < data.features(); ++r) {
    double sum = 0, squares = 0;
    const auto n = static_cast<double>(data.samples());
    for (std::size_t i = r; i < data.values.size(); i += data.features()) {
      sum += static_cast<double>(data.values[i]);
    }
    for (std::size_t i = r; i < data.values.size(); i += data.features()) {
      const double d = static_cast<double>(data.values[i]) - sum / n;
      squares += d * d;
    }
    for (std::size_t i = r; i < data.values.size(); i += data.features()) {
      data.values[i] = static_cast<Real>((static_cast<double>(data.values[i]) - sum / n) /
                                         std::sqrt(squares / n));
    }
  }
  return data;
}

void wave_line(const std::string& name, const RankerConfig& config, const cli::Dataset& data) {
  double sum = 0, least = 1;
  for (int draw = 0; draw < kDraws; ++draw) {
    Random random(static_cast<std::uint64_t>(draw) + 1);
    const Rows rows = picked_at_random(random, data.samples(), kWaveSamples);
    const double share =
        noise_last(rank_rows(config, data, rows, Rows(rows.begin(), rows.begin() + kWaveLabels)));
    sum += share;
    least = std::min(least, share);
  }
  std::printf("%-36s %.3f, at least %.3f\n", name.c_str(), sum / kDraws, least);
}

void wave(const std::string& path) {
  const cli::Dataset raw = cli::read_dataset_file(path, std::cin, {});
  const cli::Dataset scaled = standardised(raw);
  std::printf("Wave, %zu of %zu samples, %zu labelled, %d draws: noise ranked after signal\n",
              kWaveSamples, raw.samples(), kWaveLabels, kDraws);
  wave_line("ls", config_with(kLs), raw);
  wave_line("cls", config_with(kCls), raw);
  wave_line("csfs", config_with(kCsfs), raw);
  wave_line("ls, z-scored", config_with(kLs), scaled);
  wave_line("cls, z-scored", config_with(kCls), scaled);
  wave_line("csfs, z-scored", config_with(kCsfs), scaled);
  for (const SelectorType* type : {&kWckm, &kL2gfs}) {
    const std::string id = type->id;
    const RankerConfig weight = config_with(*type, "relevance", 1);
    const RankerConfig effective = config_with(*type, "relevance", 2);
    wave_line(id + ", weight", weight, raw);
    wave_line(id + ", effective, z-scored", effective, scaled);
    wave_line(id + ", effective", effective, raw);
    wave_line(id + ", weight, z-scored", weight, scaled);
  }
}

}  // namespace
}  // namespace whittle::evidence

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "wave_statements FILE.csv\n");
    return 2;
  }
  try {
    whittle::evidence::wave(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wave_statements: %s\n", error.what());
    return 1;
  }
  return 0;
}
