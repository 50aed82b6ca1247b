// Benchmarks on the host, and the ratios that matter, printed after them: each compares two things
// timed in the same run, interleaved, so that a busy machine slows both.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "tools/bench/bench_stream.h"
#include "whittle/base/lanes.h"
#include "whittle/select/cls.h"
#include "whittle/select/ls.h"
#include "whittle/select/variance.h"

namespace whittle::bench {
namespace {

// ---- Moments: m = 1024

constexpr std::uint32_t kWide = 1024;
constexpr std::size_t kWideSamples = 16;

void observe_variance(benchmark::State& state) {
  RankerConfig config(kVariance);
  config.memory.features = kWide;
  RankerInArena ranker(config);
  const Rows rows(kWideSamples, kWide, 1);
  std::size_t t = 0;
  for (auto _ : state) {
    if (!ranker->observe(rows.unlabelled(t++ % kWideSamples)).ok()) state.SkipWithError("observe");
  }
}
BENCHMARK(observe_variance);

// Reads the sample, reads and writes two arrays of state, and nothing else.
void rewrite_state(benchmark::State& state) {
  const Rows rows(kWideSamples, kWide, 1);
  std::vector<Real> sums(kWide);
  std::vector<Real> squares(kWide);
  std::size_t t = 0;
  for (auto _ : state) {
    const Real* x = rows.row(t++ % kWideSamples);
    Real* a = sums.data();
    Real* b = squares.data();
    for (std::size_t r = 0; r < kWide; ++r) {
      a[r] += x[r];
      b[r] -= x[r];
    }
    benchmark::ClobberMemory();  // the arrays count as read here
  }
}
BENCHMARK(rewrite_state);

// ---- Graph: n = 1024, m = 128, k = 10, of which 10 % labelled for the scores

constexpr std::uint32_t kHeld = 1024;
constexpr std::uint32_t kFeatures = 128;
constexpr std::size_t kNeighbours = 10;  // the default of ls and cls
constexpr std::size_t kSamples = 4 * kHeld;

const Rows& graph_rows() {
  static const Rows rows(kSamples, kFeatures, 2);
  return rows;
}

RankerConfig graph_config(const SelectorType& type, std::uint32_t labelled, bool keep = false) {
  RankerConfig config(type);
  config.memory.features = kFeatures;
  config.memory.classes = 2;
  config.memory.labelled = labelled;
  config.memory.window = kHeld - labelled;
  config.memory.keep_distances = keep;
  return config;
}

void observe_full(benchmark::State& state, bool keep) {
  RankerInArena ranker(graph_config(kLs, 0, keep));
  std::size_t t = 0;
  while (t < 2 * kHeld) (void)ranker->observe(graph_rows().unlabelled(t++));
  for (auto _ : state) {
    if (!ranker->observe(graph_rows().unlabelled(t++ % kSamples)).ok())
      state.SkipWithError("observe");
  }
}
void observe_ls(benchmark::State& state) { observe_full(state, false); }
BENCHMARK(observe_ls)->Unit(benchmark::kMicrosecond);
void observe_ls_kept(benchmark::State& state) { observe_full(state, true); }
BENCHMARK(observe_ls_kept)->Unit(benchmark::kMicrosecond);

// From each sample to 1024 rows that lie one after the other as they do in the ranker, by the same
// function, written to an array. Its number of features is known to the compiler, the ranker's is
// not.
void distances_alone(benchmark::State& state) {
  const Rows& rows = graph_rows();
  std::vector<Real> distances(kHeld);
  std::size_t t = 0;
  for (auto _ : state) {
    const Real* x = rows.row(t++ % kSamples);
    for (std::size_t i = 0; i < kHeld; ++i) {
      distances[i] = squared_distance(x, rows.row(i), kFeatures);
    }
    benchmark::ClobberMemory();
  }
}
BENCHMARK(distances_alone)->Unit(benchmark::kMicrosecond);

// A ranker whose 1024 held samples have 10 % labels.
constexpr std::uint32_t kLabelled = 102;

Sample mixed_sample(std::size_t t) {
  const std::size_t i = t % kSamples;
  return t % 10 == 0 ? graph_rows().labelled(i, t / 10 % 2) : graph_rows().unlabelled(i);
}

// Feeds the samples first..first + 2047, more than the ranker holds, so that it is full.
void fill(RankerInArena& ranker, std::size_t first) {
  const bool labels = ranker->memory().config().labelled > 0;
  for (std::size_t t = first; t < first + 2 * kHeld; ++t) {
    (void)ranker->observe(labels ? mixed_sample(t) : graph_rows().unlabelled(t % kSamples));
  }
}

void observe_and_score(benchmark::State& state, const SelectorType& type) {
  RankerInArena ranker(graph_config(type, kLabelled));
  fill(ranker, 0);
  std::size_t t = 2 * kHeld;
  for (auto _ : state) {
    if (!ranker->observe(mixed_sample(t++)).ok()) state.SkipWithError("observe");
    if (!ranker->rank(0).ok()) state.SkipWithError("rank");
  }
}
BENCHMARK_CAPTURE(observe_and_score, ls, kLs)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(observe_and_score, cls, kCls)->Unit(benchmark::kMicrosecond);

void score_alone(benchmark::State& state, const SelectorType& type, std::uint32_t labelled) {
  RankerInArena ranker(graph_config(type, labelled));
  fill(ranker, 0);
  for (auto _ : state) {
    if (!ranker->rank(0).ok()) state.SkipWithError("rank");
  }
}
BENCHMARK_CAPTURE(score_alone, unlabelled, kLs, 0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(score_alone, ls, kLs, kLabelled)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(score_alone, cls, kCls, kLabelled)->Unit(benchmark::kMicrosecond);

// A fresh ranker, fed with the samples that another one holds, then scored.
void rebuild_and_score(benchmark::State& state, const SelectorType& type) {
  const RankerConfig config = graph_config(type, kLabelled);
  RankerInArena full(config);
  fill(full, 0);
  const HeldPoints& held = full->memory().points();
  for (auto _ : state) {
    RankerInArena fresh(config);
    for (const Slot slot : held.order()) {
      const std::uint32_t label = held.label(slot);
      Sample sample = {{held.row(slot), kFeatures}, SampleKind::unlabelled, 0};
      if (label != kUnlabelled) sample = {{held.row(slot), kFeatures}, SampleKind::labelled, label};
      if (!fresh->observe(sample).ok()) state.SkipWithError("observe");
    }
    if (!fresh->rank(0).ok()) state.SkipWithError("rank");
  }
}
BENCHMARK_CAPTURE(rebuild_and_score, ls, kLs)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(rebuild_and_score, cls, kCls)->Unit(benchmark::kMicrosecond);

// The batch score as one would write it from the paper: plain loops, each distance once, the k
// nearest by a partial sort, edges with their weights, sums over them feature by feature.
class TextbookScore {
 public:
  explicit TextbookScore(const HeldPoints& points)
      : n_(points.size()), rows_(n_), labels_(n_), squares_(n_, std::vector<Real>(n_)) {
    for (std::size_t i = 0; i < n_; ++i) {
      const Slot slot = points.order()[i];
      rows_[i].assign(points.row(slot), points.row(slot) + kFeatures);
      labels_[i] = points.label(slot);
    }
  }

  std::vector<Real> scores() {
    measure();
    join();
    weigh();
    std::vector<Real> scores(kFeatures);
    for (std::size_t r = 0; r < kFeatures; ++r) scores[r] = score(r);
    return scores;
  }

 private:
  struct Edge {
    std::size_t a, b;
    Real weight;
  };

  void measure() {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i + 1; j < n_; ++j) {
        Real sum = 0;
        for (std::size_t r = 0; r < kFeatures; ++r) {
          const Real d = rows_[i][r] - rows_[j][r];
          sum += d * d;
        }
        squares_[i][j] = squares_[j][i] = sum;
      }
    }
  }

