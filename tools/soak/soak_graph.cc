#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "tools/soak/soak.h"
#include "whittle/base/lanes.h"
#include "whittle/base/random.h"
#include "whittle/select/cls.h"

namespace whittle::soak {
namespace {

constexpr std::uint32_t kFeatures = 8;
constexpr std::uint32_t kLabelled = 8;
constexpr std::uint32_t kWindow = 24;
constexpr std::size_t kNeighbours = 10;  // the default of cls

struct Stream {
  const char* name;
  void (*next)(std::uint64_t t, Random& random, Real* x);
};

void noise(std::uint64_t /*t*/, Random& random, Real* x) {
  for (std::uint32_t r = 0; r < kFeatures; ++r) x[r] = Real(10000) + random.uniform() * Real(8);
}

// Few values, so that many distances are equal and many points are duplicates.
void ties(std::uint64_t /*t*/, Random& random, Real* x) {
  for (std::uint32_t r = 0; r < kFeatures; ++r) x[r] = static_cast<Real>(random.below(2));
}

void extremes(std::uint64_t t, Random& random, Real* x) {
  for (std::uint32_t r = 0; r < kFeatures; ++r) {
    x[r] = (t % 2 == 0 ? Real(1000) : Real(-1000)) + random.uniform();
  }
}

constexpr Stream kStreams[] = {{"noise at 1e4", noise}, {"ties", ties}, {"extremes", extremes}};

RankerConfig config_for(bool keep_distances) {
  RankerConfig config(kCls);
  config.memory.features = kFeatures;
  config.memory.classes = 2;
  config.memory.labelled = kLabelled;
  config.memory.window = kWindow;
  config.memory.keep_distances = keep_distances;
  return config;
}

bool same_bits(Span<const Real> a, Span<const Real> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

// A ranker that is given only the points that the other one holds, oldest first.
bool equals_batch(RankerInArena& ranker, bool keep_distances) {
  RankerInArena fresh(config_for(keep_distances));
  const HeldPoints& points = ranker->memory().points();
  for (const Slot slot : points.order()) {
    Sample sample;
    sample.features = Span<const Real>(points.row(slot), kFeatures);
    if (points.label(slot) != kUnlabelled) {
      sample.kind = SampleKind::labelled;
      sample.label = points.label(slot);
    }
    if (!fresh->observe(sample).ok()) return false;
  }
  return ranker->rank(0).ok() && fresh->rank(0).ok() &&
         same_bits(ranker->ranking().scores(), fresh->ranking().scores());
}

// Every list against all distances sorted, the older point first on a tie.
bool equals_sorting(const StreamMemory& memory) {
  const HeldPoints& points = memory.points();
  const NeighbourGraph& graph = memory.graph();
  for (const Slot a : points.order()) {
    std::vector<std::pair<Real, Slot>> others;  // in order of age, which a stable sort keeps
    for (const Slot b : points.order()) {
      if (a == b) continue;
      others.emplace_back(squared_distance(points.row(a), points.row(b), kFeatures), b);
    }
    std::stable_sort(others.begin(), others.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    const std::size_t degree = graph.degree(points, a);
    if (degree != std::min(kNeighbours, others.size())) return false;
    for (std::size_t i = 0; i < degree; ++i) {
      if (graph.neighbours(a)[i] != others[i].second) return false;
    }
  }
  return true;
}

bool soak_stream(const Stream& stream, bool keep_distances, std::uint64_t samples) {
  RankerInArena ranker(config_for(keep_distances));
  if (!ranker.created()) return false;
  Random random(2);
  std::uint64_t looks = 0, unequal_scores = 0, unequal_lists = 0;
  const std::uint64_t between = std::max<std::uint64_t>(samples / 100, 1);
  for (std::uint64_t t = 1; t <= samples; ++t) {
    Real x[kFeatures];
    stream.next(t, random, x);
    Sample sample;
    sample.features = Span<const Real>(x, kFeatures);
    if (random.below(4) == 0) {
      sample.kind = SampleKind::labelled;
      sample.label = random.below(2);
    }
    sample.id = t;
    if (!ranker->observe(sample).ok()) return false;
    if (t % between != 0) continue;
    ++looks;
    unequal_scores += equals_batch(ranker, keep_distances) ? 0 : 1;
    unequal_lists += equals_sorting(ranker->memory()) ? 0 : 1;
  }
  std::printf("| %s | %s | %llu | %llu | %llu | %llu |\n", stream.name,
              keep_distances ? "kept" : "not kept", static_cast<unsigned long long>(samples),
              static_cast<unsigned long long>(looks),
              static_cast<unsigned long long>(unequal_scores),
              static_cast<unsigned long long>(unequal_lists));
  std::fflush(stdout);
  return unequal_scores + unequal_lists == 0;
}

}  // namespace

bool soak_graph(std::uint64_t samples) {
  std::printf(
      "Neighbour graph of `cls`, m = %u, n = %u (%u labelled), k = %u\n\n"
      "| stream | distances | samples | compared | scores of other bits than batch | lists "
      "other than by sorting |\n|---|---|---|---|---|---|\n",
      kFeatures, kLabelled + kWindow, kLabelled, static_cast<unsigned>(kNeighbours));
  bool good = true;
  for (const Stream& stream : kStreams) {
    good &= soak_stream(stream, true, samples);
    good &= soak_stream(stream, false, samples);
  }
  return good;
}

}  // namespace whittle::soak
