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
      places_(list_places(config)),
      capacity_(config.capacity()),
      metric_(config.metric),
      keep_distances_(config.keep_distances) {
  const bool cosine = metric_ == Metric::cosine;
  lists_ = arena.array<Slot>(capacity_ * places_);
  keys_ = arena.array<Real>(capacity_ * places_);
  lengths_ = arena.array<std::uint32_t>(capacity_);
  reaches_ = arena.array<Real>(capacity_);
  horizons_ = arena.array<Real>(capacity_);
  squares_ = arena.array<Real>(cosine ? capacity_ * places_ : 0);
  inverse_norms_ = arena.array<Real>(cosine ? capacity_ : 0);
  if (cosine) filled_.place(arena, config.features);
  distances_ = arena.array<Real>(keep_distances_ ? capacity_ * capacity_ : 0);
}

Real NeighbourGraph::computed_square(const HeldPoints& points, Slot a, Slot b) const {
  const std::size_t m = points.features();
  if (points.has_missing(a) || points.has_missing(b)) {
    return squared_distance_of_present(points.row(a), points.row(b), m);
  }
  return whittle::squared_distance(points.row(a), points.row(b), m);
}

Real NeighbourGraph::computed_key(const HeldPoints& points, Slot a, Slot b) const {
  if (metric_ == Metric::euclidean) return computed_square(points, a, b);
  const std::size_t m = points.features();
  if (!points.has_missing(a) && !points.has_missing(b)) {
    return cosine_distance(points.row(a), inverse_norms_[a], points.row(b), inverse_norms_[b], m);
  }
  if (!(computed_square(points, a, b) < kInfinity)) return kInfinity;  // nothing in common
  return cosine_distance(filled_.row(a, 0), inverse_norms_[a], filled_.row(b, 1), inverse_norms_[b],
                         m);
}

Real NeighbourGraph::key(const HeldPoints& points, Slot a, Slot b) const {
  return keep_distances_ ? row_of_keys(a)[b] : computed_key(points, a, b);
}

Real NeighbourGraph::squared_distance(const HeldPoints& points, Slot a, Slot b, Real key) const {
  return metric_ == Metric::euclidean ? key : computed_square(points, a, b);
}

// Puts `other` into the list of `slot`, which it enters; the last one of a full list falls out.
void NeighbourGraph::insert(const HeldPoints& points, Slot slot, Slot other, Real key) {
  Slot* list = lists_.data() + slot * places_;
  Real* keys = keys_.data() + slot * places_;
  const std::size_t last = std::min<std::size_t>(lengths_[slot], places_ - 1);
  std::size_t place = last;
  const OrderedBits bits = ordered_bits(key);
  for (; place > 0; --place) {
    const OrderedBits before = ordered_bits(keys[place - 1]);
    if (before < bits) break;
    if (before == bits && points.stamp(other) > points.stamp(list[place - 1])) break;
    list[place] = list[place - 1];
    keys[place] = keys[place - 1];
  }
  list[place] = other;
  keys[place] = key;
  lengths_[slot] = static_cast<std::uint32_t>(last + 1);
  if (squares_.empty()) return;
  Real* squares = squares_.data() + slot * places_;
  std::copy_backward(squares + place, squares + last, squares + last + 1);
  squares[place] = squared_distance(points, slot, other, key);
}

// `others`: how many points could be in the list.
void NeighbourGraph::note_reach(Slot slot, std::size_t others) const {
  const std::size_t length = lengths_[slot];
  const Real* keys = keys_.data() + slot * places_;
  const bool grows = length == others && length < places_;
  const Real last = length == 0 ? Real(-1) : keys[length - 1];
  reaches_[slot] = grows ? kNoScore : last;
  horizons_[slot] = length > k_ ? keys[k_ - 1] : last;
}

bool NeighbourGraph::enters_at_its_age(const HeldPoints& points, Slot slot, Slot other,
                                       Real key) const {
  if (key != reaches_[slot]) return enters(slot, key);
  const std::size_t last = slot * places_ + lengths_[slot] - 1;
  return points.stamp(other) < points.stamp(lists_[last]);
}

void NeighbourGraph::measure_length(const HeldPoints& points, Slot slot) {
  if (metric_ == Metric::euclidean) return;
  if (points.has_missing(slot)) filled_.update(points);
  const Real* x = points.has_missing(slot) ? filled_.row(slot, 0) : points.row(slot);
  inverse_norms_[slot] = inverse_norm(x, points.features());
}

void NeighbourGraph::add(const HeldPoints& points, Slot slot) {
  measure_length(points, slot);
  const Span<const Slot> order = points.order();
  const std::size_t before = points.size() - 1;  // the newcomer is last
  const bool plain = metric_ == Metric::euclidean && !points.any_missing();
  lengths_[slot] = 0;
  note_reach(slot, 0);
  for (std::size_t i = 0; i < before; ++i) {
    const Slot other = order[i];
    const Real key =
        plain ? whittle::squared_distance(points.row(slot), points.row(other), points.features())
              : computed_key(points, slot, other);
    if (keep_distances_) {
      row_of_keys(slot)[other] = key;
      row_of_keys(other)[slot] = key;
    }
    if (enters(slot, key)) {
      insert(points, slot, other, key);
      note_reach(slot, i + 1);
    }
    if (enters(other, key)) {
      insert(points, other, slot, key);
      note_reach(other, before);
    }
  }
}

