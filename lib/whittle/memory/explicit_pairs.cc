// ExplicitPairs: held samples are tied to each other and parted again.
#include "whittle/base/lanes.h"
#include "whittle/memory/stream_memory.h"

namespace whittle {

void StreamMemory::place_pairs(Arena& arena) {
  constraints_.place(arena, config_);
  pair_sums_.place(arena, config_);
}

Status StreamMemory::tie(Slot a, Slot b, bool must_link) {
  return constraints_.add(points_, a, b, must_link);
}

Status StreamMemory::check_label(Slot slot, std::uint32_t label) const {
  return constraints_.check_label(points_, slot, label);
}

void StreamMemory::relabelled(Slot slot) { constraints_.relabelled(points_, slot); }

// Where samples are held as they came, the pairs that one takes along go on counting.
void StreamMemory::untie(Slot slot) {
  for (const ConstraintPair& pair : constraints_.pairs()) {
    if (pair.older != slot && pair.newer != slot) continue;
    if (!config_.raw_points || !counts(pair, pair.must_link)) continue;
    const Real aged = pair_decay();
    pairs_now_ = counts_.total();
    pair_sums_.add(points_.row(pair.older), points_.row(pair.newer), pair.must_link, weight(pair),
                   aged);
  }
  constraints_.forget(points_, slot);
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

void StreamMemory::digest_pairs(Digest& digest) const {
  constraints_.digest(points_, digest);
  pair_sums_.digest(digest);
}

}  // namespace whittle
