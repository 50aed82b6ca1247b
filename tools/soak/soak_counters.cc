#include <cmath>
#include <cstdio>

#include "tools/soak/soak.h"
#include "whittle/select/ls.h"
#include "whittle/select/variance.h"

namespace whittle::soak {
namespace {

// 0, 1, 0, 1, ...: mean and variance are known whatever the count.
Sample next_sample(std::uint64_t t, const Real* zero_and_one) {
  Sample sample;
  sample.features = Span<const Real>(zero_and_one + t % 2, 1);
  sample.id = t;
  return sample;
}

bool observe_all(RankerInArena& ranker, std::uint64_t samples) {
  if (!ranker.created()) return false;
  const Real zero_and_one[] = {0, 1};
  for (std::uint64_t t = 1; t <= samples; ++t) {
    if (!ranker->observe(next_sample(t, zero_and_one)).ok()) return false;
  }
  return true;
}

bool print(const char* what, std::uint64_t expected, std::uint64_t counted) {
  std::printf("| %s | %llu | %llu |\n", what, static_cast<unsigned long long>(expected),
              static_cast<unsigned long long>(counted));
  std::fflush(stdout);
  return expected == counted;
}

bool count_moments(std::uint64_t samples) {
  RankerConfig config(kVariance);
  config.memory.features = 1;
  RankerInArena ranker(config);
  if (!observe_all(ranker, samples)) return false;
  const StreamMemory& memory = ranker->memory();
  bool good = print("samples taken in", samples, memory.counts().total());
  const Moment moment = memory.moment(memory.moments().unlabelled(), 0);
  good &= print("samples in the moments", samples, memory.count(memory.moments().unlabelled()));
  const double ones = static_cast<double>((samples + 1) / 2);
  const double mean = ones / static_cast<double>(samples);
  const double error =
      std::fabs(static_cast<double>(moment.mean) + static_cast<double>(moment.mean_rest) - mean) /
      mean;
  const double variance = mean * (1 - mean);
  const double variance_error =
      std::fabs(static_cast<double>(moment.variance()) - variance) / variance;
  std::printf("| relative error of mean, of variance | at most 1e-5 | %.1e, %.1e |\n", error,
              variance_error);
  return good && error <= 1e-5 && variance_error <= 1e-5;
}

// Ages and ids of held points.
bool count_held(std::uint64_t samples) {
  RankerConfig config(kLs);
  config.memory.features = 1;
  config.memory.window = 2;
  RankerInArena ranker(config);
  if (!observe_all(ranker, samples)) return false;
  const HeldPoints& points = ranker->memory().points();
  bool good = print("points held", 2, points.size());
  good &= print("arrival of the newest held", samples - 1, points.arrival(points.order()[1]));
  good &= print("arrival of the oldest held", samples - 2, points.arrival(points.order()[0]));
  good &= print("slot found by the newest id", points.order()[1], points.find(samples));
  return good;
}

}  // namespace

bool soak_counters(std::uint64_t samples) {
  std::printf(
      "Counters after %llu samples, 2^32 = 4294967296, one after the other\n\n"
      "| what | expected | found |\n|---|---|---|\n",
      static_cast<unsigned long long>(samples));
  const bool moments = count_moments(samples);
  const bool held = count_held(samples);
  return moments && held;
}

}  // namespace whittle::soak
