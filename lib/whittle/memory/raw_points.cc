// What samples held as they came add to the moments and pair sums of those that have left.
#include "whittle/base/lanes.h"
#include "whittle/memory/stream_memory.h"

namespace whittle {

std::uint64_t StreamMemory::count_held(std::size_t group) const {
  std::uint64_t count = 0;
  for (const Slot slot : points_.order()) count += group_of(points_.label(slot)) == group ? 1U : 0U;
  return count;
}

// The explicit pairs that a sample takes along.
void StreamMemory::settle_pairs(Slot slot) {
  for (const ConstraintPair& pair : constraints_.pairs()) {
    if (pair.older != slot && pair.newer != slot) continue;
    if (!counts(pair, pair.must_link)) continue;
    const Real aged = pair_decay();
    pairs_now_ = counts_.total();
    pair_sums_.add(points_.row(pair.older), points_.row(pair.newer), pair.must_link, weight(pair),
                   aged);
  }
}

bool StreamMemory::counts(const ConstraintPair& pair, bool must_link) const {
  return pair.must_link == must_link &&
         !Constraints::implied_by_labels(points_, pair.older, pair.newer);
}

Real StreamMemory::weight(const ConstraintPair& pair) const {
  return weight_of(pair.older) * weight_of(pair.newer);
}

// What the pairs that have left weigh by now: both samples have aged.
Real StreamMemory::pair_decay() const {
  const Real weight = moments_.weight_at_age(counts_.total() - pairs_now_);
  return weight * weight;
}

std::uint64_t StreamMemory::count_pairs(bool must_link) const {
  std::uint64_t count = pair_sums_.count(must_link);
  for (const ConstraintPair& pair : constraints_.pairs())
    count += counts(pair, must_link) ? 1U : 0U;
  return count;
}

Real StreamMemory::pair_sum(bool must_link, std::size_t feature) const {
  CompensatedSum sum;
  sum.add(pair_decay() * pair_sums_.sum(must_link, feature));
  for (const ConstraintPair& pair : constraints_.pairs()) {
    if (!counts(pair, must_link)) continue;
    const Real d = points_.row(pair.older)[feature] - points_.row(pair.newer)[feature];
    if (!is_missing(d)) sum.add(weight(pair) * d * d);
  }
  return sum.value();
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
