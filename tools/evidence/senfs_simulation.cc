// The simulation of [S] 4.1 (Table 1) with senfs and drsvm:
//   senfs_simulation [SEEDS]
//
// Two classes of 150 samples each in 500 dimensions; of the first 10 features the means are +1 and
// -1 and any two correlate with rho; the rest is noise. One sample of each class is labelled, all
// are z-scored. Per rho and method, means over the seeds: how many of the 10 relevant and of the
// 490 noise features are selected, how many of the best 10 are relevant, and the share of 1000 new
// samples that the model classifies wrongly. With two labels the error is a matter of luck: a
// labelled sample may lie where the other class is. So it is also given over the seeds in which
// both lie on their own side of the best boundary, beside the error of that boundary.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "whittle/base/random.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/select/drsvm.h"
#include "whittle/select/senfs.h"

namespace whittle::evidence {
namespace {

constexpr std::size_t kFeatures = 500;
constexpr std::size_t kRelevant = 10;
constexpr std::uint32_t kSamples = 300;
constexpr int kTestSamples = 1000;

void check(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.reason());
}

class Simulation {
 public:
  Simulation(double rho, std::uint64_t seed) : rho_(rho), random_(seed) {}

  // Of class 0 or 1.
  std::vector<double> sample(std::uint32_t label) {
    const double shared = normal();
    std::vector<double> x;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      const double own = normal();
      x.push_back(r >= kRelevant ? own
                                 : std::sqrt(rho_) * shared + std::sqrt(1 - rho_) * own +
                                       (label == 0 ? -1 : 1));
    }
    return x;
  }

 private:
  double normal() {  // Box and Muller
    const double u = 1 - static_cast<double>(random_.uniform());
    const double v = static_cast<double>(random_.uniform());
    return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
  }
  double rho_;
  Random random_;
};

// By the symmetry of the classes the best boundary is where the relevant features sum to 0.
std::uint32_t best_guess(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t r = 0; r < kRelevant; ++r) sum += x[r];
  return sum < 0 ? 0 : 1;
}

struct Result {
  double relevant = 0;  // selected
  double noise = 0;     // selected
  double top = 0;       // relevant ones among the best 10
  double error = 0;
};

class Learner {
 public:
  Learner(const SelectorType& type, const std::vector<std::vector<double>>& samples)
      : config_(type) {
    config_.memory.features = kFeatures;
    config_.memory.classes = 2;
    config_.memory.labelled = 2;
    config_.memory.window = kSamples;
    config_.memory.scaling = Scaling::zscore;
    buffer_.resize(FeatureRanker::required_bytes(config_) + kArenaAlignment);
    Arena arena(buffer_.data(), buffer_.size());
    check(ranker_.create(arena, config_));
    std::vector<Real> offset, gain;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      double mean = 0, squares = 0;
      for (const auto& x : samples) mean += x[r] / kSamples;
      for (const auto& x : samples) squares += (x[r] - mean) * (x[r] - mean) / kSamples;
      offset.push_back(static_cast<Real>(mean));
      gain.push_back(static_cast<Real>(1 / std::sqrt(squares)));
    }
    check(ranker_.set_scale(0, {offset.data(), kFeatures}, {gain.data(), kFeatures}));
    // The classes come in turn; the first of each has its label.
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const std::vector<Real> x = reals(samples[i]);
      check(ranker_.observe(
          {{x.data(), kFeatures}, i < 2 ? SampleKind::labelled : SampleKind::unlabelled, i % 2}));
    }
    while (!ranker_.refine(1000).converged) {
    }
    check(ranker_.rank(0));
  }

  Result result(Simulation& simulation) const {
    Result result;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      if (ranker_.ranking().selected()[r]) ++(r < kRelevant ? result.relevant : result.noise);
    }
    for (std::size_t i = 0; i < kRelevant; ++i) {
      result.top += ranker_.ranking().order()[i] < kRelevant ? 1 : 0;
    }
    for (int i = 0; i < kTestSamples; ++i) {
      const auto label = static_cast<std::uint32_t>(i % 2);
      const std::vector<Real> x = reals(simulation.sample(label));
      std::uint32_t guess = 2;
      check(ranker_.predict({x.data(), kFeatures}, &guess));
      result.error += guess == label ? 0 : 1.0 / kTestSamples;
    }
    return result;
  }

 private:
  static std::vector<Real> reals(const std::vector<double>& x) {
    std::vector<Real> all;
    for (const double value : x) all.push_back(static_cast<Real>(value));
    return all;
  }
  RankerConfig config_;
  std::vector<unsigned char> buffer_;
  FeatureRanker ranker_;
};

void study(const SelectorType& type, double rho, int seeds) {
  Result sum;
  double own_side = 0, error_there = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Simulation simulation(rho, static_cast<std::uint64_t>(seed));
    std::vector<std::vector<double>> samples;
    for (std::uint32_t i = 0; i < kSamples; ++i) samples.push_back(simulation.sample(i % 2));
    const Result one = Learner(type, samples).result(simulation);
    sum.relevant += one.relevant / seeds;
    sum.noise += one.noise / seeds;
    sum.top += one.top / seeds;
    sum.error += one.error / seeds;
    if (best_guess(samples[0]) != 0 || best_guess(samples[1]) != 1) continue;
    own_side += 1;
    error_there += one.error;
  }
  const double distance = std::sqrt(kRelevant / (1 + (kRelevant - 1) * rho));
  std::printf("| %3.1f | %-5s | %13.1f | %14.1f | %14.1f | %5.3f | %5.3f (%2.0f seeds) | %5.3f |\n",
              rho, type.id, sum.relevant, sum.noise, sum.top, sum.error, error_there / own_side,
              own_side, std::erfc(distance / std::sqrt(2.0)) / 2);
  std::fflush(stdout);
}

}  // namespace
}  // namespace whittle::evidence

int main(int argc, char** argv) {
  const long seeds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 20;
  if (seeds < 1) {
    std::fprintf(stderr, "usage: senfs_simulation [SEEDS]\n");
    return 2;
  }
  std::printf(
      "| rho |       | relevant kept | noise kept     | of the best 10 | error "
      "| error, own side  | least |\n");
  std::printf(
      "|-----|-------|---------------|----------------|----------------|-------"
      "|------------------|-------|\n");
  for (const double rho : {0.5, 0.9}) {
    for (const auto* type : {&whittle::kSenfs, &whittle::kDrsvm}) {
      whittle::evidence::study(*type, rho, static_cast<int>(seeds));
    }
  }
}
