#include "whittle/rank/pruning_budget.h"

#include "whittle/base/heap_sort.h"

namespace whittle {

struct BudgetSearch::Problem {
  std::size_t size() const { return items.size(); }
  Real value(std::size_t i) const { return values[items[i]]; }
  Real cost(std::size_t i) const { return costs[items[i]]; }
  bool fits(std::size_t i, Real room) const { return cost(i) <= room + slack; }

  // Dantzig's bound of what items from i on can add.
  Real bound(std::size_t i, Real room) {
    Real sum = 0;
    for (; i < size(); ++i) {
      --steps;
      if (!fits(i, room)) return room > 0 ? sum + value(i) * (room / cost(i)) : sum;
      room -= cost(i);
      sum += value(i);
    }
    return sum;
  }

  Span<std::uint32_t> items;
  Span<const Real> values;
  Span<const Real> costs;
  Real budget;
  Real slack;
  std::int64_t steps;
};

void BudgetSearch::place(Arena& arena, std::size_t items) {
  value_before_ = arena.array<Real>(items);
  room_before_ = arena.array<Real>(items);
  taken_ = arena.array<bool>(items);
  best_ = arena.array<bool>(items);
}

// The best single item, then what fits beside it. Leaves of the search need no such filling: there
// an item that fits is tried first.
void BudgetSearch::start_with_best_item(const Problem& problem) {
  best_value_ = 0;
  std::size_t best = problem.size();
  for (std::size_t i = 0; i < problem.size(); ++i) {
    best_[i] = false;
    if (problem.fits(i, problem.budget) && problem.value(i) > best_value_) {
      best_value_ = problem.value(i);
      best = i;
    }
  }
  Real room = problem.budget;
  if (best < problem.size()) {
    best_[best] = true;
    room -= problem.cost(best);
  }
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (best_[i] || !problem.fits(i, room)) continue;
    best_[i] = true;
    best_value_ += problem.value(i);
    room -= problem.cost(i);
  }
}

bool BudgetSearch::search(const Problem& given) {
  Problem problem = given;
  const std::size_t count = problem.size();
  Real value = 0;
  Real room = problem.budget;
  std::size_t next = 0;
  bool first = true;  // the greedy leaf is always reached
  for (;;) {
    if (first || value + problem.bound(next, room) > best_value_) {
      for (; next < count; ++next, --problem.steps) {
        value_before_[next] = value;
        room_before_[next] = room;
        taken_[next] = problem.fits(next, room);
        if (!taken_[next]) continue;
        value += problem.value(next);
        room -= problem.cost(next);
      }
      if (value > best_value_) {
        best_value_ = value;
        for (std::size_t i = 0; i < count; ++i) best_[i] = taken_[i];
      }
    }
    first = false;
    // Back to the last item taken, which is then left out.
    while (next > 0 && !taken_[next - 1]) --next;
    if (next == 0) return true;
    if (problem.steps <= 0) return false;
    value = value_before_[next - 1];
    room = room_before_[next - 1];
    taken_[next - 1] = false;
  }
}

std::size_t BudgetSearch::choose(Span<std::uint32_t> items, Span<const Real> values,
                                 Span<const Real> costs, Real budget, std::uint32_t steps) {
  heap_sort(items, [&](std::uint32_t a, std::uint32_t b) {
    const Real left = values[a] * costs[b];
    const Real right = values[b] * costs[a];
    if (left > right) return true;
    if (right > left) return false;
    if (values[a] != values[b]) return values[a] > values[b];
    return a < b;
  });
  Problem problem = {items, values, costs, budget, budget * Real(1e-5), steps};
  start_with_best_item(problem);
  optimality_ = 1;
  if (!search(problem)) {
    const Real bound = problem.bound(0, budget);
    if (bound > best_value_) optimality_ = best_value_ / bound;
  }
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < items.size(); ++i) chosen += best_[i];
  return chosen;
}

}  // namespace whittle
