// Of NeighbourGraph: points leave lists, and lists get what they lack.
#include <algorithm>
#include <limits>

#include "whittle/base/lanes.h"
#include "whittle/memory/neighbour_graph.h"
#include "whittle/memory/ordered_bits.h"

namespace whittle {

void NeighbourGraph::remove(const HeldPoints& points, Slot slot, std::uint64_t stamp) {
  means_changed_ = true;
  if (keep_distances_) {
    remove_by_distance(points, slot);
  } else {
    remove_by_age(points, slot, stamp);
  }
}

void NeighbourGraph::remove_by_distance(const HeldPoints& points, Slot slot) {
  const Real* row = row_of_keys(slot);  // the distances of a point that has left are still there
  for (const Slot other : points.order()) {
    if (row[other] > reaches_[other]) continue;  // not in its list
    if (take_out(other, slot)) refill(points, other);
  }
}

// Mostly it is the oldest point that leaves: few lists have another one as old.
void NeighbourGraph::remove_by_age(const HeldPoints& points, Slot slot, std::uint64_t stamp) {
  for (const Slot other : points.order()) {
    if (eldest_[other] > stamp) continue;  // not in its list
    if (take_out(other, slot)) refill(points, other);
    find_eldest(points, other);
  }
}

void NeighbourGraph::note_elder(const HeldPoints& points, Slot slot, Slot other) {
  if (!keep_distances_) eldest_[slot] = std::min(eldest_[slot], points.stamp(other));
}

void NeighbourGraph::find_eldest(const HeldPoints& points, Slot slot) {
  if (keep_distances_) return;
  eldest_[slot] = lengths_[slot] == 0 ? 0 : kFree;
  for (std::size_t i = 0; i < lengths_[slot]; ++i) note_elder(points, slot, neighbours(slot)[i]);
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

// What a list needs that has lost an entry. With kept distances it may stay short until it is read.
void NeighbourGraph::refill(const HeldPoints& points, Slot slot) {
  if (!keep_distances_ && is_short(points, slot)) rebuild(points, slot);
  note_reach(slot, points.size() - 1);
}

void NeighbourGraph::complete(const HeldPoints& points, Slot slot) const {
  while (is_short(points, slot)) append_next_nearest(points, slot);
  note_reach(slot, points.size() - 1);
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

}  // namespace whittle
