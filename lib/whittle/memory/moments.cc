#include "whittle/memory/moments.h"

#include <algorithm>

namespace whittle {
void Moments::place(Arena& arena, const MemoryConfig& config) {
  if (!config.moments) return;
  features_ = config.features;
  set_half_life(config.half_life);
  const std::size_t groups = std::size_t{config.classes} + 2;
  groups_ = arena.array<Group>(groups);
  Real* means = arena.array<Real>(groups * features_).data();
  Total* totals = arena.array<Total>(groups * features_).data();
  Real* blocks = arena.array<Real>(forgets() ? 0 : (groups + 1) * 2 * padded(features_)).data();
  for (Group& group : groups_) {
    group.mean = means;
    group.totals = totals;
    means += features_;
    totals += features_;
    if (forgets()) continue;
    group.block = blocks;
    blocks += 2 * padded(features_);
  }
  spare_ = blocks;
}

// Writes the block's sums with x added to `out`. Returns a number that is finite only if x is.
// The hot loop of E1 selectors: one pass, everything loaded once, nothing overwritten. On a scalar
// core 11 instructions a feature; the check goes by lanes for the sake of SIMD ones.
Real Moments::accumulate(const Group& group, const Real* x, Real* WHITTLE_RESTRICT out) const {
  const Real* pivot = group.mean;
  const Real* in = group.block;
  const Real* const end = x + features_ / kLanes * kLanes;
  Real lane[kLanes] = {};
  WHITTLE_UNROLL_2
  while (x != end) {
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kLanes; ++l) {
      const Real d = x[l] - pivot[l];
      const Real square = in[kLanes + l] + d * d;
      out[l] = in[l] + d;
      out[kLanes + l] = square;
      lane[l] += square;
    }
    x += kLanes;
    pivot += kLanes;
    in += 2 * kLanes;
    out += 2 * kLanes;
  }
  Real check = sum_of_lanes(lane);
  for (std::size_t l = 0; l < features_ % kLanes; ++l) {
    const Real d = x[l] - pivot[l];
    const Real square = in[kLanes + l] + d * d;
    out[l] = in[l] + d;
    out[kLanes + l] = square;
    check += square;
  }
  return check;
}

// Of a group without samples: lets the block start at this one if it has every value.
bool Moments::start_block(Group& group, const Real* x) const {
  if (forgets() || group.single > 0 || !all_finite(x, features_)) return false;
  std::copy(x, x + features_, group.mean);
  return true;
}

bool Moments::add(std::size_t index, const Real* x) {
  Group& group = groups_[index];
  if (group.least > 0 || start_block(group, x)) {
    const Real check = accumulate(group, x, spare_);
    // The squares may overflow where the values do not: only then look at each of them.
    if (check < kInfinity || all_finite(x, features_)) {
      std::swap(group.block, spare_);
      ++group.in_block;
      if (group.in_block >= group.least) merge_block(group);
      return true;
    }
  }
  return add_single(group, x);
}

void Moments::merge_block(Group& group) const {
  Real before = real_count(group.whole);
  const Real added = static_cast<Real>(group.in_block);
  Real share = added / (before + added);
  for (std::size_t r = 0; r < features_; ++r) {
    if (group.single > 0) {
      before = total_count(group, r);
      share = added / (before + added);
    }
    Total& total = group.totals[r];
    Real& sum = group.block[r / kLanes * 2 * kLanes + r % kLanes];
    Real& squares = (&sum)[kLanes];
    const Real mean = sum / added;  // less the pivot
    const Real within = std::max(squares - sum * mean, Real(0));
    const Real delta = mean - total.mean_rest;
    const TwoSum deviations = two_sum(total.deviations, within + delta * delta * (before * share));
    total.deviations = deviations.high;
    total.deviations_rest += deviations.low;
    const TwoSum moved = two_sum(group.mean[r], total.mean_rest + delta * share);
    group.mean[r] = moved.high;
    total.mean_rest = moved.low;
    sum = 0;
    squares = 0;
  }
  group.whole += group.in_block;
  group.least = std::min(group.least + group.in_block, kBlock);
  group.in_block = 0;
}

Real Moments::total_count(const Group& group, std::size_t feature) {
  return real_count(group.whole) + group.totals[feature].count;
}

// For `least` of a group: blocks need a pivot in every feature, and are not used to forget.
std::uint32_t Moments::least_count(const Group& group) const {
  if (forgets()) return 0;
  Real least = static_cast<Real>(kBlock);
  for (std::size_t r = 0; r < features_; ++r) least = std::min(least, total_count(group, r));
  return static_cast<std::uint32_t>(least);
}

Moment Moments::of(std::size_t index, std::size_t feature) const {
  const Group& group = groups_[index];
  const Total& totals = group.totals[feature];
  Moment total = {total_count(group, feature), group.mean[feature], totals.mean_rest,
                  totals.deviations + totals.deviations_rest};
  if (forgets()) {
    const Real factor = decay(total.count, group.scale / weight_);
    total.count *= factor;
    total.deviations *= factor;
  }
  if (group.in_block == 0) return total;
  const Real* sum = group.block + feature / kLanes * 2 * kLanes + feature % kLanes;
  const Real count = static_cast<Real>(group.in_block);
  const Real mean = *sum / count;
  const Moment block = {count, group.mean[feature], mean,
                        std::max(sum[kLanes] - *sum * mean, Real(0))};
  return merged(total, block);
}

void Moments::digest(Digest& digest) const {
  if (forgets()) digest.add(phase_);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    digest.add(count(g));
    for (std::size_t r = 0; r < features_; ++r) {
      const Moment moment = of(g, r);
      digest.add(moment.mean);
      digest.add(moment.mean_rest);
      digest.add(moment.deviations);
      if (groups_[g].single > 0) digest.add(moment.count);
    }
  }
}

Moment Moments::of_labelled(std::size_t feature) const {
  Moment all;
  for (std::size_t c = 0; c < unlabelled(); ++c) all = merged(all, of(c, feature));
  return all;
}

}  // namespace whittle
