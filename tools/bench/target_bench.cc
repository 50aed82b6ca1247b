// Instructions on a Cortex-M board in QEMU, which with -icount shift=5 lets 32 ns pass per
// instruction: at 25 MHz, SysTick counts exactly 0.8 per instruction.
#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "ports/cortex_m/ticks.h"
#include "tools/bench/dear_streams.h"
#include "whittle/select/cls.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/variance.h"

namespace whittle::bench {
namespace {

template <typename Work>
std::uint64_t ticks_of(const Work& work) {
  const std::uint64_t begin = ports::read_ticks();
  work();
  return ports::read_ticks() - begin;
}

// Instructions of work(), less those of reading the counter; within 2.
template <typename Work>
double instructions_of(const Work& work) {
  static const std::uint64_t idle = ticks_of([] {});
  const std::uint64_t ticks = ticks_of(work);
  return static_cast<double>(ticks - std::min(ticks, idle)) / 0.8;
}

struct Cost {
  double total = 0;
  double worst = 0;
  unsigned count = 0;
  void add(double instructions) {
    total += instructions;
    worst = std::max(worst, instructions);
    ++count;
  }
  double average() const { return total / count; }
};

bool failed = false;

void require(bool good, const char* what) {
  if (good) return;
  std::printf("FAILED: %s\n", what);
  failed = true;
}

const char* verdict(double value, double limit) { return value <= limit ? "met" : "MISSED"; }

// ---- Moments

constexpr std::uint32_t kMomentSamples = 2048;  // 16 merges of blocks among them

Cost moment_cost(const SelectorType& type, std::uint32_t features, bool labelled) {
  RankerConfig config(type);
  config.memory.features = features;
  config.memory.classes = 2;
  RankerInArena ranker(config);
  const Rows rows(8, features, 1);
  Cost cost;
  for (std::uint32_t t = 0; t < kMomentSamples; ++t) {
    const Sample sample = labelled ? rows.labelled(t % 8, t / 8 % 2) : rows.unlabelled(t % 8);
    bool taken = false;
    cost.add(instructions_of([&] { taken = ranker->observe(sample).ok(); }));
    require(taken, "observe");
  }
  return cost;
}

// A goal of 0 is none.
void report_moments(const SelectorType& type, bool labelled, double goal) {
  constexpr std::uint32_t kFeatures[] = {32, 128, 512};
  double averages[3];
  for (int i = 0; i < 3; ++i) {
    const Cost cost = moment_cost(type, kFeatures[i], labelled);
    averages[i] = cost.average();
    std::printf("%-9s observe, m = %3u: %9.1f a sample, %6.2f a feature; worst %7.0f\n", type.id,
                static_cast<unsigned>(kFeatures[i]), averages[i], averages[i] / kFeatures[i],
                cost.worst);
  }
  const double slope = (averages[2] - averages[0]) / (kFeatures[2] - kFeatures[0]);
  std::printf("%-9s observe, each further feature: %.2f", type.id, slope);
  if (goal > 0) std::printf("; goal %.0f: %s", goal, verdict(slope, goal));
  std::printf("\n");
}

// ---- Held points

constexpr std::uint32_t kFeatures = 32;
constexpr std::uint32_t kHeld = 64;
constexpr std::uint32_t kLabelled = 16;
constexpr double kObserveGoal = 45000;

RankerConfig graph_config(const SelectorType& type) {
  RankerConfig config(type);  // k is 10
  config.memory.features = kFeatures;
  config.memory.classes = 2;
  config.memory.labelled = kLabelled;
  config.memory.window = kHeld - kLabelled;
  return config;
}

Sample next_sample(NextSample stream, std::uint32_t t, Random& random, Real* x) {
  stream(t, kFeatures, random, x);
  // Every fourth is labelled, as is every fourth of those held: the oldest of all leaves each time.
  const SampleKind kind = t % 4 == 0 ? SampleKind::labelled : SampleKind::unlabelled;
  return {{x, kFeatures}, kind, t / 4 % 2};
}

// Observes with every sample evicting one.
Cost held_cost(RankerInArena& ranker, NextSample stream) {
  Random random(1);
  Real x[kFeatures];
  Cost cost;
  for (std::uint32_t t = 0; t < 8 * kHeld; ++t) {
    const Sample sample = next_sample(stream, t, random, x);
    bool taken = false;
    const double instructions = instructions_of([&] { taken = ranker->observe(sample).ok(); });
    require(taken, "observe");
    if (t >= 2 * kHeld) cost.add(instructions);
  }
  return cost;
}

void report_graph(const char* name, NextSample stream) {
  RankerInArena ranker(graph_config(kCls));
  const Cost cost = held_cost(ranker, stream);
  std::printf("cls observe, %-11s %6.0f on average (goal %.0f: %s), worst %6.0f (%s)\n", name,
              cost.average(), kObserveGoal, verdict(cost.average(), kObserveGoal), cost.worst,
              verdict(cost.worst, kObserveGoal));
}

double score_cost(RankerInArena& ranker) {
  bool scored = false;
  const double instructions = instructions_of([&] { scored = ranker->rank(0).ok(); });
  require(scored, "rank");
  return instructions;
}

void report_score(const SelectorType& type) {
  RankerInArena ranker(graph_config(type));
  held_cost(ranker, normal);
  std::printf("%-5s rank: %8.0f\n", type.id, score_cost(ranker));
}

void report_l2gfs() {
  RankerInArena ranker(graph_config(kL2gfs));
  const Cost observe = held_cost(ranker, normal);
  std::printf("l2gfs observe: %7.0f on average, worst %7.0f\n", observe.average(), observe.worst);
  const double refine = instructions_of([&] { ranker->refine(1); });
  std::printf("l2gfs refine(1): %8.0f the first, with the start", refine);
  std::printf(", %8.0f the second\n", instructions_of([&] { ranker->refine(1); }));
  std::printf("l2gfs rank: %8.0f\n", score_cost(ranker));
}

}  // namespace

int run() {
  std::printf("Instructions, average over %u samples, merges of blocks included\n",
              static_cast<unsigned>(kMomentSamples));
  report_moments(kVariance, false, 12);
  report_moments(kFisher, true, 0);
  std::printf("\nInstructions with n = %u held (%u labelled, 2 classes), m = %u, k = 10\n",
              static_cast<unsigned>(kHeld), static_cast<unsigned>(kLabelled),
              static_cast<unsigned>(kFeatures));
  report_graph("normal:", normal);
  report_graph("outward:", outward);
  report_graph("inward:", inward);
  report_graph("out_and_in:", out_and_in);
  report_graph("extremes:", extremes);
  report_graph("hubs:", hubs);
  report_graph("relay:", relay);
  report_graph("duplicates:", duplicates);
  report_score(kLs);
  report_score(kCls);
  report_l2gfs();
  return failed ? 1 : 0;
}

}  // namespace whittle::bench

int main() { return whittle::bench::run(); }