void NeighbourGraph::move(const HeldPoints& points, Slot slot) {
  measure_length(points, slot);
  rebuild(points, slot);
  const std::size_t others = points.size() - 1;
  for (const Slot other : points.order()) {
    if (other == slot) continue;
    const bool listed = take_out(other, slot);
    if (listed) note_reach(other, others - 1);
    const Real key = this->key(points, other, slot);
    if (enters_at_its_age(points, other, slot, key)) {
      insert(points, other, slot, key);
      note_reach(other, others);
    } else if (listed) {
      refill(points, other);
    }
  }
}

void NeighbourGraph::rebuild(const HeldPoints& points, Slot slot) {
  lengths_[slot] = 0;
  note_reach(slot, 0);
  std::size_t others = 0;
  for (const Slot other : points.order()) {
    if (other == slot) continue;
    ++others;
    const Real key = computed_key(points, slot, other);
    if (keep_distances_) {
      row_of_keys(slot)[other] = key;
      row_of_keys(other)[slot] = key;
    }
    if (!enters(slot, key)) continue;
    insert(points, slot, other, key);
    note_reach(slot, others);
  }
}

void NeighbourGraph::measure_lengths(const HeldPoints& points) {
  for (const Slot slot : points.order()) measure_length(points, slot);
}

void NeighbourGraph::fill_missing(const HeldPoints& points) {
  if (metric_ == Metric::euclidean || !points.any_missing()) return;
  measure_lengths(points);
  for (const Slot slot : points.order()) rebuild(points, slot);
}

void NeighbourGraph::remove(const HeldPoints& points, Slot slot) {
  if (keep_distances_) {
    remove_by_distance(points, slot);
  } else {
    remove_by_search(points, slot);
  }
}

void NeighbourGraph::remove_by_distance(const HeldPoints& points, Slot slot) {
  const Real* row = row_of_keys(slot);  // the distances of a point that has left are still there
  for (const Slot other : points.order()) {
    if (row[other] > reaches_[other]) continue;  // not in its list
    if (take_out(other, slot)) refill(points, other);
  }
}

// Looks for the slot in all lists at once, many places at a time: it stands in few of them.
void NeighbourGraph::remove_by_search(const HeldPoints& points, Slot slot) {
  constexpr std::size_t kStride = 32;
  for (std::size_t first = 0; first < lists_.size(); first += kStride) {
    const std::size_t width = std::min(kStride, lists_.size() - first);
    const Slot* place = lists_.data() + first;
    if (width == kStride) {
      Slot hits = 0;
      for (std::size_t i = 0; i < kStride; ++i) hits |= place[i] == slot ? Slot{1} : Slot{0};
      if (hits == 0) continue;
    }
    for (std::size_t i = 0; i < width; ++i) {
      if (place[i] != slot) continue;
      const Slot owner = static_cast<Slot>((first + i) / places_);
      if (points.stamp(owner) != kFree && take_out(owner, slot)) refill(points, owner);
    }
  }
}

// What a list needs that has lost an entry. With kept distances it may stay short until it is read.
void NeighbourGraph::refill(const HeldPoints& points, Slot slot) {
  if (!keep_distances_ && is_short(points, slot)) rebuild(points, slot);
  note_reach(slot, points.size() - 1);
}

void NeighbourGraph::complete(const HeldPoints& points, Slot slot) const {
  while (is_short(points, slot)) append_next_nearest(points, slot);
  note_reach(slot, points.size() - 1);
}

void NeighbourGraph::prepare(const HeldPoints& points) {
  fill_missing(points);
  for (const Slot slot : points.order()) {
    if (is_short(points, slot)) complete(points, slot);
  }
}

// Takes `other` out of the list of `slot`; whether it was there.
bool NeighbourGraph::take_out(Slot slot, Slot other) {
  Slot* list = lists_.data() + slot * places_;
  const std::size_t length = lengths_[slot];
  std::size_t place = 0;
  while (place < length && list[place] != other) ++place;
  if (place == length) return false;
  if (!squares_.empty()) {
    Real* squares = squares_.data() + slot * places_;
    std::copy(squares + place + 1, squares + length, squares + place);
  }
  Real* keys = keys_.data() + slot * places_;
  for (; place + 1 < length; ++place) {
    list[place] = list[place + 1];
    keys[place] = keys[place + 1];
  }
  --lengths_[slot];
  return true;
}

// Completes a list with the nearest point that is not in it, the first of those after its last
// entry, from kept distances.
void NeighbourGraph::append_next_nearest(const HeldPoints& points, Slot slot) const {
  const std::size_t length = lengths_[slot];
  Slot* list = lists_.data() + slot * places_;
  Real* keys = keys_.data() + slot * places_;
  const OrderedBits last_bits = length == 0 ? 0 : ordered_bits(keys[length - 1]);
  const std::uint64_t last_stamp = length == 0 ? 0 : points.stamp(list[length - 1]);
  const Real* row = row_of_keys(slot);
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
  ++lengths_[slot];
  if (!squares_.empty()) {
    squares_[slot * places_ + length] = squared_distance(points, slot, nearest, row[nearest]);
  }
}

void NeighbourGraph::digest(const HeldPoints& points, Digest& digest) const {
  // With means in place of missing values the lists follow from the points at the time of scoring.
  if (metric_ == Metric::cosine && points.any_missing()) return;
  for (const Slot slot : points.order()) {
    const std::size_t length = degree(points, slot);
    for (std::size_t i = 0; i < length; ++i) digest.add(points.stamp(neighbours(slot)[i]));
    digest.add_all(squared_distances(slot), length);
  }
}

}  // namespace whittle