  void join() {
    std::vector<std::vector<bool>> joined(n_, std::vector<bool>(n_));
    std::vector<std::size_t> nearest(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      std::iota(nearest.begin(), nearest.end(), std::size_t{0});
      std::swap(nearest[0], nearest[i]);  // the point itself is none of its neighbours
      const auto first = nearest.begin() + 1;
      std::partial_sort(
          first, first + kNeighbours, nearest.end(),
          [&](std::size_t a, std::size_t b) { return squares_[i][a] < squares_[i][b]; });
      for (std::size_t k = 1; k <= kNeighbours; ++k) joined[i][nearest[k]] = true;
    }
    edges_.clear();
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i + 1; j < n_; ++j) {
        const bool must_link = labels_[i] != kUnlabelled && labels_[i] == labels_[j];
        if (joined[i][j] || joined[j][i] || must_link) edges_.push_back({i, j, squares_[i][j]});
      }
    }
  }

  void weigh() {
    Real lambda = 0;
    for (const Edge& edge : edges_) lambda += edge.weight / static_cast<Real>(edges_.size());
    degrees_.assign(n_, 0);
    for (Edge& edge : edges_) {
      edge.weight = std::exp(-edge.weight / lambda);
      degrees_[edge.a] += edge.weight;
      degrees_[edge.b] += edge.weight;
    }
  }

  Real score(std::size_t r) const {
    Real smoothness = 0;
    for (const Edge& edge : edges_) {
      const Real d = rows_[edge.a][r] - rows_[edge.b][r];
      smoothness += edge.weight * d * d;
    }
    Real mean = 0;
    Real total = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      mean += degrees_[i] * rows_[i][r];
      total += degrees_[i];
    }
    mean /= total;
    Real variance = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      variance += degrees_[i] * (rows_[i][r] - mean) * (rows_[i][r] - mean);
    }
    return smoothness / variance;
  }

  std::size_t n_;
  std::vector<std::vector<Real>> rows_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::vector<Real>> squares_;
  std::vector<Edge> edges_;
  std::vector<Real> degrees_;
};

