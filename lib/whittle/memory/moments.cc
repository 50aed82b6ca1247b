#include "whittle/memory/moments.h"

#include <algorithm>

namespace whittle {
namespace {

// high + low == a + b exactly (Knuth).
struct TwoSum {
  Real high;
  Real low;
};
TwoSum two_sum(Real a, Real b) {
  const Real high = a + b;
  const Real kept = high - a;
  return {high, (a - (high - kept)) + (b - kept)};
}

}  // namespace

Moment merged(const Moment& a, const Moment& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const Real share = b.count / (a.count + b.count);
  const Real delta = mean_difference(b, a);
  const TwoSum mean = two_sum(a.mean, a.mean_rest + delta * share);
  return {a.count + b.count, mean.high, mean.low,
          (a.deviations + b.deviations) + delta * delta * (a.count * share)};
}

void Moments::place(Arena& arena, const MemoryConfig& config) {
  if (!config.moments) return;
  features_ = config.features;
  const std::size_t groups = std::size_t{config.classes} + 2;
  groups_ = arena.array<Group>(groups);
  Real* totals = arena.array<Real>(groups * 4 * features_).data();
  Real* blocks = arena.array<Real>((groups + 1) * 2 * padded(features_)).data();
  for (Group& group : groups_) {
    group.mean = totals;
    group.mean_rest = totals + features_;
    group.deviations = totals + 2 * features_;
    group.deviations_rest = totals + 3 * features_;
    group.block = blocks;
    totals += 4 * features_;
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

bool Moments::add(std::size_t index, const Real* x) {
  Group& group = groups_[index];
  if (group.merged + group.in_block == 0) {
    if (!all_finite(x, features_)) return false;
    std::copy(x, x + features_, group.mean);
  }
  const Real check = accumulate(group, x, spare_);
  // The squares may overflow where the values do not: only then look at each of them.
  if (!(check < kInfinity) && !all_finite(x, features_)) return false;
  std::swap(group.block, spare_);
  ++group.in_block;
  if (group.in_block >= kBlock || group.in_block >= group.merged) merge_block(group);
  return true;
}

void Moments::merge_block(Group& group) {
  const Real before = real_count(group.merged);
  const Real added = static_cast<Real>(group.in_block);
  const Real share = added / (before + added);
  for (std::size_t r = 0; r < features_; ++r) {
    Real& sum = group.block[r / kLanes * 2 * kLanes + r % kLanes];
    Real& squares = (&sum)[kLanes];
    const Real mean = sum / added;  // less the pivot
    const Real within = std::max(squares - sum * mean, Real(0));
    const Real delta = mean - group.mean_rest[r];
    const TwoSum deviations =
        two_sum(group.deviations[r], within + delta * delta * (before * share));
    group.deviations[r] = deviations.high;
    group.deviations_rest[r] += deviations.low;
    const TwoSum moved = two_sum(group.mean[r], group.mean_rest[r] + delta * share);
    group.mean[r] = moved.high;
    group.mean_rest[r] = moved.low;
    sum = 0;
    squares = 0;
  }
  group.merged += group.in_block;
  group.in_block = 0;
}

Moment Moments::of(std::size_t index, std::size_t feature) const {
  const Group& group = groups_[index];
  const Moment total = {real_count(group.merged), group.mean[feature], group.mean_rest[feature],
                        group.deviations[feature] + group.deviations_rest[feature]};
  if (group.in_block == 0) return total;
  const Real* sum = group.block + feature / kLanes * 2 * kLanes + feature % kLanes;
  const Real count = static_cast<Real>(group.in_block);
  const Real mean = *sum / count;
  const Moment block = {count, group.mean[feature], mean,
                        std::max(sum[kLanes] - *sum * mean, Real(0))};
  return merged(total, block);
}

void Moments::digest(Digest& digest) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    digest.add(count(g));
    for (std::size_t r = 0; r < features_; ++r) {
      const Moment moment = of(g, r);
      digest.add(moment.mean);
      digest.add(moment.mean_rest);
      digest.add(moment.deviations);
    }
  }
}

Moment Moments::of_labelled(std::size_t feature) const {
  Moment all;
  for (std::size_t c = 0; c < unlabelled(); ++c) all = merged(all, of(c, feature));
  return all;
}

}  // namespace whittle
