#include "whittle/select/graph_scatter.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/math.h"

namespace whittle {

void GraphScatter::place(Arena& arena, const MemoryConfig& config, bool must_link_pairs) {
  degrees_ = arena.array<Real>(config.capacity());
  weights_ = arena.array<Real>(config.capacity());
  sources_ = arena.array<Slot>(config.capacity());
  ends_ = arena.array<Slot>(config.capacity());
  grouped_ = arena.array<Slot>(config.capacity());
  smoothness_.place(arena, config.features);
  pair_keys_ = arena.array<Real>(must_link_pairs ? noted_pairs(config) : 0);
}

void GraphScatter::list_grouped(const StreamMemory& memory) {
  const HeldPoints& points = memory.points();
  grouped_count_ = 0;
  for (const Slot slot : points.order()) {
    if (memory.constraints().group(points, slot) != kNoGroup) grouped_[grouped_count_++] = slot;
  }
}

// More than these collect_edges does not find for a point.
std::size_t GraphScatter::most_edges(const StreamMemory& memory, Slot slot) const {
  const HeldPoints& points = memory.points();
  const bool grouped = memory.constraints().group(points, slot) != kNoGroup;
  const std::size_t most =
      memory.graph().degree(points, slot) + (grouped ? grouped_count_ - grouped_before_ : 0);
  return std::min(most, points.size() - 1);
}

// Lists, from place `edges` on, the edges that are visited from a point, with their squared
// distances: those to its neighbours (mutual neighbours: from the older one), then must-link pairs
// that are not neighbours (from the older one). Returns the place after them. Without branches that
// are hard to foresee.
std::size_t GraphScatter::collect_edges(const StreamMemory& memory, const EdgeRule& rule, Slot slot,
                                        std::size_t edges) {
  const HeldPoints& points = memory.points();
  const NeighbourGraph& graph = memory.graph();
  const std::size_t degree = graph.degree(points, slot);
  const Slot* neighbours = graph.neighbours(slot);
  const Real* keys = graph.keys(slot);
  const Real* squares = graph.squared_distances(slot);
  const std::uint64_t stamp = points.stamp(slot);
  const bool drops = rule.drop_cannot_link && memory.constraints().group(points, slot) != kNoGroup;
  for (std::size_t i = 0; i < degree; ++i) {
    const Slot other = neighbours[i];
    sources_[edges] = slot;
    ends_[edges] = other;
    weights_[edges] = squares[i];
    const bool mutual = graph.lists(points, other, slot, keys[i]);
    const bool elsewhere = mutual & (points.stamp(other) < stamp);
    const bool dropped = drops && memory.constraints().cannot_link(points, slot, other);
    edges += (elsewhere | dropped) ? 0U : 1U;
  }
  return rule.must_link_pairs ? collect_must_links(memory, slot, edges) : edges;
}

Real GraphScatter::must_link_key(const StreamMemory& memory, Slot slot, Slot other) {
  const std::size_t pair = pairs_++;
  if (pair < pairs_noted_) return pair_keys_[pair];
  const Real key = memory.graph().key(memory.points(), slot, other);
  if (pair < pair_keys_.size()) pair_keys_[pair] = key;
  return key;
}

std::size_t GraphScatter::collect_must_links(const StreamMemory& memory, Slot slot,
                                             std::size_t edges) {
  const HeldPoints& points = memory.points();
  const NeighbourGraph& graph = memory.graph();
  const std::uint32_t group = memory.constraints().group(points, slot);
  if (group == kNoGroup) return edges;
  ++grouped_before_;  // the points come in the order of age
  for (std::size_t i = grouped_before_; i < grouped_count_; ++i) {
    const Slot other = grouped_[i];
    if (memory.constraints().group(points, other) != group) continue;
    const Real key = must_link_key(memory, slot, other);
    if (graph.lists(points, slot, other, key) || graph.lists(points, other, slot, key)) continue;
    const Real square = graph.squared_distance(points, slot, other, key);
    if (points.any_missing() && !(square < kInfinity)) continue;  // no value in common
    sources_[edges] = slot;
    ends_[edges] = other;
    weights_[edges++] = square;
  }
  return edges;
}

Status GraphScatter::choose_lambda(const StreamMemory& memory, const EdgeRule& rule) {
  lambda_ = rule.lambda;
  pairs_ = 0;
  pairs_noted_ = 0;
  if (rule.lambda != kAutoParam) return {};
  CompensatedSum sum;
  std::size_t count = 0;
  grouped_before_ = 0;
  for (const Slot slot : memory.points().order()) {
    const std::size_t edges = collect_edges(memory, rule, slot, 0);
    for (std::size_t e = 0; e < edges; ++e) sum.add(weights_[e]);
    count += edges;
  }
  lambda_ = count == 0 ? Real(1) : sum.value() / static_cast<Real>(count);
  if (lambda_ == 0) lambda_ = Real(1);
  if (!std::isfinite(lambda_)) {
    return {StatusCode::failed_precondition, "distances overflow: scale the features down"};
  }
  return {};
}

Status GraphScatter::build(const StreamMemory& memory, const EdgeRule& rule) {
  const HeldPoints& points = memory.points();
  list_grouped(memory);
  if (const Status status = choose_lambda(memory, rule); !status.ok()) return status;
  std::fill(degrees_.begin(), degrees_.end(), Real(0));
  smoothness_.clear();
  grouped_before_ = 0;
  pairs_noted_ = std::min(pairs_, pair_keys_.size());
  pairs_ = 0;
  std::size_t listed = 0;
  std::size_t count = 0;
  for (const Slot slot : points.order()) {
    if (listed + most_edges(memory, slot) > weights_.size()) {
      weigh(points, listed);
      count += listed;
      listed = 0;
    }
    listed = collect_edges(memory, rule, slot, listed);
  }
  weigh(points, listed);
  if (count + listed == 0) {
    return {StatusCode::failed_precondition, "the neighbour graph has no edge"};
  }
  CompensatedSum total;
  for (const Slot slot : points.order()) total.add(degrees_[slot]);
  total_degree_ = total.value();
  if (total_degree_ == 0) {
    return {StatusCode::failed_precondition,
            "all edge weights underflow to 0: lambda is too small for these distances"};
  }
  return {};
}

// Turns the squared distances of the edges listed into weights and adds the edges up.
void GraphScatter::weigh(const HeldPoints& points, std::size_t edges) {
  for (std::size_t e = 0; e < edges; ++e) weights_[e] = -(weights_[e] / lambda_);
  exp_all(weights_.data(), edges);
  for (std::size_t e = 0; e < edges; ++e) {
    degrees_[sources_[e]] += weights_[e];
    degrees_[ends_[e]] += weights_[e];
  }
  for (std::size_t begin = 0; begin < edges;) {
    std::size_t end = begin + 1;
    while (end < edges && sources_[end] == sources_[begin]) ++end;
    if (points.any_missing()) {
      add_present(points, begin, end);
    } else {
      add_smoothness(points, begin, end);
    }
    begin = end;
  }
}

// Adds sum_e w_e (f_source - f_end)^2 for kWidth features from `first` on: the edges of one point
// in registers, the points with compensation.
template <std::size_t kWidth>
void GraphScatter::add_tile(const HeldPoints& points, std::size_t begin, std::size_t end,
                            std::size_t first) {
  const Real* x = points.row(sources_[begin]) + first;
  Real lane[kWidth] = {};
  for (std::size_t e = begin; e < end; ++e) {
    const Real* y = points.row(ends_[e]) + first;
    const Real weight = weights_[e];
    WHITTLE_UNROLL_16
    for (std::size_t l = 0; l < kWidth; ++l) {
      const Real d = x[l] - y[l];
      lane[l] += weight * d * d;
    }
  }
  smoothness_.add(first, kWidth, [&](std::size_t l) { return lane[l]; });
}

// The same for all features, where values may be missing.
void GraphScatter::add_present(const HeldPoints& points, std::size_t begin, std::size_t end) {
  const Real* x = points.row(sources_[begin]);
  for (std::size_t e = begin; e < end; ++e) {
    const Real* y = points.row(ends_[e]);
    const Real weight = weights_[e];
    smoothness_.add([&](std::size_t r) {
      const Real d = x[r] - y[r];
      return is_missing(d) ? Real(0) : weight * d * d;
    });
  }
}

void GraphScatter::add_smoothness(const HeldPoints& points, std::size_t begin, std::size_t end) {
  const std::size_t m = points.features();
  // As many features at once as the registers hold: 16 with SIMD, 8 on a small core.
  constexpr std::size_t kWide = sizeof(void*) > 4 ? 16 : 8;
  std::size_t first = 0;
  for (; first + kWide <= m; first += kWide) add_tile<kWide>(points, begin, end, first);
  for (; first < m; ++first) add_tile<1>(points, begin, end, first);
}

}  // namespace whittle
