// NeighbourGraph: the k nearest other held points of every held point, kept up to date as points
// enter and leave; never rebuilt.
//
// Nearest by (distance, age), the older point first on a tie (docs/methods.md). Every point has
// min(k, n - 1) neighbours. A newcomer costs one pass over the held points. When a point leaves,
// what the points that had it as a neighbour need depends on MemoryConfig::keep_distances:
//   kept      each finds its next nearest in its row of the N x N distances, when the list is next
//             read: what is lost between two scores costs one search. The bounded choice.
//   not kept  lists hold up to 2 k points, so most have a spare one; a list that has run down to
//             fewer than k is computed again, which is rare. A point is looked for only in lists
//             with one as old. Less memory, and faster on a host.
//
// Cost, N the points held at most: add N m + N k; remove N k, and, not kept, N m for each point
// that runs short; prepare, kept, N for each neighbour that is lacking, N k at most. Memory, with w
// = k places in a list (2 k if not kept): N (w + 1) (4 + sizeof(Real)) + N sizeof(Real) bytes, N^2
// Reals if kept, 8 N bytes if not, N (w + 1) + 3 m Reals for metric = cosine.
#ifndef WHITTLE_MEMORY_NEIGHBOUR_GRAPH_H_
#define WHITTLE_MEMORY_NEIGHBOUR_GRAPH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/memory/filled_points.h"
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
        .array<Slot>(capacity, list_places(config))
        .array<Real>(capacity, list_places(config))
        .array<std::uint32_t>(capacity)
        .array<Real>(capacity)
        .array<Real>(capacity)
        .array<Real>(cosine ? capacity : 0, list_places(config))
        .array<Real>(cosine ? capacity : 0)
        .bytes(cosine ? FilledPoints::required_bytes(config.features) : 0)
        .array<Real>(config.keep_distances ? capacity : 0, capacity)
        .array<std::uint64_t>(config.keep_distances ? 0 : capacity)
        .total();
  }
  NeighbourGraph(Arena& arena, const MemoryConfig& config);

  // Call right after points.add and the writing of the row; right after points.remove, with the
  // stamp that the point had. Virtual, like digest, so that a memory that makes no graph links
  // none.
  virtual void add(const HeldPoints& points, Slot slot);
  virtual void remove(const HeldPoints& points, Slot slot, std::uint64_t stamp);
  // Call right after the coordinates of a held point have changed, or it has come among the older
  // ones.
  virtual void move(const HeldPoints& points, Slot slot);
  // Computes the list of one point again; done for all points, it makes the graph anew.
  virtual void rebuild(const HeldPoints& points, Slot slot);
  // After all coordinates have changed, before the lists are made anew.
  virtual void measure_lengths(const HeldPoints& points);
  // Before the graph is read: completes the lists. metric = cosine reads means in place of missing
  // values: makes the lists anew with those of the points now held, if any has come, moved or left.
  virtual void prepare(const HeldPoints& points);

  // How many neighbours a point has: min(k, n - 1), or fewer if it has no value in common with
  // some.
  std::size_t degree(const HeldPoints& points, Slot slot) const {
    if (points.size() < 2) return 0;
    if (is_short(points, slot)) complete(points, slot);
    std::size_t degree = std::min(k_, points.size() - 1);
    while (degree > 0 && !(keys(slot)[degree - 1] < kInfinity)) --degree;
    return degree;
  }
  // The neighbours of a point, nearest first, their squared Euclidean distances, their distances.
  const Slot* neighbours(Slot slot) const { return lists_.data() + slot * places_; }
  const Real* squared_distances(Slot slot) const {
    return (metric_ == Metric::cosine ? squares_ : keys_).data() + slot * places_;
  }
  const Real* keys(Slot slot) const { return keys_.data() + slot * places_; }  // in the metric
  // Whether `other` is among the neighbours of `slot`, at a distance (in the metric) `key`.
  bool lists(const HeldPoints& points, Slot slot, Slot other, Real key) const {
    if (__builtin_expect(key != horizons_[slot], 1)) return key < horizons_[slot];
    const std::size_t last = slot * places_ + std::min(k_, points.size() - 1) - 1;
    return key < kInfinity && points.stamp(other) <= points.stamp(lists_[last]);
  }

  // Distance of two held points in the metric that chooses neighbours.
  Real key(const HeldPoints& points, Slot a, Slot b) const;
  // Their squared Euclidean distance, given that.
  Real squared_distance(const HeldPoints& points, Slot a, Slot b, Real key) const;

  virtual void digest(const HeldPoints& points, Digest& digest) const;

 private:
  Real computed_key(const HeldPoints& points, Slot a, Slot b) const;
  Real computed_square(const HeldPoints& points, Slot a, Slot b) const;
  static constexpr std::size_t list_places(const MemoryConfig& config) {
    return (config.keep_distances ? 1 : 2) * std::size_t{config.neighbours};
  }
  // Whether a younger point at a distance `key` gets into a list.
  bool enters(Slot slot, Real key) const { return !(key >= reaches_[slot]); }
  // Whether a list has lost neighbours and got no others yet. `complete` is const: what a list will
  // hold is settled, only not written down.
  bool is_short(const HeldPoints& points, Slot slot) const {
    return lengths_[slot] < std::min(k_, points.size() - 1);
  }
  void complete(const HeldPoints& points, Slot slot) const;
  // The distances of a point to others, and theirs to it.
  void measure(const HeldPoints& points, Slot slot, Span<const Slot> others, Real* keys);
  void clear(Slot slot);
  // Offers more points to a list that was offered `seen` older ones; a newcomer, which is younger
  // than all, is offered to theirs in turn.
  void extend(const HeldPoints& points, Slot slot, std::size_t seen, Span<const Slot> others,
              bool newcomer);
  bool enters_at_its_age(const HeldPoints& points, Slot slot, Slot other, Real key) const;
  void note_change(const HeldPoints& points, Slot slot);
  void measure_length(const HeldPoints& points, Slot slot);
  void note_reach(Slot slot, std::size_t others) const;
  void insert(const HeldPoints& points, Slot slot, Slot other, Real key);
  bool take_out(Slot slot, Slot other);
  void refill(const HeldPoints& points, Slot slot);
  void remove_by_distance(const HeldPoints& points, Slot slot);
  void remove_by_age(const HeldPoints& points, Slot slot, std::uint64_t stamp);
  void note_elder(const HeldPoints& points, Slot slot, Slot other);
  void find_eldest(const HeldPoints& points, Slot slot);
  void append_next_nearest(const HeldPoints& points, Slot slot) const;
  Real* row_of_keys(Slot slot) const {  // of kept distances
    return distances_.data() + (keep_distances_ ? slot * capacity_ : 0);
  }

  std::size_t k_;
  std::size_t places_;  // of a list: k, or 2 k without kept distances
  std::size_t capacity_;
  Metric metric_;
  bool keep_distances_;
  // Whether the means that stand for missing values may have changed since the lists were made with
  // them.
  bool means_changed_ = true;
  // By slot, N x places: the nearest other points, as many as lengths_ says; once complete, at
  // least min(k, n - 1).
  Span<Slot> lists_;
  Span<Real> keys_;     // their distances in the metric
  Span<Real> squares_;  // their squared Euclidean distances, cosine only
  Span<std::uint32_t> lengths_;
  // Nearer than this, a younger point enters the list: its last distance, or NaN if the list has
  // all others and room. One that lacks some cannot grow at its end: what comes next is not known.
  Span<Real> reaches_;
  // The distance of the last neighbour: the min(k, n - 1)-th. Kept apart, where it is read often.
  Span<Real> horizons_;
  Span<Real> inverse_norms_;  // N, cosine only; 0 for a zero vector
  FilledPoints filled_;       // cosine only
  // N x N by slot if kept; stale for free slots and on the diagonal.
  Span<Real> distances_;
  // N if not kept: no point in the list has a smaller stamp, nor one that comes later; 0 for an
  // empty list.
  Span<std::uint64_t> eldest_;
};

// For MemoryConfig::make_graph.
NeighbourGraph* make_neighbour_graph(Arena& arena, const MemoryConfig& config);

}  // namespace whittle

#endif  // WHITTLE_MEMORY_NEIGHBOUR_GRAPH_H_
