// Instructions that each selector of the node's catalog takes on a Cortex-M board in QEMU: the
// largest count of any sample, of any ranking and of any step of refine over streams made to be
// dear. Counted as in target_bench.cc. Prints a table of words and numbers for tools/checks/budget
// and tools/bench/costs.
//
//   selector_costs M N          of every selector: m = M features, n = N held, a quarter labelled
//   selector_costs M N streams  of those on the neighbour graph: the largest observe, by stream
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "examples/sensor_node/catalog.h"
#include "ports/cortex_m/board_port.h"
#include "ports/cortex_m/ticks.h"
#include "tools/bench/dear_streams.h"

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
bool observe_all(const SelectorType& type, const Size& size, const Stream& stream,
                 RankerInArena& ranker, std::uint64_t* worst) {
  if (!ranker.created()) return false;
  std::vector<Real> x(size.features);
  Random random(1);
  for (std::uint32_t t = 0; t < samples_of(type, size); ++t) {
    stream.write(t, size.features, random, x.data());
    const Sample sample = sample_at(t, size, x.data());
    bool taken = false;
    const std::uint64_t took = instructions_of([&] { taken = ranker->observe(sample).ok(); });
    if (!taken) return false;
    *worst = std::max(*worst, took);
  }
  return true;
}

bool measure(const SelectorType& type, const Size& size, const Stream& stream, Worst& worst) {
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
  for (const Stream& stream : streams) {
    if (!measure(type, size, stream, worst)) return false;
  }
  return worst.ranked > 0;
}

bool keeps_graph(const SelectorType& type, const Size& size) {
  return config_of(type, size, true).configured_memory().neighbours > 0;
}

void print_count(bool there_is_one, std::uint64_t count) {
  if (there_is_one) {
    std::printf(" %lu", static_cast<unsigned long>(count));
  } else {
    std::printf(" -");
  }
}

// With values missing, the dearest of all (duplicates where distances are computed, else inward),
// and noise; the rest would take long.
constexpr Stream kSomeIncomplete[] = {kIncomplete[0], kIncomplete[1], kIncomplete[4]};

bool print_selector(const SelectorType& type, const Size& size) {
  Worst complete;
  Worst incomplete;
  if (!measure_all(type, size, kComplete, complete) ||
      !measure_all(type, size, kSomeIncomplete, incomplete)) {
    std::printf("FAILED: %s\n", type.id);
    return false;
  }
  std::printf("%s %s", ports::board_port().board(), type.id);
  print_count(true, complete.observe);
  print_count(true, incomplete.observe);
  print_count(keeps_graph(type, size), std::max(complete.observe_lean, incomplete.observe_lean));
  print_count(true, complete.rank);
  print_count(true, incomplete.rank);
  print_count(iterates(type), std::max(complete.refine, incomplete.refine));
  print_count(iterates(type), std::max(complete.steps, incomplete.steps));
  std::printf("\n");
  return true;
}

bool print_selectors(const Size& size) {
  std::printf(
      "board selector observe values_missing distances_not_kept rank values_missing_rank "
      "refine_step steps\n");
  bool good = true;
  for (std::size_t i = 0; i < catalog().size(); ++i) good &= print_selector(catalog()[i], size);
  return good;
}

// ---- By stream

bool print_stream(const SelectorType& type, const Size& size, const Stream& stream, bool keep) {
  RankerInArena ranker(config_of(type, size, keep));
  std::uint64_t worst = 0;
  if (!observe_all(type, size, stream, ranker, &worst)) return false;
  std::printf("%s %s %s %s %s %u %u %u %lu\n", ports::board_port().board(), type.id,
              keep ? "kept" : "computed", stream.incomplete ? "missing" : "complete", stream.name,
              static_cast<unsigned>(size.features), static_cast<unsigned>(size.held),
              static_cast<unsigned>(ranker->memory().config().neighbours),
              static_cast<unsigned long>(worst));
  return true;
}

bool print_streams(const Size& size) {
  std::printf("board selector distances values stream m n k observe\n");
  bool good = true;
  for (std::size_t i = 0; i < catalog().size(); ++i) {
    const SelectorType& type = catalog()[i];
    if (!keeps_graph(type, size)) continue;
    for (const bool keep : {true, false}) {
      for (const Stream& stream : kComplete) good &= print_stream(type, size, stream, keep);
      for (const Stream& stream : kIncomplete) good &= print_stream(type, size, stream, keep);
    }
  }
  return good;
}

}  // namespace
}  // namespace whittle::bench

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("selector_costs M N [streams]\n", stderr);
    return 2;
  }
  const whittle::bench::Size size = {static_cast<std::uint32_t>(std::atoi(argv[1])),
                                     static_cast<std::uint32_t>(std::atoi(argv[2]))};
  const bool good =
      argc > 3 ? whittle::bench::print_streams(size) : whittle::bench::print_selectors(size);
  return good ? 0 : 1;
}
