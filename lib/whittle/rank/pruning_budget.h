// BudgetSearch: the items of the largest value whose costs sum up to no more than a budget (0/1
// knapsack), in fixed memory and bounded time.
//
// Depth-first branch and bound with items by value per cost (Horowitz and Sahni 1974), the bound
// being Dantzig's: the rest of the budget filled in that order, the last item in part. The first
// leaf is the greedy choice, so stopping early never gives less than greedy does, and the best
// single item with what fits beside it is tried too: at least half of the best value whenever the
// search is cut short. When it comes to its end, the choice is the best there is. optimality()
// tells which: 1, or the value over Dantzig's bound for the whole. Ties are broken by position in
// `order`. Whatever still fits is chosen, even if it is worth nothing.
//
// Cost: at most `steps` looks at an item, and O(n log n). Memory: 2 Reals and 2 bytes per item.
#ifndef WHITTLE_RANK_PRUNING_BUDGET_H_
#define WHITTLE_RANK_PRUNING_BUDGET_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

class BudgetSearch {
 public:
  static constexpr std::size_t required_bytes(std::size_t items) {
    return ByteCount{}
        .array<Real>(items)
        .array<Real>(items)
        .array<bool>(items)
        .array<bool>(items)
        .total();
  }
  void place(Arena& arena, std::size_t items);

  // Chooses among items[0], items[1], ..., each an index into `values` (>= 0) and `costs` (>= 0),
  // and sorts them by value per cost. Sums that pass the budget by a part in 10^5 are let through,
  // since costs are rounded. Returns how many are chosen: chosen(i) tells of items[i].
  std::size_t choose(Span<std::uint32_t> items, Span<const Real> values, Span<const Real> costs,
                     Real budget, std::uint32_t steps);
  bool chosen(std::size_t i) const { return best_[i]; }

  // Of the last choice: its value is at least this share of the best one's.
  Real optimality() const { return optimality_; }

 private:
  struct Problem;
  void start_with_best_item(const Problem& problem);
  bool search(const Problem& problem);  // whether it came to its end

  Span<Real> value_before_;  // at each item, on the way to the current leaf
  Span<Real> room_before_;
  Span<bool> taken_;
  Span<bool> best_;
  Real best_value_ = 0;
  Real optimality_ = 1;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_PRUNING_BUDGET_H_
