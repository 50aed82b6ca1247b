// What goes into the totals of Moments past the block: samples by themselves, and the moments of
// another node; and the clock by which totals are forgotten.
#include <algorithm>
#include <cmath>

#include "whittle/base/math.h"
#include "whittle/memory/moments.h"

namespace whittle {
namespace {

constexpr std::uint64_t kClockUnit = 1U << 20;  // one sample
constexpr Real kLn2 = Real(0.693147180559945309);
constexpr Real kLeastWeight = Real(0x1p-64);

}  // namespace

// Adds a sample to the totals of the features that it has.
bool Moments::add_single(Group& group, const Real* x) {
  bool present = false;
  for (std::size_t r = 0; r < features_; ++r) {
    if (std::isinf(x[r])) return false;
    present = present || !is_missing(x[r]);
  }
  if (!present) return false;
  pass_time();
  add_weighted(group, x, weight_);
  return true;
}

void Moments::add_late(std::size_t index, const Real* x, std::uint64_t age) {
  if (forgets()) {
    add_weighted(groups_[index], x, weight_ * weight_at_age(age));
  } else {
    (void)add(index, x);
  }
}

Real Moments::weight_at_age(std::uint64_t age) const {
  if (!forgets()) return Real(1);
  const Real half_life = real_count(period_) / static_cast<Real>(kClockUnit);
  return std::max(exp(-(real_count(age) / half_life) * kLn2), kLeastWeight);
}

// Takes a moment into mean and deviations of a total of `count` values; that is the caller's.
inline void Moments::absorb(Real count, Real& mean, Total& total, const Moment& added) {
  if (count == 0) {
    mean = added.mean;
    total.mean_rest = added.mean_rest;
    total.deviations = added.deviations;
    return;
  }
  const Moment before = {count, mean, total.mean_rest, 0};
  const Real share = added.count / (count + added.count);
  const Real delta = mean_difference(added, before);
  const TwoSum moved = mean_of_union(before, added, share, delta);
  mean = moved.high;
  total.mean_rest = moved.low;
  const Real gained = added.deviations + delta * delta * (count * share);
  const TwoSum deviations = two_sum(total.deviations, total.deviations_rest + gained);
  total.deviations = deviations.high;
  total.deviations_rest = deviations.low;
}

void Moments::add_weighted(Group& group, const Real* x, Real weight) {
  apply_scale(group);
  if (group.in_block > 0) merge_block(group);
  const Real whole = real_count(group.whole);
  for (std::size_t r = 0; r < features_; ++r) {
    if (is_missing(x[r])) continue;
    Total& total = group.totals[r];
    absorb(whole + total.count, group.mean[r], total, {weight, x[r], 0, 0});
    const TwoSum count = two_sum(total.count, total.count_rest + weight);
    total.count = count.high;
    total.count_rest = count.low;
  }
  ++group.single;
  if (group.least == 0) group.least = least_count(group);
}

void Moments::set_half_life(Real half_life) {
  if (!(half_life > 0)) return;
  // Past 2^43 samples nothing is forgotten; below 1/64 all but the newest is at the least weight.
  const Real samples = std::clamp(half_life, Real(0x1p-6), Real(0x1p43));
  period_ = whole_part(samples * static_cast<Real>(kClockUnit) + Real(0.5));
}

void Moments::advance_clock() {
  phase_ += kClockUnit;
  Real scale = 1;
  for (; phase_ >= period_; phase_ -= period_) scale *= Real(0.5);
  if (scale < Real(1)) {
    for (Group& group : groups_) group.scale *= scale;
  }
  weight_ = exp(real_count(phase_) / real_count(period_) * kLn2);
}

// What the weights of a total are to be multiplied by, `scale` but for the least weight.
Real Moments::decay(Real count, Real scale) {
  return count > 0 && count * scale < kLeastWeight ? kLeastWeight / count : scale;
}

void Moments::apply_scale(Group& group) const {
  if (group.scale == Real(1)) return;
  for (std::size_t r = 0; r < features_; ++r) {
    Total& total = group.totals[r];
    const Real factor = decay(total.count, group.scale);
    total.count *= factor;
    total.count_rest *= factor;
    total.deviations *= factor;
    total.deviations_rest *= factor;
  }
  group.scale = 1;
}

Status Moments::merge(const Moments& other) {
  if (other.features_ != features_ || other.groups_.size() != groups_.size()) {
    return {StatusCode::invalid_argument, "moments of other features or classes"};
  }
  if (other.period_ != period_) {
    return {StatusCode::invalid_argument, "moments of another half-life"};
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) merge_group(groups_[g], other, g);
  return {};
}

void Moments::merge_group(Group& group, const Moments& other, std::size_t index) const {
  apply_scale(group);
  if (group.in_block > 0) merge_block(group);
  const Group& theirs = other.groups_[index];
  for (std::size_t r = 0; r < features_; ++r) {
    Moment added = other.of(index, r);
    if (added.count == 0) continue;
    added.count *= weight_;
    added.deviations *= weight_;
    Total& total = group.totals[r];
    absorb(total_count(group, r), group.mean[r], total, added);
    // Without a half-life, the exact number.
    const Real high = forgets() ? added.count : theirs.totals[r].count;
    const Real low = forgets() ? Real(0) : theirs.totals[r].count_rest;
    const TwoSum count = two_sum(total.count, high);
    const TwoSum whole = two_sum(count.high, count.low + (total.count_rest + low));
    total.count = whole.high;
    total.count_rest = whole.low;
  }
  group.whole += theirs.whole + theirs.in_block;
  group.single += theirs.single;
  group.least = least_count(group);
}

}  // namespace whittle
