// Instructions that each selector of the node's catalog takes on a Cortex-M board in QEMU, as a
// table of Markdown: the largest count of any sample, of any ranking and of any step of refine over
// streams made to be dear. Counted as in target_bench.cc.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "examples/sensor_node/catalog.h"
#include "ports/cortex_m/systick.h"
#include "tools/bench/bench_stream.h"

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
std::uint64_t instructions_of(const Work& work) {
  static const std::uint64_t idle = ticks_of([] {});
  const std::uint64_t ticks = ticks_of(work);
  return (ticks - std::min(ticks, idle)) * 5 / 4;
}

struct Size {
  std::uint32_t features;
  std::uint32_t held;  // a quarter labelled
};

// ---- Streams: sample number t of m values

using Stream = void (*)(std::uint32_t t, std::uint32_t m, Random& random, Real* x);

void normal(std::uint32_t /*t*/, std::uint32_t m, Random& random, Real* x) {
  for (std::uint32_t r = 0; r < m; ++r) x[r] = normal_like(random);
}

// On an axis of its own among the 2 m half axes, as far as there are: a point nearer to the origin
// is nearer to every other point.
void on_half_axis(std::uint32_t t, std::uint32_t m, Real distance, Random& random, Real* x) {
  for (std::uint32_t r = 0; r < m; ++r) x[r] = Real(0.001) * normal_like(random);
  x[t % m] += t / m % 2 == 0 ? distance : -distance;
}

// Each point is farther out than those before: the oldest, which leaves, is a neighbour of all.
void outward(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  on_half_axis(t, m, Real(1) + static_cast<Real>(t) / 64, random, x);
}

// Each is nearer than those before: it moves into first place in every list.
void inward(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  on_half_axis(t, m, Real(64) / static_cast<Real>(t + 1), random, x);
}

// Out and back in, so that points leave every list while others enter every list.
void out_and_in(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  const std::uint32_t phase = t % 128;
  on_half_axis(t, m, Real(1) + static_cast<Real>(std::min(phase, 128 - phase)) / 16, random, x);
}

// Few points in the middle of many far ones: each of the few is a neighbour of all.
void hubs(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  const Real scale = t % 6 == 0 ? Real(0.01) : Real(1);
  for (std::uint32_t r = 0; r < m; ++r) x[r] = scale * normal_like(random);
}

// Ten in the middle, neighbours of all; the oldest of them leaves when one comes that is nearer
// still. The others come nearer, too: they go through the newcomer's own list.
void relay(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  const std::uint32_t phase = t % 64;
  const bool middle = phase % 6 == 0 && phase < 60;
  const Real far = Real(64) - static_cast<Real>(t) / 16;
  on_half_axis(t, m, middle ? Real(1) / static_cast<Real>(t + 1) : far, random, x);
}

// Two clusters far from the origin, which are not the classes.
void clusters(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  const Real centre = random.below(2) == 0 ? Real(100) : Real(104);
  for (std::uint32_t r = 0; r < m; ++r) x[r] = centre + normal_like(random);
  x[t % m] += t / m % 2 == 0 ? Real(2) : Real(-2);
}

// Every eighth value of two samples in three is missing.
void missing(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  normal(t, m, random, x);
  for (std::uint32_t r = 0; r < m; ++r) {
    if (t % 3 != 0 && (r + t) % 8 == 0) x[r] = kNoScore;
  }
}

constexpr Stream kComplete[] = {normal, outward, inward, out_and_in, hubs, relay, clusters};
constexpr Stream kIncomplete[] = {missing};

// ---- One selector

struct Worst {
  std::uint64_t observe = 0;
  std::uint64_t observe_lean = 0;  // pairwise distances not kept
  std::uint64_t rank = 0;
  std::uint64_t refine = 0;
  std::uint32_t steps = 0;
  std::uint32_t ranked = 0;  // streams
};

// Steps of an iterative method that are counted, at most: by number and by instructions.
constexpr std::uint32_t kSteps = 2000;
constexpr std::uint64_t kRefineBudget = 100 * 1000 * 1000;

bool keeps_moments(const SelectorType& type) { return type.exactness == Exactness::whole_stream; }
bool iterates(const SelectorType& type) { return type.exactness == Exactness::anytime; }

RankerConfig config_of(const SelectorType& type, const Size& size, bool keep_distances) {
  RankerConfig config(type, kAllParts);
  config.memory.features = size.features;
  config.memory.classes = 2;
  config.memory.keep_distances = keep_distances;
  if (keeps_moments(type)) return config;  // need not hold samples
  config.memory.labelled = size.held / 4;
  config.memory.window = size.held - size.held / 4;
  return config;
}

