// What a warm start saves, for each iterative selector: at m = 128, n = 256, one more sample enters
// and the oldest leaves; refine to convergence from the solution before, against a cold solve by a
// new selector that is given the same points.
//   refine_bench [CHANGES]
//
// A quarter of the stream and of the points held is labelled. An unlabelled sample makes an
// unlabelled point leave, a labelled one a labelled one: told apart here, since the latter changes
// more. Iterations are those of refine() until info says `converged`: for a method that is not
// convex the cold restart in spare steps comes after that. Times are of the processor, means over
// the changes; the ratio is that of the means. Also how often the cold restart found something
// better by more than 0.1 %.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <vector>

#include "tools/bench/bench_stream.h"
#include "whittle/select/drsvm.h"
#include "whittle/select/fsmanifold.h"
#include "whittle/select/jsfs.h"
#include "whittle/select/l0svm.h"
#include "whittle/select/l1svm.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/senfs.h"
#include "whittle/select/wckm.h"

namespace whittle::bench {
namespace {

constexpr const SelectorType* kSelectors[] = {&kSenfs,      &kDrsvm, &kL1svm, &kL0svm,
                                              &kFsmanifold, &kJsfs,  &kWckm,  &kL2gfs};

constexpr std::uint32_t kFeatures = 128;
constexpr std::uint32_t kHeld = 256;
constexpr std::size_t kRelevant = 16;  // features that tell the two classes apart

constexpr std::uint32_t kLabelled = kHeld / 4;

// A stream of two overlapping classes, every fourth sample labelled, so that the held set keeps its
// shares.
class Stream {
 public:
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
    item.kind = count_++ % (kHeld / kLabelled) == 0 ? SampleKind::labelled : SampleKind::unlabelled;
    item.label = label;
    return item;
  }

 private:
  std::size_t count_ = 0;
  Random random_{7};
};

RankerConfig config_of(const SelectorType& type) {
  RankerConfig config(type, kAllParts);
  config.memory.features = kFeatures;
  config.memory.classes = 2;
  config.memory.labelled = kLabelled;
  config.memory.window = kHeld - kLabelled;
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

const InfoEntry* find_info(const FeatureRanker& ranker, const char* name) {
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    if (std::strcmp(ranker.info()[i].name, name) == 0) return &ranker.info()[i];
  }
  return nullptr;
}

bool says_converged(FeatureRanker& ranker) {
  if (!ranker.rank(0).ok()) return false;
  const InfoEntry* converged = find_info(ranker, "converged");
  return converged != nullptr && converged->number != 0;
}

Real objective_of(FeatureRanker& ranker) {
  if (!ranker.rank(0).ok()) return 0;
  const InfoEntry* objective = find_info(ranker, "objective");
  return objective == nullptr ? 0 : objective->number;
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
    const std::clock_t start = std::clock();
    const Refinement done = ranker.refine(1);
    run.microseconds += 1e6 / CLOCKS_PER_SEC * static_cast<double>(std::clock() - start);
    run.iterations += done.iterations;
    more = !done.converged && !says_converged(ranker);
  }
  return run;
}

void finish(FeatureRanker& ranker) {
  while (!ranker.refine(1000).converged) {
  }
}

// A new selector for what one that saw all of `seen` holds.
bool solve_cold(const RankerConfig& config, const std::deque<Stream::Item>& seen, Run* run) {
  RankerInArena cold(config);
  if (!cold.created() || !prepare(*cold)) return false;
  for (const Stream::Item& item : seen) {
    if (!check(cold->observe(item.sample()))) return false;
  }
  *run = settle(*cold);
  return true;
}

// Sums over changes.
struct Total {
  Run warm, cold;
  double changes = 0;
  void add(const Run& again, const Run& anew) {
    warm.iterations += again.iterations;
    warm.microseconds += again.microseconds;
    cold.iterations += anew.iterations;
    cold.microseconds += anew.microseconds;
    changes += 1;
  }
  void print(const char* id, const char* entering) const {
    std::printf("| %-10s | %-10s | %6.0f | %6.0f | %9.0f | %9.0f | %6.1f |", id, entering,
                cold.iterations / changes, warm.iterations / changes, cold.microseconds / changes,
                warm.microseconds / changes, cold.microseconds / warm.microseconds);
  }
};

void compare(const SelectorType& type, std::size_t changes) {
  const RankerConfig config = config_of(type);
  RankerInArena warm(config);
  Stream stream;
  std::deque<Stream::Item> seen;
  if (!warm.created() || !prepare(*warm)) return;
  Total all, labelled, unlabelled;
  int restarts_won = 0;
  while (seen.size() < kHeld + changes) {
    seen.push_back(stream.next());
    if (!check(warm->observe(seen.back().sample()))) return;
    if (seen.size() < kHeld) continue;
    const Run again = settle(*warm);
    const Real settled = objective_of(*warm);
    finish(*warm);
    if (seen.size() == kHeld) continue;  // nothing to start from yet
    Run anew;
    if (!solve_cold(config, seen, &anew)) return;
    restarts_won += objective_of(*warm) < settled - Real(1e-3) * std::abs(settled) ? 1 : 0;
    all.add(again, anew);
    (seen.back().kind == SampleKind::labelled ? labelled : unlabelled).add(again, anew);
  }
  labelled.print(type.id, "labelled");
  std::printf("          |\n");
  unlabelled.print(type.id, "unlabelled");
  std::printf("          |\n");
  all.print(type.id, "any");
  std::printf(" %2d of %2zu |\n", restarts_won, changes);
  std::fflush(stdout);
}

}  // namespace
}  // namespace whittle::bench

int main(int argc, char** argv) {
  const long changes = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 40;
  if (changes < 8) {
    std::fprintf(stderr, "usage: refine_bench [CHANGES, at least 8]\n");
    return 2;
  }
  std::printf(
      "| selector   | entering   |   cold |   warm | cold (us) | warm (us) |  ratio | restarts |\n"
      "|------------|------------|--------|--------|-----------|-----------|--------|----------|"
      "\n");
  for (const auto* type : whittle::bench::kSelectors) {
    whittle::bench::compare(*type, static_cast<std::size_t>(changes));
  }
}
