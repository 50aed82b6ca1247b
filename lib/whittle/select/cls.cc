#include "whittle/select/cls.h"

#include "whittle/select/ratio.h"

namespace whittle {

Cls::Cls(Arena& arena, const StreamMemory& memory, const ParamValues& values) : memory_(memory) {
  const MemoryConfig& config = memory.config();
  rule_.lambda = values[1];
  rule_.must_link_pairs = true;
  rule_.drop_cannot_link = true;
  scatter_.place(arena, config);
  sums_.place(arena, config.features);
  groups_.place(arena, config);
}

Status Cls::score(Span<Real> scores, InfoList* info) {
  if (const Status status = scatter_.build(memory_, rule_); !status.ok()) return status;
  if (info != nullptr) info->real("lambda_used", scatter_.lambda());
  const HeldPoints& points = memory_.points();
  if (memory_.constraints().cannot_link_points(points) == 0) {
    laplacian_scores(points, scatter_, sums_, scores);
    return {};
  }
  sums_.take_means(points, static_cast<Real>(points.size()), [](Slot) { return Real(1); });
  groups_.measure(memory_, sums_.origin());
  for (const Slot slot : points.order()) add_separation(slot);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = sums_.constant(r) ? kNoScore
                                  : ratio(Real(2) * scatter_.smoothness(r), sums_.sums().value(r));
  }
  return {};
}

// Adds what one point contributes to T2. Its squared differences to all points of a group are
// SS_g + n_g (f - mean_g)^2.
void Cls::add_separation(Slot slot) {
  const HeldPoints& points = memory_.points();
  const Constraints& constraints = memory_.constraints();
  const Real* x = points.row(slot);
  const Real* origin = sums_.origin();
  const Real* means = sums_.means();
  const Real degree = scatter_.degree(slot);
  const Real others =
      static_cast<Real>(constraints.cannot_link_points(points) -
                        constraints.cannot_link_partners(points, slot));  // |J| - c_i
  sums_.sums().add([&](std::size_t r) {
    const Real d = (x[r] - origin[r]) - means[r];
    return degree * (others * d * d);
  });
  const std::uint32_t own = constraints.group(points, slot);
  if (own == kNoGroup) return;
  for (std::uint32_t g = 0; g < constraints.groups(points); ++g) {
    if (constraints.group_size(points, g) == 0 || !constraints.apart(points, own, g)) continue;
    sums_.sums().add([&](std::size_t r) {
      const Real d = (x[r] - origin[r]) - groups_.mean(g, r);
      return degree * (groups_.deviations(g, r) + groups_.count(g, r) * d * d);
    });
  }
}

}  // namespace whittle
