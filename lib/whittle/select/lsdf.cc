#include "whittle/select/lsdf.h"

#include "whittle/select/ratio.h"

namespace whittle {
namespace {

constexpr Real kMustLinkWeight = 100;

}  // namespace

Lsdf::Lsdf(Arena& arena, const StreamMemory& memory, const ParamValues& /*values*/)
    : memory_(memory) {
  sums_.place(arena, memory.config().features);
  groups_.place(arena, memory.config());
}

Status Lsdf::score(Span<Real> scores, InfoList* /*info*/) {
  const HeldPoints& points = memory_.points();
  if (memory_.constraints().cannot_link_points(points) == 0) {
    return {StatusCode::failed_precondition,
            "lsdf needs a cannot-link pair: labelled samples of two classes"};
  }
  // For the origin, and to find constant features.
  sums_.take_means(points, static_cast<Real>(points.size()), [](Slot) { return Real(1); });
  groups_.measure(memory_, sums_.origin());
  for (const Slot slot : points.order()) add_neighbours(slot);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const Real within = kMustLinkWeight * groups_.must_link(r) + sums_.sums().value(r);
    scores[r] = sums_.constant(r) ? kNoScore : ratio(groups_.cannot_link(r), within);
  }
  return {};
}

// Whether S_w is 1 for two points that are neighbours.
bool Lsdf::is_near(Slot a, Slot b) const {
  const HeldPoints& points = memory_.points();
  if (points.label(a) != kUnlabelled && points.label(b) != kUnlabelled) return false;
  return !memory_.constraints().must_link(points, a, b);
}

// Adds (f_i - f_j)^2 over the edges of S_w to a point's neighbours; of mutual neighbours the older
// one has the edge.
void Lsdf::add_neighbours(Slot slot) {
  const HeldPoints& points = memory_.points();
  const NeighbourGraph& graph = memory_.graph();
  const Real* x = points.row(slot);
  const std::size_t degree = graph.degree(points, slot);
  for (std::size_t i = 0; i < degree; ++i) {
    const Slot other = graph.neighbours(slot)[i];
    if (!is_near(slot, other)) continue;
    const bool mutual = graph.lists(points, other, slot, graph.keys(slot)[i]);
    if (mutual && points.stamp(other) < points.stamp(slot)) continue;
    const Real* y = points.row(other);
    const bool whole = !points.has_missing(slot) && !points.has_missing(other);
    sums_.sums().add([&](std::size_t r) {
      const Real d = x[r] - y[r];
      return whole || !is_missing(d) ? d * d : Real(0);
    });
  }
}

}  // namespace whittle
