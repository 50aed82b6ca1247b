#include "whittle/rank/ranking.h"

#include "whittle/base/heap_sort.h"

namespace whittle {

void Ranking::place(Arena& arena, std::size_t features) {
  scores_ = arena.array<Real>(features);
  order_ = arena.array<std::uint32_t>(features);
  selected_ = arena.array<bool>(features);
}

void Ranking::arrange(Direction direction, std::uint32_t top) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const Real x = scores_[a];
    const Real y = scores_[b];
    if (has_score(x) != has_score(y)) return has_score(x);
    if (x < y) return direction == Direction::ascending;
    if (y < x) return direction == Direction::descending;
    return a < b;
  };
  const auto count = static_cast<std::uint32_t>(order_.size());
  for (std::uint32_t i = 0; i < count; ++i) order_[i] = i;
  heap_sort(order_, before);
  for (std::uint32_t i = 0; i < count; ++i) {
    selected_[order_[i]] = has_score(scores_[order_[i]]) && (top == 0 || i < top);
  }
  valid_ = true;
}

}  // namespace whittle
