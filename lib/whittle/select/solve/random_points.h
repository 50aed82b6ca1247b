// Clusters at held points chosen at random: the seeded start of a k-means method.
#ifndef WHITTLE_SELECT_SOLVE_RANDOM_POINTS_H_
#define WHITTLE_SELECT_SOLVE_RANDOM_POINTS_H_

#include <cstdint>

#include "whittle/base/random.h"
#include "whittle/memory/filled_points.h"

namespace whittle {

// Founds a cluster for each class that is held, at distinct points, by selection sampling (Knuth):
// in order of age, each of the classes in a random place. Cost O(n).
template <typename Clusters>
void found_at_random_points(const FilledPoints& points, Random& random, Clusters& clusters) {
  const Span<const Slot> order = points.held().order();
  auto left = static_cast<std::uint32_t>(order.size());
  auto wanted = points.held().classes_present();
  std::uint32_t q = 0;
  for (const Slot slot : order) {
    if (random.below(left--) >= wanted) continue;
    while (points.held().class_count(q) == 0) ++q;
    clusters.found(q++, points.row(slot, 0));
    --wanted;
  }
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_RANDOM_POINTS_H_
