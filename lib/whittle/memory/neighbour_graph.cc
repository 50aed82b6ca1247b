// Of NeighbourGraph: points enter lists.
#include "whittle/memory/neighbour_graph.h"

#include "whittle/memory/ordered_bits.h"

namespace whittle {

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
  eldest_ = arena.array<std::uint64_t>(keep_distances_ ? 0 : capacity_);
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

void NeighbourGraph::clear(Slot slot) {
  lengths_[slot] = 0;
  note_reach(slot, 0);
}

void NeighbourGraph::extend(const HeldPoints& points, Slot slot, std::size_t seen,
                            Span<const Slot> others, bool newcomer) {
  constexpr std::size_t kBlock = 32;
  Real keys[kBlock];
  Real reach = reaches_[slot];
  for (std::size_t first = 0; first < others.size(); first += kBlock) {
    const Span<const Slot> block = others.subspan(first, std::min(kBlock, others.size() - first));
    measure(points, slot, block, keys);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Slot other = block[i];
      const Real key = keys[i];
      if (!(key >= reach)) {
        insert(points, slot, other, key);
        note_reach(slot, seen + first + i + 1);
        reach = reaches_[slot];
      }
      if (newcomer && enters(other, key)) {
        insert(points, other, slot, key);
        note_reach(other, others.size());
      }
    }
  }
}

void NeighbourGraph::add(const HeldPoints& points, Slot slot) {
  note_change(points, slot);
  clear(slot);
  extend(points, slot, 0, points.order().subspan(0, points.size() - 1), true);
  find_eldest(points, slot);
}

void NeighbourGraph::rebuild(const HeldPoints& points, Slot slot) {
  const Span<const Slot> order = points.order();
  std::size_t place = 0;
  while (order[place] != slot) ++place;
  clear(slot);
  extend(points, slot, 0, order.subspan(0, place), false);
  extend(points, slot, place, order.subspan(place + 1, order.size() - place - 1), false);
  find_eldest(points, slot);
}

void NeighbourGraph::move(const HeldPoints& points, Slot slot) {
  note_change(points, slot);
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
      note_elder(points, other, slot);
    } else if (listed) {
      refill(points, other);
    }
  }
}

void NeighbourGraph::prepare(const HeldPoints& points) {
  if (metric_ == Metric::cosine && points.any_missing() && means_changed_) {
    measure_lengths(points);
    for (const Slot slot : points.order()) rebuild(points, slot);
    means_changed_ = false;
  }
  for (const Slot slot : points.order()) {
    if (is_short(points, slot)) complete(points, slot);
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
