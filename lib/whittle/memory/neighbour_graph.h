// NeighbourGraph: the k nearest other held points of every held point, kept up to date as points
// enter and leave; never rebuilt.
//
// Nearest by (distance, age), the older point first on a tie (docs/methods.md). Every list has
// exactly min(k, n - 1) entries. A newcomer costs one pass over the held points. When a point
// leaves, each point that had it as a neighbour looks for its next nearest: in its row of kept
// distances, or by computing that row again (MemoryConfig::keep_distances).
//
// Cost, N = L + W slots: add N m + N k; remove N k, and for each point that loses a neighbour N (or
// N m). Worst case: all lose one. Memory: N k (4 + sizeof(Real)) bytes, N^2 Reals of kept
// distances, and for metric = cosine N (k + 1) Reals more.
#ifndef WHITTLE_MEMORY_NEIGHBOUR_GRAPH_H_
#define WHITTLE_MEMORY_NEIGHBOUR_GRAPH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/memory/held_points.h"
#include "whittle/memory/memory_config.h"

namespace whittle {

class NeighbourGraph {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    if (config.neighbours == 0) return 0;
    const std::size_t capacity = config.capacity();
    const bool cosine = config.metric == Metric::cosine;
    return ByteCount{}
        .object<NeighbourGraph>()
        .array<Slot>(capacity, config.neighbours)
        .array<Real>(capacity, config.neighbours)
        .array<Real>(cosine ? capacity : 0, config.neighbours)
        .array<Real>(cosine ? capacity : 0)
        .array<Real>(config.keep_distances ? capacity : 1, capacity)
        .total();
  }
  NeighbourGraph(Arena& arena, const MemoryConfig& config);

  // Call right after points.add and the writing of the row; right after points.remove. Virtual,
  // like digest, so that a memory that makes no graph links none.
  virtual void add(const HeldPoints& points, Slot slot);
  virtual void remove(const HeldPoints& points, Slot slot);

  // Length of every list: min(k, n - 1).
  std::size_t degree(const HeldPoints& points) const {
    return points.size() == 0 ? 0 : std::min(k_, points.size() - 1);
  }
  // The neighbours of a point, nearest first, their squared Euclidean distances, their distances.
  const Slot* neighbours(Slot slot) const { return lists_.data() + slot * k_; }
  const Real* squared_distances(Slot slot) const {
    return (metric_ == Metric::cosine ? squares_ : keys_).data() + slot * k_;
  }
  const Real* keys(Slot slot) const { return keys_.data() + slot * k_; }  // in the metric
  // Whether `other` is among the neighbours of `slot`, at a distance (in the metric) `key`.
  bool lists(const HeldPoints& points, Slot slot, Slot other, Real key) const {
    const std::size_t length = degree(points);
    if (length == 0) return false;
    const std::size_t last = slot * k_ + length - 1;
    if (key != keys_[last]) return key < keys_[last];
    return points.stamp(other) <= points.stamp(lists_[last]);
  }

  // Distance of two held points in the metric that chooses neighbours.
  Real key(const HeldPoints& points, Slot a, Slot b) const;
  // Their squared Euclidean distance.
  Real squared_distance(const HeldPoints& points, Slot a, Slot b) const;

  virtual void digest(const HeldPoints& points, Digest& digest) const;

 private:
  Real computed_key(const HeldPoints& points, Slot a, Slot b) const;
  // Whether a younger point at a distance `key` gets into a list that has `length` entries.
  bool enters(Slot slot, std::size_t length, Real key) const {
    return length < k_ || key < keys_[slot * k_ + k_ - 1];
  }
  void insert(const HeldPoints& points, Slot slot, std::size_t length, Slot other, Real key);
  void append_next_nearest(const HeldPoints& points, Slot slot, std::size_t length);
  Real* row_of_keys(Slot slot) const {
    return distances_.data() + (keep_distances_ ? slot * capacity_ : 0);
  }

  std::size_t k_;
  std::size_t capacity_;
  Metric metric_;
  bool keep_distances_;
  Span<Slot> lists_;          // N x k
  Span<Real> keys_;           // N x k: distances in the metric
  Span<Real> squares_;        // N x k: squared Euclidean distances, cosine only
  Span<Real> inverse_norms_;  // N, cosine only; 0 for a zero vector
  // N x N by slot, or one row of scratch; stale for free slots and on the diagonal.
  Span<Real> distances_;
};

// For MemoryConfig::make_graph.
NeighbourGraph* make_neighbour_graph(Arena& arena, const MemoryConfig& config);

}  // namespace whittle

#endif  // WHITTLE_MEMORY_NEIGHBOUR_GRAPH_H_
