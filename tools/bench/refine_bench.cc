// What a warm start saves, for each iterative selector: at m = 128, n = 256, one more sample enters
// and the oldest leaves; refine to convergence from the solution before, against a cold solve by a
// new selector that is given the same points.
//   refine_bench [CHANGES]
//
// Iterations are those of refine() until info says `converged`: for a method that is not convex the
// cold restart in spare steps comes after that. Times are of one thread, the median of the changes;
// warm and cold alternate, so that a busy machine slows both.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#include "tools/bench/bench_stream.h"
#include "whittle/select/drsvm.h"
#include "whittle/select/l1svm.h"
#include "whittle/select/senfs.h"

namespace whittle::bench {
namespace {

constexpr const SelectorType* kSelectors[] = {&kSenfs, &kDrsvm, &kL1svm};

constexpr std::uint32_t kFeatures = 128;
constexpr std::uint32_t kHeld = 256;
constexpr std::size_t kRelevant = 16;  // features that tell the two classes apart

struct Case {
  const char* name;
  std::uint32_t labelled;  // of the points held
};
constexpr Case kCases[] = {{"a quarter labelled", kHeld / 4}, {"half labelled", kHeld / 2}};

using Clock = std::chrono::steady_clock;

// A stream of two overlapping classes, in turn, every few samples labelled so that the held set
// keeps its shares.
class Stream {
 public:
  explicit Stream(std::uint32_t labelled) : every_(kHeld / labelled), random_(7) {}

  struct Item {
    std::vector<Real> x;
    SampleKind kind;
    std::uint32_t label;
    Sample sample() const { return {{x.data(), x.size()}, kind, label}; }
  };
  Item next() {
    Item item;
    const std::uint32_t label = random_.below(2);
    const Real shared = normal_like(random_);  // correlates the relevant features
    for (std::size_t r = 0; r < kFeatures; ++r) {
      Real value = normal_like(random_);
      if (r < kRelevant) {
        value = Real(0.7) * value + Real(0.7) * shared + (label == 0 ? Real(-0.6) : Real(0.6));
      }
      item.x.push_back(value);
    }
    item.kind = count_++ % every_ == 0 ? SampleKind::labelled : SampleKind::unlabelled;
    item.label = label;
    return item;
  }

 private:
  std::uint32_t every_;
  std::size_t count_ = 0;
  Random random_;
};

RankerConfig config_of(const SelectorType& type, const Case& shares) {
  RankerConfig config(type, kAllParts);
  config.memory.features = kFeatures;
  config.memory.classes = 2;
  config.memory.labelled = shares.labelled;
  config.memory.window = kHeld - shares.labelled;
  config.memory.scaling = Scaling::zscore;
  return config;
}

bool check(const Status& status) {
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.reason());
  return status.ok();
}

bool prepare(FeatureRanker& ranker) {
  const std::vector<Real> offset(kFeatures, 0), gain(kFeatures, 1);
  return check(ranker.set_scale(0, {offset.data(), kFeatures}, {gain.data(), kFeatures}));
}

bool says_converged(FeatureRanker& ranker) {
  if (!ranker.rank(0).ok()) return false;
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    if (std::strcmp(ranker.info()[i].name, "converged") == 0) return ranker.info()[i].number != 0;
  }
  return false;
}

struct Run {
  double iterations = 0;
  double microseconds = 0;
};

// Refines until the scores have converged, or nothing is left to do. The clock stands while the
// scores are looked at.
Run settle(FeatureRanker& ranker) {
  Run run;
  for (bool more = true; more;) {
    const Clock::time_point start = Clock::now();
    const Refinement done = ranker.refine(1);
    run.microseconds +=
        std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    run.iterations += done.iterations;
    more = !done.converged && !says_converged(ranker);
  }
  return run;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void compare(const SelectorType& type, const Case& shares, std::size_t changes) {
  const RankerConfig config = config_of(type, shares);
  RankerInArena warm(config);
  Stream stream(shares.labelled);
  std::deque<Stream::Item> seen;
  if (!warm.created() || !prepare(*warm)) return;
  const auto take = [&] {
    seen.push_back(stream.next());
    return check(warm->observe(seen.back().sample()));
  };
  for (std::uint32_t i = 0; i < kHeld; ++i) {
    if (!take()) return;
  }
  while (!warm->refine(1000).converged) {
  }
  std::vector<double> warm_times, cold_times, warm_steps, cold_steps;
  for (std::size_t change = 0; change < changes; ++change) {
    if (!take()) return;
    const Run again = settle(*warm);
    RankerInArena cold(config);
    if (!cold.created() || !prepare(*cold)) return;
    for (std::size_t i = seen.size() > 4 * kHeld ? seen.size() - 4 * kHeld : 0; i < seen.size();
         ++i) {
      if (!check(cold->observe(seen[i].sample()))) return;
    }
    const Run anew = settle(*cold);
    warm_times.push_back(again.microseconds);
    warm_steps.push_back(again.iterations);
    cold_times.push_back(anew.microseconds);
    cold_steps.push_back(anew.iterations);
    while (!warm->refine(1000).converged) {
    }
  }
  const double warm_time = median(warm_times), cold_time = median(cold_times);
  std::printf("| %-10s | %-18s | %6.0f | %6.0f | %9.0f | %9.0f | %6.1f |\n", type.id, shares.name,
              median(cold_steps), median(warm_steps), cold_time, warm_time, cold_time / warm_time);
  std::fflush(stdout);
}

}  // namespace
}  // namespace whittle::bench

int main(int argc, char** argv) {
  const long changes = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 25;
  if (changes < 1) {
    std::fprintf(stderr, "usage: refine_bench [CHANGES]\n");
    return 2;
  }
  std::printf("| selector   | held points        |   cold |   warm | cold (us) | warm (us) |  ratio |\n");
  std::printf("|------------|--------------------|--------|--------|-----------|-----------|--------|\n");
  for (const auto& shares : whittle::bench::kCases) {
    for (const auto* type : whittle::bench::kSelectors) {
      whittle::bench::compare(*type, shares, static_cast<std::size_t>(changes));
    }
  }
}
