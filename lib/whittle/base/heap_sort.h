// Heap sort of indices: in place, no recursion, O(n log n) whatever the order they come in.
#ifndef WHITTLE_BASE_HEAP_SORT_H_
#define WHITTLE_BASE_HEAP_SORT_H_

#include <cstdint>
#include <utility>

#include "whittle/base/span.h"

namespace whittle {

// Sorts so that before(a, b) holds for each element a and every later b. `before` must be a strict
// total order: two different indices never compare equal.
template <typename Before>
void heap_sort(Span<std::uint32_t> items, const Before& before) {
  const auto count = static_cast<std::uint32_t>(items.size());
  const auto sift = [&](std::uint32_t root, std::uint32_t end) {
    while (2 * root + 1 < end) {
      std::uint32_t child = 2 * root + 1;
      if (child + 1 < end && before(items[child], items[child + 1])) ++child;
      if (!before(items[root], items[child])) return;
      std::swap(items[root], items[child]);
      root = child;
    }
  };
  for (std::uint32_t root = count / 2; root-- > 0;) sift(root, count);
  for (std::uint32_t end = count; end-- > 1;) {
    std::swap(items[0], items[end]);
    sift(0, end);
  }
}

}  // namespace whittle

#endif  // WHITTLE_BASE_HEAP_SORT_H_
