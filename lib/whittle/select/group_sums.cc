#include "whittle/select/group_sums.h"

namespace whittle {

void GroupSums::place(Arena& arena, const MemoryConfig& config) {
  const std::size_t groups = Constraints::max_groups(config);
  features_ = config.features;
  means_ = arena.array<Real>(groups * features_);
  deviations_ = arena.array<FeatureSums>(groups);
  for (FeatureSums& sums : deviations_) sums.place(arena, features_);
}

void GroupSums::measure(const StreamMemory& memory, const Real* origin) {
  memory_ = &memory;
  const HeldPoints& points = memory.points();
  const Constraints& constraints = memory.constraints();
  const std::uint32_t groups = constraints.groups(points);
  for (std::uint32_t g = 0; g < groups; ++g) deviations_[g].clear();
  for (const Slot slot : points.order()) {
    const std::uint32_t g = constraints.group(points, slot);
    if (g == kNoGroup) continue;
    const Real* x = points.row(slot);
    deviations_[g].add([&](std::size_t r) { return x[r] - origin[r]; });
  }
  for (std::uint32_t g = 0; g < groups; ++g) {
    if (constraints.group_size(points, g) == 0) continue;
    Real* means = means_.data() + g * features_;
    const Real count = static_cast<Real>(constraints.group_size(points, g));
    for (std::size_t r = 0; r < features_; ++r) means[r] = deviations_[g].value(r) / count;
    deviations_[g].clear();
  }
  for (const Slot slot : points.order()) {
    const std::uint32_t g = constraints.group(points, slot);
    if (g == kNoGroup) continue;
    const Real* x = points.row(slot);
    const Real* means = means_.data() + g * features_;
    deviations_[g].add([&](std::size_t r) {
      const Real d = (x[r] - origin[r]) - means[r];
      return d * d;
    });
  }
}

Real GroupSums::count(std::uint32_t group, std::size_t /*feature*/) const {
  return static_cast<Real>(memory_->constraints().group_size(memory_->points(), group));
}

Real GroupSums::must_link(std::size_t feature) const {
  Real sum = 0;
  for (std::uint32_t g = 0; g < memory_->constraints().groups(memory_->points()); ++g) {
    sum += count(g, feature) * deviations(g, feature);
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
      const Real n = count(g, feature);
      const Real o = count(h, feature);
      const Real shift = mean(g, feature) - mean(h, feature);
      sum += o * deviations(g, feature) + n * deviations(h, feature) + n * o * shift * shift;
    }
  }
  return sum;
}

}  // namespace whittle