void textbook_rebuild_and_score(benchmark::State& state) {
  RankerInArena ranker(graph_config(kLs, kLabelled));
  fill(ranker, 0);
  if (!ranker->rank(0).ok()) state.SkipWithError("rank");
  TextbookScore textbook(ranker->memory().points());
  for (auto _ : state) benchmark::DoNotOptimize(textbook.scores());
  const std::vector<Real> scores = textbook.scores();
  for (std::size_t r = 0; r < kFeatures; ++r) {
    const Real other = ranker->ranking().scores()[r];
    if (!(std::abs(scores[r] - other) < Real(1e-3) * other)) state.SkipWithError("not the score");
  }
}
BENCHMARK(textbook_rebuild_and_score)->Unit(benchmark::kMicrosecond);

// What a score cannot do without: each edge's weighted squared differences, added up per feature.
// `drops`: without the edges between classes.
void pass_over_edges(benchmark::State& state, const SelectorType& type, std::uint32_t labelled,
                     bool drops) {
  RankerInArena ranker(graph_config(type, labelled));
  fill(ranker, 0);
  const HeldPoints& points = ranker->memory().points();
  const NeighbourGraph& graph = ranker->memory().graph();
  const auto joined = [&](Slot a, Slot b) {
    const Real key = graph.key(points, a, b);
    const bool both_labelled = points.label(a) != kUnlabelled && points.label(b) != kUnlabelled;
    if (both_labelled && points.label(a) == points.label(b)) return true;
    if (both_labelled && drops) return false;
    return graph.lists(points, a, b, key) || graph.lists(points, b, a, key);
  };
  std::vector<std::pair<Slot, Slot>> edges;
  for (const Slot a : points.order()) {
    for (const Slot b : points.order()) {
      if (points.stamp(a) < points.stamp(b) && joined(a, b)) edges.emplace_back(a, b);
    }
  }
  std::vector<Real> smoothness(kFeatures);
  for (auto _ : state) {
    Real* sums = smoothness.data();
    for (const auto& [a, b] : edges) {
      const Real* x = points.row(a);
      const Real* y = points.row(b);
      for (std::size_t r = 0; r < kFeatures; ++r) {
        const Real d = x[r] - y[r];
        sums[r] += Real(0.5) * d * d;
      }
    }
    benchmark::ClobberMemory();
  }
  state.counters["edges"] = static_cast<double>(edges.size());
}
BENCHMARK_CAPTURE(pass_over_edges, unlabelled, kLs, 0, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pass_over_edges, ls, kLs, kLabelled, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pass_over_edges, cls, kCls, kLabelled, true)->Unit(benchmark::kMicrosecond);

