// What samples held as they came add to the moments of those that have left.
#include "whittle/base/lanes.h"
#include "whittle/memory/stream_memory.h"

namespace whittle {

std::uint64_t StreamMemory::count_held(std::size_t group) const {
  std::uint64_t count = 0;
  for (const Slot slot : points_.order()) count += group_of(points_.label(slot)) == group ? 1U : 0U;
  return count;
}

// Of the held samples of a group, with their weights if there is a half-life.
Moment StreamMemory::held_moment(std::size_t group, std::size_t feature) const {
  Real origin = 0;
  CompensatedSum weights;
  CompensatedSum sum;
  bool any = false;
  const auto visit = [&](auto&& add) {
    for (const Slot slot : points_.order()) {
      const Real value = points_.row(slot)[feature];
      if (group_of(points_.label(slot)) != group || is_missing(value)) continue;
      add(value, weight_of(slot));
    }
  };
  visit([&](Real value, Real weight) {
    if (!any) origin = value;
    any = true;
    weights.add(weight);
    sum.add(weight * (value - origin));
  });
  if (!any) return {};
  const Real shift = sum.value() / weights.value();
  CompensatedSum squares;
  visit([&](Real value, Real weight) {
    const Real d = (value - origin) - shift;
    squares.add(weight * d * d);
  });
  return {weights.value(), origin, shift, squares.value()};
}

}  // namespace whittle
