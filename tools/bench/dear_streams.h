// Streams made to be dear for a memory that is full: what the counts of docs/costs.md are the
// largest of.
#ifndef WHITTLE_TOOLS_BENCH_DEAR_STREAMS_H_
#define WHITTLE_TOOLS_BENCH_DEAR_STREAMS_H_

#include <algorithm>
#include <cstdint>

#include "tools/bench/bench_stream.h"
#include "whittle/base/random.h"
#include "whittle/base/real.h"

namespace whittle::bench {

// Writes sample number t of m values to x.
using NextSample = void (*)(std::uint32_t t, std::uint32_t m, Random& random, Real* x);

inline void normal(std::uint32_t /*t*/, std::uint32_t m, Random& random, Real* x) {
  for (std::uint32_t r = 0; r < m; ++r) x[r] = normal_like(random);
}

// All points are one: every distance is a tie.
inline void duplicates(std::uint32_t /*t*/, std::uint32_t m, Random& /*random*/, Real* x) {
  std::fill(x, x + m, Real(1));
}

// Far out on the one side and on the other, in turn.
inline void extremes(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  for (std::uint32_t r = 0; r < m; ++r) {
    x[r] = normal_like(random) + (t % 2 == 0 ? Real(1000) : Real(-1000));
  }
}

// On an axis of its own among the 2 m half axes, as far as there are: a point nearer to the origin
// is nearer to every other point.
inline void on_half_axis(std::uint32_t t, std::uint32_t m, Real distance, Random& random, Real* x) {
  for (std::uint32_t r = 0; r < m; ++r) x[r] = Real(0.001) * normal_like(random);
  x[t % m] += t / m % 2 == 0 ? distance : -distance;
}

// Each point is farther out than those before: the oldest, which leaves, is a neighbour of all.
inline void outward(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  on_half_axis(t, m, Real(1) + static_cast<Real>(t) / 64, random, x);
}

// Each is nearer than those before: it moves into first place in every list.
inline void inward(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  on_half_axis(t, m, Real(64) / static_cast<Real>(t + 1), random, x);
}

// Out and back in, so that points leave every list while others enter every list.
inline void out_and_in(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  const std::uint32_t phase = t % 128;
  on_half_axis(t, m, Real(1) + static_cast<Real>(std::min(phase, 128 - phase)) / 16, random, x);
}

// Few points in the middle of many far ones: each of the few is a neighbour of all.
inline void hubs(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  const Real scale = t % 6 == 0 ? Real(0.01) : Real(1);
  for (std::uint32_t r = 0; r < m; ++r) x[r] = scale * normal_like(random);
}

// Ten in the middle, neighbours of all; the oldest of them leaves when one comes that is nearer
// still. The others come nearer, too: they go through the newcomer's own list.
inline void relay(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  const std::uint32_t phase = t % 64;
  const bool middle = phase % 6 == 0 && phase < 60;
  const Real far = Real(64) - static_cast<Real>(t) / 16;
  on_half_axis(t, m, middle ? Real(1) / static_cast<Real>(t + 1) : far, random, x);
}

// Two clusters far from the origin, which are not the classes.
inline void clusters(std::uint32_t t, std::uint32_t m, Random& random, Real* x) {
  const Real centre = random.below(2) == 0 ? Real(100) : Real(104);
  for (std::uint32_t r = 0; r < m; ++r) x[r] = centre + normal_like(random);
  x[t % m] += t / m % 2 == 0 ? Real(2) : Real(-2);
}

struct Stream {
  const char* name;
  NextSample next;
  bool incomplete;  // every eighth value of two samples in three is missing

  void write(std::uint32_t t, std::uint32_t m, Random& random, Real* x) const {
    next(t, m, random, x);
    if (!incomplete || t % 3 == 0) return;
    for (std::uint32_t r = 0; r < m; ++r) {
      if ((r + t) % 8 == 0) x[r] = kNoScore;
    }
  }
};

inline constexpr Stream kComplete[] = {
    {"normal", normal, false},     {"duplicates", duplicates, false},
    {"extremes", extremes, false}, {"outward", outward, false},
    {"inward", inward, false},     {"out_and_in", out_and_in, false},
    {"hubs", hubs, false},         {"relay", relay, false},
    {"clusters", clusters, false}};
inline constexpr Stream kIncomplete[] = {
    {"normal", normal, true},   {"duplicates", duplicates, true}, {"extremes", extremes, true},
    {"outward", outward, true}, {"inward", inward, true},         {"out_and_in", out_and_in, true},
    {"hubs", hubs, true},       {"relay", relay, true},           {"clusters", clusters, true}};

}  // namespace whittle::bench

#endif  // WHITTLE_TOOLS_BENCH_DEAR_STREAMS_H_
