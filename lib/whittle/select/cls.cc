#include "whittle/select/cls.h"

#include <algorithm>

#include "whittle/memory/label_constraints.h"
#include "whittle/select/ratio.h"

namespace whittle {

Cls::Cls(Arena& arena, const StreamMemory& memory, const ParamValues& values) : memory_(memory) {
  const MemoryConfig& config = memory.config();
  rule_.lambda = values[1];
  rule_.must_link_pairs = true;
  rule_.drop_cannot_link = true;
  scatter_.place(arena, config);
  sums_.place(arena, config.features);
  class_means_ = arena.array<Real>(std::size_t{config.classes} * config.features);
  class_deviations_ = arena.array<FeatureSums>(config.classes);
  for (FeatureSums& deviations : class_deviations_) deviations.place(arena, config.features);
}

Status Cls::score(Span<Real> scores, InfoList* info) {
  if (const Status status = scatter_.build(memory_, rule_); !status.ok()) return status;
  if (info != nullptr) info->real("lambda_used", scatter_.lambda());
  const HeldPoints& points = memory_.points();
  if (cannot_link_points(points) == 0) {
    laplacian_scores(points, scatter_, sums_, scores);
    return {};
  }
  sums_.take_means(points, static_cast<Real>(points.size()), [](Slot) { return Real(1); });
  measure_classes();
  for (const Slot slot : points.order()) add_separation(slot);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = sums_.constant(r) ? kNoScore
                                  : ratio(Real(2) * scatter_.smoothness(r), sums_.sums().value(r));
  }
  return {};
}

void Cls::measure_classes() {
  const HeldPoints& points = memory_.points();
  const Real* origin = sums_.origin();
  for (FeatureSums& sums : class_deviations_) sums.clear();
  for (const Slot slot : points.order()) {
    if (points.label(slot) == kUnlabelled) continue;
    const Real* x = points.row(slot);
    class_deviations_[points.label(slot)].add([&](std::size_t r) { return x[r] - origin[r]; });
  }
  for (std::uint32_t c = 0; c < points.classes(); ++c) {
    if (points.class_count(c) == 0) continue;
    Real* means = class_means_.data() + c * points.features();
    const Real count = static_cast<Real>(points.class_count(c));
    for (std::size_t r = 0; r < points.features(); ++r) {
      means[r] = class_deviations_[c].value(r) / count;
    }
    class_deviations_[c].clear();
  }
  for (const Slot slot : points.order()) {
    if (points.label(slot) == kUnlabelled) continue;
    const Real* x = points.row(slot);
    const Real* means = class_means(points.label(slot));
    class_deviations_[points.label(slot)].add([&](std::size_t r) {
      const Real d = (x[r] - origin[r]) - means[r];
      return d * d;
    });
  }
}

// Adds what one point contributes to T2. Its squared differences to all points of a class are
// SS_c + n_c (f - mean_c)^2.
void Cls::add_separation(Slot slot) {
  const HeldPoints& points = memory_.points();
  const Real* x = points.row(slot);
  const Real* origin = sums_.origin();
  const Real* means = sums_.means();
  const Real degree = scatter_.degree(slot);
  const Real others = static_cast<Real>(cannot_link_points(points) -
                                        cannot_link_partners(points, slot));  // |J| - c_i
  sums_.sums().add([&](std::size_t r) {
    const Real d = (x[r] - origin[r]) - means[r];
    return degree * (others * d * d);
  });
  if (points.label(slot) == kUnlabelled) return;
  for (std::uint32_t c = 0; c < points.classes(); ++c) {
    if (c == points.label(slot) || points.class_count(c) == 0) continue;
    const Real count = static_cast<Real>(points.class_count(c));
    const Real* of_class = class_means(c);
    const FeatureSums& deviations = class_deviations_[c];
    sums_.sums().add([&](std::size_t r) {
      const Real d = (x[r] - origin[r]) - of_class[r];
      return degree * (deviations.value(r) + count * d * d);
    });
  }
}

}  // namespace whittle
