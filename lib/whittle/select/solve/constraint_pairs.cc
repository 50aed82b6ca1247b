#include "whittle/select/solve/constraint_pairs.h"

#include <utility>

namespace whittle {

bool PairList::contains(const HeldPoints& points, Slot a, Slot b) const {
  if (points.stamp(a) < points.stamp(b)) std::swap(a, b);
  const auto is_newer = [&](const PointPair& pair, const PointPair& than) {
    if (pair.newer != than.newer) return points.stamp(pair.newer) > points.stamp(than.newer);
    return points.stamp(pair.older) > points.stamp(than.older);
  };
  const PointPair* found = std::lower_bound(begin(), end(), PointPair{a, b}, is_newer);
  return found != end() && found->newer == a && found->older == b;
}

void ConstraintPairs::place(Arena& arena, const MemoryConfig& config, std::size_t limit) {
  must_link_.place(arena, max_pairs(config, limit));
  cannot_link_.place(arena, max_pairs(config, limit));
  grouped_ = arena.array<Slot>(max_points(config));
}

void ConstraintPairs::collect(const HeldPoints& points, const Constraints& constraints) {
  std::size_t count = 0;
  for (const Slot slot : points.order()) {
    if (constraints.group(points, slot) != kNoGroup) grouped_[count++] = slot;
  }
  must_link_.clear();
  cannot_link_.clear();
  for (std::size_t i = count; i-- > 0;) {
    for (std::size_t j = i; j-- > 0;) {
      if (must_link_.full() && cannot_link_.full()) return;
      const PointPair pair = {grouped_[i], grouped_[j]};
      if (constraints.must_link(points, pair.newer, pair.older)) {
        must_link_.add(pair);
      } else if (constraints.cannot_link(points, pair.newer, pair.older)) {
        cannot_link_.add(pair);
      }
    }
  }
}

}  // namespace whittle
