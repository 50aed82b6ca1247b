#include "whittle/memory/neighbour_graph.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "whittle/base/lanes.h"

namespace whittle {
namespace {

// 1 - cos of the angle, as half the squared distance of the normalised vectors; 1 for a zero
// vector.
Real cosine_distance(const Real* a, Real inverse_a, const Real* b, Real inverse_b, std::size_t m) {
  if (inverse_a == 0 || inverse_b == 0) return Real(1);
  Real lane[kLanes] = {};
  for (std::size_t r = 0; r < m; ++r) {
    const Real d = a[r] * inverse_a - b[r] * inverse_b;
    lane[r % kLanes] += d * d;
  }
  return Real(0.5) * sum_of_lanes(lane);
}

// 1 / |x|, without over- or underflow of the squares; 0 for a zero vector, and for one so short
// that the inverse of its length overflows.
Real inverse_norm(const Real* x, std::size_t m) {
  Real largest = 0;
  for (std::size_t r = 0; r < m; ++r) largest = std::max(largest, std::abs(x[r]));
  if (largest == 0) return Real(0);
  Real lane[kLanes] = {};
  for (std::size_t r = 0; r < m; ++r) {
    const Real scaled = x[r] / largest;
    lane[r % kLanes] += scaled * scaled;
  }
  const Real inverse = Real(1) / std::sqrt(sum_of_lanes(lane)) / largest;
  return inverse < kInfinity ? inverse : Real(0);
}

// The bits of a number that is not negative, as an integer: in the same order, and cheaper to
// compare on a core without SIMD.
using OrderedBits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
OrderedBits ordered_bits(Real distance) {
  OrderedBits bits;
  std::memcpy(&bits, &distance, sizeof bits);
  return bits;
}

}  // namespace

NeighbourGraph* make_neighbour_graph(Arena& arena, const MemoryConfig& config) {
  return arena.object<NeighbourGraph>(arena, config);
}

NeighbourGraph::NeighbourGraph(Arena& arena, const MemoryConfig& config)
    : k_(config.neighbours),
      capacity_(config.capacity()),
      metric_(config.metric),
      keep_distances_(config.keep_distances) {
  const bool cosine = metric_ == Metric::cosine;
  lists_ = arena.array<Slot>(capacity_ * k_);
  keys_ = arena.array<Real>(capacity_ * k_);
  squares_ = arena.array<Real>(cosine ? capacity_ * k_ : 0);
  inverse_norms_ = arena.array<Real>(cosine ? capacity_ : 0);
  distances_ = arena.array<Real>(keep_distances_ ? capacity_ * capacity_ : capacity_);
}

Real NeighbourGraph::computed_key(const HeldPoints& points, Slot a, Slot b) const {
  if (metric_ == Metric::cosine) {
    return cosine_distance(points.row(a), inverse_norms_[a], points.row(b), inverse_norms_[b],
                           points.features());
  }
  return whittle::squared_distance(points.row(a), points.row(b), points.features());
}

Real NeighbourGraph::key(const HeldPoints& points, Slot a, Slot b) const {
  return keep_distances_ ? row_of_keys(a)[b] : computed_key(points, a, b);
}

Real NeighbourGraph::squared_distance(const HeldPoints& points, Slot a, Slot b) const {
  if (metric_ == Metric::euclidean) return key(points, a, b);
  return whittle::squared_distance(points.row(a), points.row(b), points.features());
}

// Puts `other` into the list of `slot`, which has `length` entries and which it enters; the last
// one of a full list falls out. Equal distances keep their order: callers insert the younger point
// later.
void NeighbourGraph::insert(const HeldPoints& points, Slot slot, std::size_t length, Slot other,
                            Real key) {
  Slot* list = lists_.data() + slot * k_;
  Real* keys = keys_.data() + slot * k_;
  const std::size_t last = std::min(length, k_ - 1);
  std::size_t place = last;
  for (; place > 0 && key < keys[place - 1]; --place) {
    list[place] = list[place - 1];
    keys[place] = keys[place - 1];
  }
  list[place] = other;
  keys[place] = key;
  if (squares_.empty()) return;
  Real* squares = squares_.data() + slot * k_;
  std::copy_backward(squares + place, squares + last, squares + last + 1);
  squares[place] = squared_distance(points, slot, other);
}

void NeighbourGraph::add(const HeldPoints& points, Slot slot) {
  if (metric_ == Metric::cosine) {
    inverse_norms_[slot] = inverse_norm(points.row(slot), points.features());
  }
  Real* row = row_of_keys(slot);
  const Span<const Slot> order = points.order();
  const std::size_t before = points.size() - 1;  // the newcomer is last
  const std::size_t length = before == 0 ? 0 : std::min(k_, before - 1);
  for (std::size_t i = 0; i < before; ++i) {
    const Slot other = order[i];
    const Real key = computed_key(points, slot, other);
    if (keep_distances_) {
      row[other] = key;
      distances_[other * capacity_ + slot] = key;
    }
    const std::size_t own_length = std::min(k_, i);
    if (enters(slot, own_length, key)) insert(points, slot, own_length, other, key);
    if (enters(other, length, key)) insert(points, other, length, slot, key);
  }
}

void NeighbourGraph::remove(const HeldPoints& points, Slot slot) {
  const std::size_t length = std::min(k_, points.size());
  const Real* row = row_of_keys(slot);  // kept distances of a point that has left are still there
  for (const Slot other : points.order()) {
    Slot* list = lists_.data() + other * k_;
    Real* keys = keys_.data() + other * k_;
    if (keep_distances_ && row[other] > keys[length - 1]) continue;
    Slot* end = list + length;
    Slot* found = std::find(list, end, slot);
    if (found == end) continue;
    auto place = static_cast<std::size_t>(found - list);
    if (!squares_.empty()) {
      Real* squares = squares_.data() + other * k_;
      std::copy(squares + place + 1, squares + length, squares + place);
    }
    for (; place + 1 < length; ++place) {
      list[place] = list[place + 1];
      keys[place] = keys[place + 1];
    }
    // n - 1 others are left; a list that was shorter than k had them all.
    if (points.size() > length) append_next_nearest(points, other, length - 1);
  }
}

// Completes a list of `length` entries with the nearest point that is not in it: the first of those
// after its last entry.
void NeighbourGraph::append_next_nearest(const HeldPoints& points, Slot slot, std::size_t length) {
  Slot* list = lists_.data() + slot * k_;
  Real* keys = keys_.data() + slot * k_;
  const OrderedBits last_bits = length == 0 ? 0 : ordered_bits(keys[length - 1]);
  const std::uint64_t last_stamp = length == 0 ? 0 : points.stamp(list[length - 1]);
  Real* row = row_of_keys(slot);
  if (!keep_distances_) {
    for (const Slot other : points.order()) row[other] = computed_key(points, slot, other);
  }
  // Oldest first, so that of equally near points the first one found stays. Most points are no
  // nearer than the nearest so far; saying so keeps their way through the loop short.
  OrderedBits nearest_bits = std::numeric_limits<OrderedBits>::max();
  Slot nearest = kNoSlot;
  WHITTLE_UNROLL_2
  for (const Slot other : points.order()) {
    const OrderedBits bits = ordered_bits(row[other]);
    if (__builtin_expect(bits >= nearest_bits, 1)) continue;
    if (bits < last_bits || other == slot) continue;
    if (bits == last_bits && length > 0 && points.stamp(other) <= last_stamp) continue;
    nearest_bits = bits;
    nearest = other;
  }
  list[length] = nearest;
  keys[length] = row[nearest];
  if (!squares_.empty()) {
    squares_[slot * k_ + length] = squared_distance(points, slot, nearest);
  }
}

void NeighbourGraph::digest(const HeldPoints& points, Digest& digest) const {
  const std::size_t length = degree(points);
  for (const Slot slot : points.order()) {
    for (std::size_t i = 0; i < length; ++i) digest.add(points.stamp(neighbours(slot)[i]));
    digest.add_all(squared_distances(slot), length);
  }
}

}  // namespace whittle
