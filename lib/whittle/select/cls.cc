#include "whittle/select/cls.h"

#include "whittle/select/ratio.h"

namespace whittle {

Cls::Cls(Arena& arena, const StreamMemory& memory, const ParamValues& values) : memory_(memory) {
  const MemoryConfig& config = memory.config();
  rule_.lambda = values[1];
  rule_.must_link_pairs = true;
  rule_.drop_cannot_link = true;
  scatter_.place(arena, config, true);
  sums_.place(arena, config.features);
  groups_.place(arena, config);
}

Status Cls::score(Span<Real> scores, InfoList* info) {
  if (const Status status = scatter_.build(memory_, rule_); !status.ok()) return status;
  if (info != nullptr) info->real("lambda_used", scatter_.lambda());
  const HeldPoints& points = memory_.points();
  const Constraints& constraints = memory_.constraints();
  const std::uint32_t linked = constraints.cannot_link_points(points);  // |J|
  if (linked == 0) {
    laplacian_scores(points, scatter_, sums_, scores);
    return {};
  }
  sums_.take_means(points, static_cast<Real>(points.size()), [](Slot) { return Real(1); });
  sums_.add_squares(points, [&](Slot slot) {
    const std::uint32_t others = linked - constraints.cannot_link_partners(points, slot);
    return scatter_.degree(slot) * static_cast<Real>(others);
  });
  groups_.measure(memory_, sums_.origin());
  for (const Slot slot : points.order()) add_separation(slot);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = sums_.constant(r) ? kNoScore
                                  : ratio(Real(2) * scatter_.smoothness(r), sums_.sums().value(r));
  }
  return {};
}

// Adds D_i (f_i - f_j)^2 over the cannot-link partners j of a point. Its squared differences to all
// points of a group are SS_g + n_g (f - mean_g)^2.
void Cls::add_separation(Slot slot) {
  const HeldPoints& points = memory_.points();
  const Constraints& constraints = memory_.constraints();
  const std::uint32_t own = constraints.group(points, slot);
  if (own == kNoGroup) return;
  const Real* x = points.row(slot);
  const Real* origin = sums_.origin();
  const Real degree = scatter_.degree(slot);
  for (std::uint32_t g = 0; g < constraints.groups(points); ++g) {
    if (constraints.group_size(points, g) == 0 || !constraints.apart(points, own, g)) continue;
    const Real* means = groups_.means(g);
    const Real* deviations = groups_.deviations(g);
    const Real* counts = groups_.counts(g);
    sums_.sums().add([&](std::size_t r) {
      const Real d = (x[r] - origin[r]) - means[r];
      const Real term = degree * (deviations[r] + counts[r] * d * d);
      return is_missing(d) ? Real(0) : term;
    });
  }
}

}  // namespace whittle