// Every fourth sample is labelled, as is every fourth of those held, so that the oldest of all
// leaves; before anything leaves, every eighth is universum.
Sample sample_at(std::uint32_t t, const Size& size, const Real* x) {
  const Span<const Real> values(x, size.features);
  if (t < size.held && t % 8 == 7) return {values, SampleKind::universum, 0};
  if (t % 4 == 0) return {values, SampleKind::labelled, t / 4 % 2};
  return {values, SampleKind::unlabelled, 0};
}

void refine_all(RankerInArena& ranker, Worst& worst) {
  std::uint64_t spent = 0;
  Refinement done;
  done.converged = false;
  for (std::uint32_t step = 1; step <= kSteps && !done.converged && spent < kRefineBudget; ++step) {
    const std::uint64_t took = instructions_of([&] { done = ranker->refine(1); });
    worst.refine = std::max(worst.refine, took);
    worst.steps = std::max(worst.steps, step);
    spent += took;
  }
}

// Enough for every held sample to leave several times; for moments, to merge several full blocks.
std::uint32_t samples_of(const SelectorType& type, const Size& size) {
  return keeps_moments(type) ? 2000 : 6 * size.held;
}

// False if a sample is refused.
bool observe_all(const SelectorType& type, const Size& size, Stream stream, RankerInArena& ranker,
                 std::uint64_t* worst) {
  if (!ranker.created()) return false;
  std::vector<Real> x(size.features);
  Random random(1);
  for (std::uint32_t t = 0; t < samples_of(type, size); ++t) {
    stream(t, size.features, random, x.data());
    const Sample sample = sample_at(t, size, x.data());
    bool taken = false;
    const std::uint64_t took = instructions_of([&] { taken = ranker->observe(sample).ok(); });
    if (!taken) return false;
    *worst = std::max(*worst, took);
  }
  return true;
}

bool measure(const SelectorType& type, const Size& size, Stream stream, Worst& worst) {
  {
    RankerInArena lean(config_of(type, size, false));
    if (!observe_all(type, size, stream, lean, &worst.observe_lean)) return false;
  }
  RankerInArena ranker(config_of(type, size, true));
  if (!observe_all(type, size, stream, ranker, &worst.observe)) return false;
  if (iterates(type)) refine_all(ranker, worst);
  bool ranked = false;
  const std::uint64_t took = instructions_of([&] { ranked = ranker->rank(0).ok(); });
  // A stream may leave nothing to rank by: no edge, say. It then counts for observe alone.
  if (ranked) worst.rank = std::max(worst.rank, took);
  worst.ranked += ranked ? 1 : 0;
  return true;
}

bool measure_all(const SelectorType& type, const Size& size, Span<const Stream> streams,
                 Worst& worst) {
  for (const Stream stream : streams) {
    if (!measure(type, size, stream, worst)) return false;
  }
  return worst.ranked > 0;
}

void print_count(std::uint64_t count) {
  if (count >= 1000000) {
    std::printf(" %u,%03u,%03u |", static_cast<unsigned>(count / 1000000),
                static_cast<unsigned>(count / 1000 % 1000), static_cast<unsigned>(count % 1000));
  } else if (count >= 1000) {
    std::printf(" %u,%03u |", static_cast<unsigned>(count / 1000),
                static_cast<unsigned>(count % 1000));
  } else {
    std::printf(" %u |", static_cast<unsigned>(count));
  }
}

bool print_row(const SelectorType& type, const Size& size) {
  Worst complete;
  Worst incomplete;
  if (!measure_all(type, size, kComplete, complete) ||
      !measure_all(type, size, kIncomplete, incomplete)) {
    std::printf("FAILED: %s\n", type.id);
    return false;
  }
  std::printf("| `%s` |", type.id);
  print_count(complete.observe);
  print_count(incomplete.observe);
  if (config_of(type, size, true).configured_memory().neighbours > 0) {
    print_count(std::max(complete.observe_lean, incomplete.observe_lean));
  } else {
    std::printf(" |");
  }
  print_count(complete.rank);
  print_count(incomplete.rank);
  if (iterates(type)) {
    print_count(std::max(complete.refine, incomplete.refine));
    print_count(std::max(complete.steps, incomplete.steps));
  } else {
    std::printf(" | |");
  }
  std::printf("\n");
  return true;
}

bool print_table(const Size& size) {
  std::printf("\nm = %u features, n = %u held, a quarter of them labelled, 2 classes:\n\n",
              static_cast<unsigned>(size.features), static_cast<unsigned>(size.held));
  std::printf(
      "| selector | observe | values missing | distances not kept | rank | values missing "
      "| refine, a step | steps |\n|---|---|---|---|---|---|---|---|\n");
  bool good = true;
  for (std::size_t i = 0; i < catalog().size(); ++i) good &= print_row(catalog()[i], size);
  return good;
}

}  // namespace
}  // namespace whittle::bench

int main() {
  const bool small = whittle::bench::print_table({8, 32});
  const bool large = whittle::bench::print_table({32, 64});
  return small && large ? 0 : 1;
}
