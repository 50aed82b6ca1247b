#include <cmath>
#include <cstdio>

#include "tools/soak/soak.h"
#include "whittle/base/random.h"
#include "whittle/select/fisher.h"
#include "whittle/select/variance.h"

namespace whittle::soak {
namespace {

constexpr std::uint32_t kFeatures = 6;
constexpr std::uint32_t kClasses = 2;
constexpr std::size_t kGroups = kClasses + 2;  // two classes, unlabelled, universum
constexpr double kOffset = 1e4;
constexpr double kBound = 1e-5;  // of relative errors

// A sum that loses nothing which 2^53 times smaller terms would add (Neumaier).
class Sum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    rest_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};

// Of one feature over one group, taken from kOffset, which is exact in double.
struct Reference {
  std::uint64_t count = 0;
  Sum sum;
  Sum squares;
  void add(Real x) {
    const double d = static_cast<double>(x) - kOffset;
    ++count;
    sum.add(d);
    squares.add(d * d);
  }
  double mean() const { return sum.value() / static_cast<double>(count); }  // less kOffset
  double variance() const { return squares.value() / static_cast<double>(count) - mean() * mean(); }
};

double uniform(Random& random) { return static_cast<double>(random.uniform()); }
double normal_like(Random& random) {  // mean 0, variance 1
  const double sum = uniform(random) + uniform(random) + uniform(random) + uniform(random);
  return (sum - 2) * 1.7320508;
}

// Six kinds of signal about the offset; `progress` goes from 0 to 1.
void next_values(std::uint64_t t, double progress, Random& random, Real* x) {
  x[0] = static_cast<Real>(kOffset + normal_like(random));
  x[1] = static_cast<Real>(kOffset + 0.01 * normal_like(random));  // ten steps of float wide
  x[2] = static_cast<Real>(kOffset + 100 * progress + normal_like(random));  // drifts
  x[3] = static_cast<Real>(kOffset + (t % 2 == 0 ? 1000 : -1000));           // extremes in turn
  x[4] = static_cast<Real>(kOffset + (random.below(1000) == 0 ? 5000 : 0));  // rare peaks
  x[5] = random.below(16) == 0 ? kNoScore                                    // missing now and then
                               : static_cast<Real>(kOffset + 10 * normal_like(random));
}

Sample next_sample(std::uint64_t t, Random& random, const Real* x) {
  Sample sample;
  sample.features = Span<const Real>(x, kFeatures);
  const std::uint32_t kind = random.below(8);
  if (kind < 2) return {sample.features, SampleKind::labelled, kind};
  sample.kind = kind == 2 ? SampleKind::universum : SampleKind::unlabelled;
  sample.id = t + 1;
  return sample;
}

std::size_t group_of(const Sample& sample) {
  if (sample.kind == SampleKind::labelled) return sample.label;
  return sample.kind == SampleKind::unlabelled ? kClasses : kClasses + 1;
}

struct Errors {
  double mean = 0;
  double mean_by_deviation = 0;  // in standard deviations
  double variance = 0;
  bool counts = true;
};

Errors compare(const StreamMemory& memory, const Reference (&reference)[kGroups][kFeatures]) {
  Errors worst;
  for (std::size_t g = 0; g < kGroups; ++g) {
    for (std::size_t r = 0; r < kFeatures; ++r) {
      const Reference& exact = reference[g][r];
      if (exact.count < 2) continue;
      const Moment moment = memory.moment(g, r);
      const double mean =
          (static_cast<double>(moment.mean) - kOffset) + static_cast<double>(moment.mean_rest);
      const double error = std::fabs(mean - exact.mean());
      const double variance = exact.variance();
      worst.mean = std::fmax(worst.mean, error / kOffset);
      worst.mean_by_deviation = std::fmax(worst.mean_by_deviation, error / std::sqrt(variance));
      worst.variance = std::fmax(
          worst.variance, std::fabs(static_cast<double>(moment.variance()) - variance) / variance);
      worst.counts &= moment.count == static_cast<Real>(exact.count);
    }
  }
  return worst;
}

bool print(std::uint64_t samples, const Errors& errors) {
  std::printf("| %llu | %.1e | %.1e | %.1e | %s |\n", static_cast<unsigned long long>(samples),
              errors.mean, errors.mean_by_deviation, errors.variance,
              errors.counts ? "equal" : "DIFFER");
  std::fflush(stdout);
  return errors.mean <= kBound && errors.variance <= kBound && errors.counts;
}

}  // namespace

bool soak_moments(std::uint64_t samples) {
  std::printf(
      "Moments of %u signals at offset 1e4, %u classes, unlabelled and universum: the "
      "largest error of any\n\n"
      "| samples | mean, relative | mean, in deviations | variance, relative | counts |\n"
      "|---|---|---|---|---|\n",
      kFeatures, kClasses);
  RankerConfig config(kFisher);
  config.memory.features = kFeatures;
  config.memory.classes = kClasses;
  RankerInArena ranker(config);
  if (!ranker.created()) return false;
  static Reference reference[kGroups][kFeatures];
  Random random(1);
  bool good = true;
  std::uint64_t next_look = 1000;
  for (std::uint64_t t = 1; t <= samples; ++t) {
    Real x[kFeatures];
    next_values(t, static_cast<double>(t) / static_cast<double>(samples), random, x);
    const Sample sample = next_sample(t, random, x);
    if (!ranker->observe(sample).ok()) return false;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      if (!std::isnan(x[r])) reference[group_of(sample)][r].add(x[r]);
    }
    if (t != next_look && t != samples) continue;
    next_look *= 10;
    good &= print(t, compare(ranker->memory(), reference));
  }
  return good;
}

}  // namespace whittle::soak
