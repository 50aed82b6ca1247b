#include "whittle/rank/ranking.h"

#include <utility>

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
  // Heap sort: no memory, no recursion, O(m log m) whatever the scores.
  const auto sift = [&](std::uint32_t root, std::uint32_t end) {
    while (2 * root + 1 < end) {
      std::uint32_t child = 2 * root + 1;
      if (child + 1 < end && before(order_[child], order_[child + 1])) ++child;
      if (!before(order_[root], order_[child])) return;
      std::swap(order_[root], order_[child]);
      root = child;
    }
  };
  for (std::uint32_t root = count / 2; root-- > 0;) sift(root, count);
  for (std::uint32_t end = count; end-- > 1;) {
    std::swap(order_[0], order_[end]);
    sift(0, end);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    selected_[order_[i]] = has_score(scores_[order_[i]]) && (top == 0 || i < top);
  }
  valid_ = true;
}

}  // namespace whittle