// ---- Report

// Prints as the console reporter does, and keeps the medians.
class RatioReporter final : public benchmark::ConsoleReporter {
 public:
  RatioReporter() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    benchmark::ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Aggregate || run.aggregate_name != "median") continue;
      seconds_[run.run_name.function_name] =
          run.GetAdjustedCPUTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
    }
  }

  void print_ratios() {
    std::printf("\nRatios of median CPU times\n");
    const char* const ls = "observe_and_score/ls";
    const char* const cls = "observe_and_score/cls";
    at_most("variance observe : rewriting the state", "observe_variance", "rewrite_state", 2);
    at_most("ls observe : the distances alone", "observe_ls", "distances_alone", 2);
    at_most("the same with kept distances", "observe_ls_kept", "distances_alone", 2);
    const char* const textbook = "textbook_rebuild_and_score";
    at_least("rebuild and score : observe and score, ls", "rebuild_and_score/ls", ls, 50);
    at_least("rebuild and score : observe and score, cls", "rebuild_and_score/cls", cls, 50);
    at_least("the same from the textbook, ls", textbook, ls, 50);
    at_most("ls score : one pass over its edges, no labels", "score_alone/unlabelled",
            "pass_over_edges/unlabelled", 2);
    at_most("ls score : one pass over its edges", "score_alone/ls", "pass_over_edges/ls", 2);
    at_most("cls score : one pass over its edges", "score_alone/cls", "pass_over_edges/cls", 2);
  }

 private:
  // A goal of 0 is none.
  void at_most(const char* what, const char* one, const char* other, double goal) {
    if (seconds_.count(one) == 0 || seconds_.count(other) == 0) return;  // filtered out
    const double ratio = seconds_[one] / seconds_[other];
    std::printf("%-50s %7.2f", what, ratio);
    if (goal > 0) std::printf("   goal at most %2.0f: %s", goal, ratio <= goal ? "met" : "MISSED");
    std::printf("\n");
  }
  void at_least(const char* what, const char* one, const char* other, double goal) {
    if (seconds_.count(one) == 0 || seconds_.count(other) == 0) return;  // filtered out
    const double ratio = seconds_[one] / seconds_[other];
    std::printf("%-50s %7.1f", what, ratio);
    if (goal > 0) std::printf("   goal at least %2.0f: %s", goal, ratio >= goal ? "met" : "MISSED");
    std::printf("\n");
  }

  std::map<std::string, double> seconds_;
};

}  // namespace
}  // namespace whittle::bench

int main(int argc, char** argv) {
  // Defaults first: what the command line says, it says later.
  std::vector<std::string> arguments = {
      argv[0], "--benchmark_repetitions=9", "--benchmark_min_time=0.1",
      "--benchmark_enable_random_interleaving=true", "--benchmark_report_aggregates_only=true"};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;
  whittle::bench::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
  return 0;
}
