#include "whittle/select/graph_scatter.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/math.h"
#include "whittle/memory/label_constraints.h"

namespace whittle {

void GraphScatter::place(Arena& arena, const MemoryConfig& config) {
  degrees_ = arena.array<Real>(config.capacity());
  edge_weights_ = arena.array<Real>(config.capacity());
  edge_ends_ = arena.array<Slot>(config.capacity());
  const Span<Real> sums = arena.array<Real>(2 * std::size_t{config.features});
  smoothness_ = sums.subspan(0, config.features);
  smoothness_rest_ = sums.subspan(config.features, config.features);
}

// Lists the edges that are visited from the point at `position` of the order, with their squared
// distances: those to its neighbours (mutual neighbours: from the older one), then must-link pairs
// that are not neighbours (from the older one). Returns how many.
std::size_t GraphScatter::collect_edges(const StreamMemory& memory, const EdgeRule& rule,
                                        std::size_t position) {
  const HeldPoints& points = memory.points();
  const NeighbourGraph& graph = memory.graph();
  const Slot slot = points.order()[position];
  const std::size_t degree = graph.degree(points);
  std::size_t edges = 0;
  for (std::size_t i = 0; i < degree; ++i) {
    const Slot other = graph.neighbours(slot)[i];
    if (rule.drop_cannot_link && cannot_link(points, slot, other)) continue;
    const bool mutual = graph.lists(points, other, slot, graph.keys(slot)[i]);
    if (mutual && points.stamp(other) < points.stamp(slot)) continue;
    edge_ends_[edges] = other;
    edge_weights_[edges++] = graph.squared_distances(slot)[i];
  }
  if (!rule.must_link_pairs || points.label(slot) == kUnlabelled) return edges;
  const Span<const Slot> order = points.order();
  for (std::size_t i = position + 1; i < order.size(); ++i) {
    const Slot other = order[i];
    if (points.label(other) != points.label(slot)) continue;
    const Real key = graph.key(points, slot, other);
    if (graph.lists(points, slot, other, key) || graph.lists(points, other, slot, key)) continue;
    edge_ends_[edges] = other;
    edge_weights_[edges++] = graph.squared_distance(points, slot, other);
  }
  return edges;
}

Status GraphScatter::choose_lambda(const StreamMemory& memory, const EdgeRule& rule) {
  CompensatedSum sum;
  std::size_t count = 0;
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
  std::fill(smoothness_.begin(), smoothness_.end(), Real(0));
  std::fill(smoothness_rest_.begin(), smoothness_rest_.end(), Real(0));
  const Span<const Slot> order = memory.points().order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t edges = collect_edges(memory, rule, i);
    for (std::size_t e = 0; e < edges; ++e) {
      const Real weight = exp(-(edge_weights_[e] / lambda_));
      edge_weights_[e] = weight;
      degrees_[order[i]] += weight;
      degrees_[edge_ends_[e]] += weight;
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

// sum += value for a tile of features, with what rounding drops in `rest`. All terms are positive:
// Kahan's form is enough.
static void add_tile(const Real (&value)[kLanes], std::size_t width, Real* WHITTLE_RESTRICT sum,
                     Real* WHITTLE_RESTRICT rest) {
  const auto add = [&](std::size_t l) {
    const Real total = value[l] + rest[l];
    const Real added = sum[l] + total;
    rest[l] = total - (added - sum[l]);
    sum[l] = added;
  };
  if (width == kLanes) {
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kLanes; ++l) add(l);
  } else {
    for (std::size_t l = 0; l < width; ++l) add(l);
  }
}

// Adds sum_e w_e (f_slot - f_e)^2 to every feature: the edges of one point in a register, the
// points with compensation.
void GraphScatter::add_smoothness(const StreamMemory& memory, Slot slot, std::size_t edges) {
  if (edges == 0) return;
  const HeldPoints& points = memory.points();
  const std::size_t m = points.features();
  for (std::size_t first = 0; first < m; first += kLanes) {
    const std::size_t width = std::min(kLanes, m - first);
    const Real* x = points.row(slot) + first;
    Real lane[kLanes] = {};
    if (width == kLanes) {
      for (std::size_t e = 0; e < edges; ++e) {
        const Real* y = points.row(edge_ends_[e]) + first;
        const Real weight = edge_weights_[e];
        WHITTLE_UNROLL_8
        for (std::size_t l = 0; l < kLanes; ++l) {
          const Real d = x[l] - y[l];
          lane[l] += weight * d * d;
        }
      }
    } else {
      for (std::size_t e = 0; e < edges; ++e) {
        const Real* y = points.row(edge_ends_[e]) + first;
        for (std::size_t l = 0; l < width; ++l) {
          const Real d = x[l] - y[l];
          lane[l] += edge_weights_[e] * d * d;
        }
      }
    }
    add_tile(lane, width, smoothness_.data() + first, smoothness_rest_.data() + first);
  }
}

PointMeans point_means(const HeldPoints& points, const GraphScatter& scatter, std::size_t first,
                       std::size_t width) {
  PointMeans means = {};
  means.origin = points.row(points.oldest()) + first;
  Real origin_room[kLanes];
  Real room[kLanes];
  const Real* origin = whole_tile(means.origin, width, origin_room);
  CompensatedLanes weighted;
  CompensatedLanes plain;
  Real spread[kLanes] = {};  // 0 only if all deviations are
  for (const Slot slot : points.order()) {
    const Real degree = scatter.degree(slot);
    Real d[kLanes];
    Real weighted_d[kLanes];
    const Real* x = whole_tile(points.row(slot) + first, width, room);
    for (std::size_t l = 0; l < kLanes; ++l) {
      d[l] = x[l] - origin[l];
      weighted_d[l] = degree * d[l];
      spread[l] += std::abs(d[l]);
    }
    weighted.add(weighted_d);
    plain.add(d);
  }
  for (std::size_t l = 0; l < width; ++l) {
    means.weighted[l] = weighted.value(l) / scatter.total_degree();
    means.plain[l] = plain.value(l) / static_cast<Real>(points.size());
    means.constant[l] = spread[l] == 0;
  }
  return means;
}

}  // namespace whittle
