#include "whittle/select/cls.h"

#include <algorithm>

#include "whittle/memory/label_constraints.h"
#include "whittle/select/ratio.h"

namespace whittle {

Cls::Cls(Arena& arena, const StreamMemory& memory, const ParamValues& values) : memory_(memory) {
  rule_.lambda = values[1];
  rule_.must_link_pairs = true;
  rule_.drop_cannot_link = true;
  scatter_.place(arena, memory.config());
  class_means_ = arena.array<Real>(memory.config().classes * kLanes);
  class_sums_ = arena.array<CompensatedSum>(memory.config().classes * kLanes);
}

Status Cls::score(Span<Real> scores, InfoList* info) {
  if (const Status status = scatter_.build(memory_, rule_); !status.ok()) return status;
  if (info != nullptr) info->real("lambda_used", scatter_.lambda());
  const HeldPoints& points = memory_.points();
  if (cannot_link_points(points) == 0) {
    laplacian_scores(points, scatter_, scores);
    return {};
  }
  for (std::size_t first = 0; first < scores.size(); first += kLanes) {
    const std::size_t width = std::min(kLanes, scores.size() - first);
    const PointMeans means = point_means(points, scatter_, first, width);
    measure_classes(means, first, width);
    CompensatedSum separation[kLanes];  // T2
    for (const Slot slot : points.order()) add_separation(means, slot, first, width, separation);
    for (std::size_t l = 0; l < width; ++l) {
      scores[first + l] = means.constant[l] ? kNoScore
                                            : ratio(Real(2) * scatter_.smoothness(first + l),
                                                    separation[l].value());
    }
  }
  return {};
}

void Cls::measure_classes(const PointMeans& means, std::size_t first, std::size_t width) {
  const HeldPoints& points = memory_.points();
  // Means first, then deviations from them, in the same sums.
  for (const bool about_mean : {false, true}) {
    std::fill(class_sums_.begin(), class_sums_.end(), CompensatedSum());
    for (const Slot slot : points.order()) {
      const std::uint32_t c = points.label(slot);
      if (c == kUnlabelled) continue;
      const Real* x = points.row(slot) + first;
      for (std::size_t l = 0; l < width; ++l) {
        const Real deviation = x[l] - means.origin[l];
        const Real d = deviation - class_means_[c * kLanes + l];
        class_sums_[c * kLanes + l].add(about_mean ? d * d : deviation);
      }
    }
    for (std::uint32_t c = 0; c < points.classes() && !about_mean; ++c) {
      const Real count = static_cast<Real>(points.class_count(c));
      for (std::size_t l = 0; l < width && count > 0; ++l) {
        class_means_[c * kLanes + l] = class_sums_[c * kLanes + l].value() / count;
      }
    }
  }
}

// What one point adds to T2. Its squared differences to a whole class are SS_c + n_c (f -
// mean_c)^2.
void Cls::add_separation(const PointMeans& means, Slot slot, std::size_t first, std::size_t width,
                         CompensatedSum* separation) const {
  const HeldPoints& points = memory_.points();
  const std::uint32_t label = points.label(slot);
  const Real* x = points.row(slot) + first;
  const Real degree = scatter_.degree(slot);
  const Real others = static_cast<Real>(cannot_link_points(points) -
                                        cannot_link_partners(points, slot));  // |J| - c_i
  for (std::size_t l = 0; l < width; ++l) {
    const Real deviation = x[l] - means.origin[l];
    const Real from_mean = deviation - means.plain[l];
    Real sum = others * from_mean * from_mean;
    for (std::uint32_t c = 0; c < points.classes() && label != kUnlabelled; ++c) {
      if (c == label || points.class_count(c) == 0) continue;
      const Real from_class = deviation - class_means_[c * kLanes + l];
      sum += class_sums_[c * kLanes + l].value() +
             static_cast<Real>(points.class_count(c)) * from_class * from_class;
    }
    separation[l].add(degree * sum);
  }
}

}  // namespace whittle
