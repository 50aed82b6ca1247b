#include "whittle/select/graph_scatter.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/math.h"

namespace whittle {

void GraphScatter::place(Arena& arena, const MemoryConfig& config) {
  degrees_ = arena.array<Real>(config.capacity());
  edge_weights_ = arena.array<Real>(config.capacity());
  edge_ends_ = arena.array<Slot>(config.capacity());
  labelled_ = arena.array<Slot>(config.labelled);
  smoothness_.place(arena, config.features);
}

// Lists the edges that are visited from the point at `position` of the order, with their squared
// distances: those to its neighbours (mutual neighbours: from the older one), then must-link pairs
// that are not neighbours (from the older one). Returns how many.
std::size_t GraphScatter::collect_edges(const StreamMemory& memory, const EdgeRule& rule,
                                        std::size_t position) {
  const HeldPoints& points = memory.points();
  const NeighbourGraph& graph = memory.graph();
  const Slot slot = points.order()[position];
  const std::size_t degree = graph.degree(points, slot);
  std::size_t edges = 0;
  for (std::size_t i = 0; i < degree; ++i) {
    const Slot other = graph.neighbours(slot)[i];
    if (rule.drop_cannot_link && memory.constraints().cannot_link(points, slot, other)) continue;
    const bool mutual = graph.lists(points, other, slot, graph.keys(slot)[i]);
    if (mutual && points.stamp(other) < points.stamp(slot)) continue;
    edge_ends_[edges] = other;
    edge_weights_[edges++] = graph.squared_distances(slot)[i];
  }
  if (!rule.must_link_pairs || points.label(slot) == kUnlabelled) return edges;
  ++labelled_before_;  // the points come in the order of age
  for (std::size_t i = labelled_before_; i < points.labelled(); ++i) {
    const Slot other = labelled_[i];
    if (points.label(other) != points.label(slot)) continue;
    const Real key = graph.key(points, slot, other);
    if (graph.lists(points, slot, other, key) || graph.lists(points, other, slot, key)) continue;
    edge_ends_[edges] = other;
    edge_weights_[edges++] = graph.squared_distance(points, slot, other, key);
  }
  return edges;
}

Status GraphScatter::choose_lambda(const StreamMemory& memory, const EdgeRule& rule) {
  std::size_t found = 0;
  for (const Slot slot : memory.points().order()) {
    if (memory.points().label(slot) != kUnlabelled) labelled_[found++] = slot;
  }
  CompensatedSum sum;
  std::size_t count = 0;
  labelled_before_ = 0;
  for (std::size_t i = 0; i < memory.points().size(); ++i) {
    const std::size_t edges = collect_edges(memory, rule, i);
    for (std::size_t e = 0; e < edges; ++e) sum.add(edge_weights_[e]);
    count += edges;
  }
  if (count == 0) return {StatusCode::failed_precondition, "the neighbour graph has no edge"};
  lambda_ = rule.lambda;
  if (rule.lambda == kAutoParam) {
    lambda_ = sum.value() / static_cast<Real>(count);
    if (lambda_ == 0) lambda_ = Real(1);
  }
  if (!std::isfinite(lambda_)) {
    return {StatusCode::failed_precondition, "distances overflow: scale the features down"};
  }
  return {};
}

Status GraphScatter::build(const StreamMemory& memory, const EdgeRule& rule) {
  if (const Status status = choose_lambda(memory, rule); !status.ok()) return status;
  std::fill(degrees_.begin(), degrees_.end(), Real(0));
  smoothness_.clear();
  labelled_before_ = 0;
  const Span<const Slot> order = memory.points().order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t edges = collect_edges(memory, rule, i);
    for (std::size_t e = 0; e < edges; ++e) edge_weights_[e] = -(edge_weights_[e] / lambda_);
    exp_all(edge_weights_.data(), edges);
    for (std::size_t e = 0; e < edges; ++e) {
      degrees_[order[i]] += edge_weights_[e];
      degrees_[edge_ends_[e]] += edge_weights_[e];
    }
    add_smoothness(memory, order[i], edges);
  }
  CompensatedSum total;
  for (const Slot slot : order) total.add(degrees_[slot]);
  total_degree_ = total.value();
  if (total_degree_ == 0) {
    return {StatusCode::failed_precondition,
            "all edge weights underflow to 0: lambda is too small for these distances"};
  }
  return {};
}

// Adds sum_e w_e (f_slot - f_e)^2 for kWidth features from `first` on: the edges of one point in
// registers, the points with compensation.
template <std::size_t kWidth>
void GraphScatter::add_tile(const HeldPoints& points, Slot slot, std::size_t edges,
                            std::size_t first) {
  const Real* x = points.row(slot) + first;
  Real lane[kWidth] = {};
  for (std::size_t e = 0; e < edges; ++e) {
    const Real* y = points.row(edge_ends_[e]) + first;
    const Real weight = edge_weights_[e];
    WHITTLE_UNROLL_16
    for (std::size_t l = 0; l < kWidth; ++l) {
      const Real d = x[l] - y[l];
      lane[l] += weight * d * d;
    }
  }
  smoothness_.add(first, kWidth, [&](std::size_t l) { return lane[l]; });
}

void GraphScatter::add_smoothness(const StreamMemory& memory, Slot slot, std::size_t edges) {
  if (edges == 0) return;
  const HeldPoints& points = memory.points();
  const std::size_t m = points.features();
  // As many features at once as the registers hold: 16 with SIMD, 8 on a small core.
  constexpr std::size_t kWide = sizeof(void*) > 4 ? 16 : 8;
  std::size_t first = 0;
  for (; first + kWide <= m; first += kWide) add_tile<kWide>(points, slot, edges, first);
  for (; first < m; ++first) add_tile<1>(points, slot, edges, first);
}

}  // namespace whittle
