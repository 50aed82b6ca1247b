#include "whittle/select/group_sums.h"

#include <algorithm>

namespace whittle {

void GroupSums::place(Arena& arena, const MemoryConfig& config) {
  features_ = config.features;
  groups_ = Constraints::max_groups(config);
  rows_ = arena.array<Real>(3 * groups_ * features_);
  sums_.place(arena, features_);
}

void GroupSums::measure(const StreamMemory& memory, const Real* origin) {
  memory_ = &memory;
  const std::uint32_t groups = memory.constraints().groups(memory.points());
  for (std::uint32_t g = 0; g < groups; ++g) {
    measure_group(memory.points(), memory.constraints(), g, origin);
  }
}

void GroupSums::measure_group(const HeldPoints& points, const Constraints& constraints,
                              std::uint32_t group, const Real* origin) {
  Real* counts = row(0, group);
  Real* means = row(1, group);
  Real* deviations = row(2, group);
  const std::uint32_t size = constraints.group_size(points, group);
  std::fill(counts, counts + features_, static_cast<Real>(size));
  std::fill(deviations, deviations + features_, Real(0));
  std::fill(means, means + features_, size == 0 ? Real(0) : kNoScore);
  if (size == 0) return;
  sums_.clear();
  for (const Slot slot : points.order()) {
    if (constraints.group(points, slot) != group) continue;
    const Real* x = points.row(slot);
    // From the group's first value, so that equal values deviate by exactly 0 from their mean.
    sums_.add([&](std::size_t r) {
      const Real d = x[r] - origin[r];
      means[r] = is_missing(means[r]) ? d : means[r];
      return is_missing(d) ? Real(0) : d - means[r];
    });
    if (!points.has_missing(slot)) continue;
    for (std::size_t r = 0; r < features_; ++r) counts[r] -= is_missing(x[r]) ? Real(1) : Real(0);
  }
  for (std::size_t r = 0; r < features_; ++r) {
    means[r] = counts[r] == 0 ? Real(0) : means[r] + sums_.value(r) / counts[r];
  }
  sums_.clear();
  for (const Slot slot : points.order()) {
    if (constraints.group(points, slot) != group) continue;
    const Real* x = points.row(slot);
    sums_.add([&](std::size_t r) {
      const Real d = (x[r] - origin[r]) - means[r];
      return is_missing(d) ? Real(0) : d * d;
    });
  }
  for (std::size_t r = 0; r < features_; ++r) deviations[r] = sums_.value(r);
}

Real GroupSums::must_link(std::size_t feature) const {
  Real sum = 0;
  for (std::uint32_t g = 0; g < memory_->constraints().groups(memory_->points()); ++g) {
    sum += counts(g)[feature] * deviations(g)[feature];
  }
  return sum;
}

Real GroupSums::cannot_link(std::size_t feature) const {
  const HeldPoints& points = memory_->points();
  const Constraints& constraints = memory_->constraints();
  const std::uint32_t groups = constraints.groups(points);
  Real sum = 0;
  for (std::uint32_t g = 0; g < groups; ++g) {
    for (std::uint32_t h = g + 1; h < groups; ++h) {
      if (!constraints.apart(points, g, h)) continue;
      const Real n = counts(g)[feature];
      const Real o = counts(h)[feature];
      const Real shift = means(g)[feature] - means(h)[feature];
      sum += o * deviations(g)[feature] + n * deviations(h)[feature] + n * o * shift * shift;
    }
  }
  return sum;
}

}  // namespace whittle
