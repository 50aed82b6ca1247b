#include "whittle/select/relieff.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"

namespace whittle {
namespace {

// A quotient, so that the whole range is exactly 1 in every feature and equal distances tie.
inline Real difference(Real a, Real b, Real range) {
  const Real d = std::abs(a - b) / range;
  return d > 0 ? d : Real(0);  // 0 for NaN: a missing value, or inf / inf
}

// Sum of the differences over all m features.
Real distance(const Real* a, const Real* b, const Real* ranges, std::size_t m) {
  Real lane[kLanes] = {};
  std::size_t r = 0;
  for (; r + kLanes <= m; r += kLanes) {
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kLanes; ++l) {
      lane[l] += difference(a[r + l], b[r + l], ranges[r + l]);
    }
  }
  WHITTLE_UNROLL_8
  for (std::size_t l = 0; l < kLanes; ++l) {  // unrolled, so that the lanes stay in registers
    if (r + l == m) break;
    lane[l] += difference(a[r + l], b[r + l], ranges[r + l]);
  }
  return sum_of_lanes(lane);
}

}  // namespace

Relieff::Relieff(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory) {
  const MemoryConfig& config = memory.config();
  labelled_ = arena.array<Slot>(config.labelled);
  nearest_ = arena.array<Neighbour>(most_nearest(config, values));
  ranges_ = arena.array<Real>(config.features);
  sums_.place(arena, config.features);
}

Status Relieff::score(Span<Real> scores, InfoList* /*info*/) {
  const HeldPoints& points = memory_.points();
  if (points.classes_present() < 2) {
    return {StatusCode::failed_precondition, "relieff needs labelled samples of two classes"};
  }
  sort_by_class();
  measure_ranges();
  sums_.clear();
  for (std::size_t i = 0; i < points.labelled(); ++i) add_instance(i);
  const Real n = static_cast<Real>(points.labelled());
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = ranges_[r] < kInfinity ? sums_.value(r) / n : kNoScore;
  }
  return {};
}

void Relieff::sort_by_class() {
  const HeldPoints& points = memory_.points();
  std::size_t place = 0;
  for (std::uint32_t c = 0; c < points.classes(); ++c) {
    if (points.class_count(c) == 0) continue;
    for (const Slot slot : points.order()) {
      if (points.label(slot) == c) labelled_[place++] = slot;
    }
  }
}

void Relieff::measure_ranges() {
  const HeldPoints& points = memory_.points();
  const Span<const Slot> labelled(labelled_.data(), points.labelled());
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    Real least = kInfinity;
    Real most = -kInfinity;
    for (const Slot slot : labelled) {
      const Real value = points.row(slot)[r];
      if (value < least) least = value;  // NaN, a missing value, is neither
      if (value > most) most = value;
    }
    ranges_[r] = most > least ? most - least : kInfinity;
  }
}

void Relieff::add_instance(std::size_t instance) {
  const HeldPoints& points = memory_.points();
  const std::uint32_t own = points.label(labelled_[instance]);
  const Real others = static_cast<Real>(points.labelled() - points.class_count(own));
  std::size_t begin = 0;
  for (std::uint32_t c = 0; c < points.classes(); ++c) {
    const std::size_t end = begin + points.class_count(c);
    const std::size_t count = find_nearest(instance, begin, end);
    if (count > 0) {
      const Real share = c == own ? Real(-1) : static_cast<Real>(end - begin) / others;
      add_nearest(instance, count, share / static_cast<Real>(count));
    }
    begin = end;
  }
}

// Fills nearest_ from the points at these places, the instance itself left out, nearest first.
// Returns how many there are.
std::size_t Relieff::find_nearest(std::size_t instance, std::size_t begin, std::size_t end) {
  const auto nearer = [](const Neighbour& a, const Neighbour& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.place < b.place);
  };
  const HeldPoints& points = memory_.points();
  const Real* x = points.row(labelled_[instance]);
  Neighbour* first = nearest_.begin();
  std::size_t count = 0;
  for (std::size_t place = begin; place < end; ++place) {
    if (place == instance) continue;
    const Neighbour neighbour = {
        distance(x, points.row(labelled_[place]), ranges_.data(), ranges_.size()),
        static_cast<std::uint32_t>(place)};
    if (count == nearest_.size()) {  // the farthest, on top of the heap, gives way to a nearer one
      if (!nearer(neighbour, *first)) continue;
      std::pop_heap(first, first + count, nearer);
      --count;
    }
    first[count++] = neighbour;
    std::push_heap(first, first + count, nearer);
  }
  // How a heap lies in memory is the standard library's choice; how it sorts is not.
  std::sort_heap(first, first + count, nearer);
  return count;
}

// Adds the differences between the instance and the points in nearest_.
void Relieff::add_nearest(std::size_t instance, std::size_t count, Real weight) {
  const HeldPoints& points = memory_.points();
  const Real* WHITTLE_RESTRICT x = points.row(labelled_[instance]);
  const Real* WHITTLE_RESTRICT ranges = ranges_.data();
  for (std::size_t i = 0; i < count; ++i) {
    const Real* WHITTLE_RESTRICT y = points.row(labelled_[nearest_[i].place]);
    sums_.add([&](std::size_t r) { return weight * difference(x[r], y[r], ranges[r]); });
  }
}

}  // namespace whittle
