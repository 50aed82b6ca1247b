// How often the drift detector raises false alarms, how long it takes to see a change, and how it
// takes changes that come back: the tables of docs/pruning.md.
//
//   drift_rates [SAMPLES]     2,000,000 unless given; about 20 s
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "whittle/base/random.h"
#include "whittle/rank/drift.h"

namespace {

using whittle::DriftConfig;
using whittle::DriftDetector;
using whittle::Random;
using whittle::Real;
using whittle::Span;

double uniform(Random& random) { return (random.next() + 0.5) / 4294967296.0; }
double normal(Random& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * M_PI * uniform(random));
}

// One feature over time.
using Signal = std::function<double(Random&)>;

struct Named {
  const char* name;
  std::function<Signal()> make;
};

Signal autoregression(double a) {
  return [a, x = 0.0](Random& random) mutable {
    return x = a * x + std::sqrt(1 - a * a) * normal(random);
  };
}

Signal wave(double period, double height) {
  return [period, height, t = 0.0](Random& random) mutable {
    return height * std::sin(2 * M_PI * ++t / period) + normal(random);
  };
}

std::vector<Named> signals() {
  return {
      {"normal", [] { return Signal(normal); }},
      {"uniform", [] { return Signal(uniform); }},
      {"exponential", [] { return Signal([](Random& r) { return -std::log(uniform(r)); }); }},
      {"Cauchy", [] { return Signal([](Random& r) { return std::tan(M_PI * uniform(r)); }); }},
      {"1 in 100 samples 1, else 0",
       [] { return Signal([](Random& r) { return uniform(r) < 0.01 ? 1.0 : 0.0; }); }},
      {"autoregression 0.5", [] { return autoregression(0.5); }},
      {"autoregression 0.9", [] { return autoregression(0.9); }},
      {"autoregression 0.99", [] { return autoregression(0.99); }},
      {"noise on a wave, 32 samples long, of its size", [] { return wave(32, 1.4); }},
      {"noise on a wave, 500 samples long, of its size", [] { return wave(500, 1.4); }},
  };
}

class Watch {
 public:
  explicit Watch(const DriftConfig& config)
      : bytes_(DriftDetector::required_bytes(config) + whittle::kArenaAlignment),
        values_(config.features) {
    whittle::Arena arena(bytes_.data(), bytes_.size());
    detector_.place(arena, config);
  }
  bool observe(std::vector<Signal>& signals, Random& random, double shift = 0, double factor = 1) {
    for (std::size_t r = 0; r < values_.size(); ++r) {
      const double value = signals[r](random);
      values_[r] = static_cast<Real>(r == 0 ? shift + factor * value : value);
    }
    return detector_.observe(Span<const Real>(values_.data(), values_.size()));
  }

 private:
  std::vector<unsigned char> bytes_;
  std::vector<Real> values_;
  DriftDetector detector_;
};

void print_rates(long samples) {
  constexpr std::uint32_t kFeatures = 4;
  constexpr double kEvery = 10000;
  std::printf("| values | false alarms per 10^6 samples; at most %.0f by the bound |\n|---|---|\n",
              1e6 / kEvery);
  for (const Named& named : signals()) {
    Watch watch({kFeatures, 128, static_cast<Real>(kEvery)});
    std::vector<Signal> features;
    for (std::uint32_t r = 0; r < kFeatures; ++r) features.push_back(named.make());
    Random random(1);
    long alarms = 0;
    for (long i = 0; i < samples; ++i) alarms += watch.observe(features, random) ? 1 : 0;
    std::printf("| %s | %.1f |\n", named.name,
                1e6 * static_cast<double>(alarms) / static_cast<double>(samples));
  }
}

// Mean of samples to the alarm over 50 streams; "-" where some of them raise none in 2000.
void print_delay(const DriftConfig& config, double shift, double factor) {
  constexpr int kRounds = 50;
  long sum = 0;
  int seen = 0;
  for (int round = 0; round < kRounds; ++round) {
    Watch watch(config);
    std::vector<Signal> features(config.features, Signal(normal));
    Random random(100 + static_cast<std::uint64_t>(round));
    for (int i = 0; i < 1500 + 37 * round % 255; ++i)
      static_cast<void>(watch.observe(features, random));
    for (int i = 1; i <= 2000; ++i) {
      if (!watch.observe(features, random, shift, factor)) continue;
      sum += i;
      ++seen;
      break;
    }
  }
  if (seen == kRounds) {
    std::printf(" %ld |", sum / kRounds);
  } else {
    std::printf(" in %d of %d |", seen, kRounds);
  }
}

void print_delays() {
  std::printf(
      "\n| change of one of 8 normal features | B = 64 | B = 128 | B = 255 |\n|---|---|---|---|\n");
  const double changes[][2] = {{0.5, 1}, {0.75, 1}, {1, 1},   {2, 1},
                               {0, 1.5}, {0, 2},    {0, 0.5}, {0, 0.25}};
  for (const auto& change : changes) {
    if (change[0] > 0) {
      std::printf("| mean by %.2g sd |", change[0]);
    } else {
      std::printf("| sd times %.2g |", change[1]);
    }
    for (const std::uint32_t block : {64U, 128U, 255U}) {
      print_delay({8, block, 1'000'000}, change[0], change[1]);
    }
    std::printf("\n");
  }
}

// How many changes of one of 8 normal features are seen, within 512 samples, if it goes up and down
// again and again: 10 streams of 30,000 samples.
void print_returning() {
  constexpr int kSamples = 30000;
  std::printf("\n| mean up and down, every | 1500 samples | 3000 | 10,000 |\n|---|---|---|---|\n");
  for (const double size : {1.0, 2.0, 5.0}) {
    std::printf("| by %.0f sd |", size);
    for (const int every : {1500, 3000, 10000}) {
      int seen = 0;
      for (std::uint64_t round = 0; round < 10; ++round) {
        Watch watch({8, 128, 1'000'000});
        std::vector<Signal> features(8, Signal(normal));
        Random random(1 + round);
        bool waiting = false;
        for (int i = 1; i < kSamples; ++i) {
          if (i % every == 0) waiting = true;
          const bool alarm = watch.observe(features, random, i / every % 2 == 1 ? size : 0.0);
          if (!alarm || !waiting || i % every > 512) continue;
          ++seen;
          waiting = false;
        }
      }
      std::printf(" %d of %d |", seen, 10 * ((kSamples - 1) / every));
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  print_rates(argc > 1 ? std::atol(argv[1]) : 2'000'000);
  print_delays();
  print_returning();
}
