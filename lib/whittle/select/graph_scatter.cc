#include "whittle/select/graph_scatter.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/math.h"

namespace whittle {

void GraphScatter::place(Arena& arena, const MemoryConfig& config, bool must_link_pairs) {
  degrees_ = arena.array<Real>(config.capacity());
  weights_ = arena.array<Real>(config.capacity());
  ends_ = arena.array<Slot>(config.capacity());
  marks_ = arena.array<std::uint32_t>(config.capacity());
  next_ = arena.array<Slot>(config.capacity());
  smoothness_.place(arena, config.features);
  pair_keys_ = arena.array<Real>(must_link_pairs ? noted_pairs(config) : 0);
}

// Links the points of each group, oldest first.
void GraphScatter::link_groups(const StreamMemory& memory) {
  const HeldPoints& points = memory.points();
  const Constraints& constraints = memory.constraints();
  std::size_t count = 0;
  for (const Slot slot : points.order()) {
    next_[slot] = kNoSlot;
    if (constraints.group(points, slot) != kNoGroup) ends_[count++] = slot;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t group = constraints.group(points, ends_[i]);
    std::size_t j = i + 1;
    while (j < count && constraints.group(points, ends_[j]) != group) ++j;
    if (j < count) next_[ends_[i]] = ends_[j];
  }
}

// More than these list_edges does not find for a point.
std::size_t GraphScatter::most_edges(const StreamMemory& memory, Slot slot) const {
  const HeldPoints& points = memory.points();
  const std::uint32_t group = memory.constraints().group(points, slot);
  const std::size_t must_links =
      group == kNoGroup ? 0 : memory.constraints().group_size(points, group) - 1;
  return std::min(memory.graph().degree(points, slot) + must_links, points.size() - 1);
}

// Whether the edge to a neighbour at a distance `key` is visited from this end:
// mutual neighbours are from the older one. Without branches that are hard to
// foresee.
bool GraphScatter::visits(const StreamMemory& memory, bool drops, Slot slot, Slot neighbour,
                          Real key) {
  const HeldPoints& points = memory.points();
  const bool mutual = memory.graph().lists(points, neighbour, slot, key);
  const bool elsewhere = mutual & (points.stamp(neighbour) < points.stamp(slot));
  const bool dropped = drops && memory.constraints().cannot_link(points, slot, neighbour);
  return !(elsewhere | dropped);
}

bool GraphScatter::drops_some(const StreamMemory& memory, const EdgeRule& rule, Slot slot) {
  return rule.drop_cannot_link && memory.constraints().group(memory.points(), slot) != kNoGroup;
}

// Puts the squared distances of the edges that are visited from a point at the
// front of weights_, and marks which of its first neighbours are at their other
// ends. Returns how many edges there are.
std::size_t GraphScatter::measure_edges(const StreamMemory& memory, const EdgeRule& rule,
                                        Slot slot) {
  const NeighbourGraph& graph = memory.graph();
  const std::size_t degree = graph.degree(memory.points(), slot);
  const Slot* neighbours = graph.neighbours(slot);
  const Real* keys = graph.keys(slot);
  const Real* squares = graph.squared_distances(slot);
  const bool drops = drops_some(memory, rule, slot);
  Real* weights = weights_.data();
  std::uint32_t marks = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < degree; ++i) {
    weights[count] = squares[i];
    const std::uint32_t visited = visits(memory, drops, slot, neighbours[i], keys[i]) ? 1 : 0;
    marks |= visited << (i % kMarks);
    count += visited;
  }
  marks_[slot] = marks;
  return rule.must_link_pairs ? list_must_links(memory, slot, count) : count;
}

// Lists the edges that measure_edges has measured, from place `edges` on, with
// their squared distances: to neighbours, then to must-link partners. Returns
// the place after them.
std::size_t GraphScatter::list_edges(const StreamMemory& memory, const EdgeRule& rule, Slot slot,
                                     std::size_t edges) {
  const NeighbourGraph& graph = memory.graph();
  const std::size_t degree = graph.degree(memory.points(), slot);
  const Slot* neighbours = graph.neighbours(slot);
  const Real* squares = graph.squared_distances(slot);
  const bool drops = drops_some(memory, rule, slot);
  const std::uint32_t marks = marks_[slot];
  Slot* ends = ends_.data();
  Real* weights = weights_.data();
  for (std::size_t i = 0; i < degree; ++i) {
    ends[edges] = neighbours[i];
    weights[edges] = squares[i];
    const bool visited = i < kMarks
                             ? (marks >> i & 1U) != 0
                             : visits(memory, drops, slot, neighbours[i], graph.keys(slot)[i]);
    edges += visited ? 1U : 0U;
  }
  return rule.must_link_pairs ? list_must_links(memory, slot, edges) : edges;
}

// The distance of a must-link pair, or NaN if they are neighbours.
Real GraphScatter::must_link_key(const StreamMemory& memory, Slot slot, Slot other) {
  const std::size_t pair = pairs_++;
  if (pair < pairs_noted_) return pair_keys_[pair];
  const NeighbourGraph& graph = memory.graph();
  const HeldPoints& points = memory.points();
  Real key = graph.key(points, slot, other);
  if (graph.lists(points, slot, other, key) || graph.lists(points, other, slot, key)) {
    key = kNoScore;
  }
  if (pair < pair_keys_.size()) pair_keys_[pair] = key;
  return key;
}

// The must-link pairs that are not neighbours, from the older one.
std::size_t GraphScatter::list_must_links(const StreamMemory& memory, Slot slot,
                                          std::size_t edges) {
  const HeldPoints& points = memory.points();
  for (Slot other = next_[slot]; other != kNoSlot; other = next_[other]) {
    const Real key = must_link_key(memory, slot, other);
    if (is_missing(key)) continue;
    const Real square = memory.graph().squared_distance(points, slot, other, key);
    if (points.any_missing() && !(square < kInfinity)) continue;  // no value in common
    ends_[edges] = other;
    weights_[edges++] = square;
  }
  return edges;
}

Status GraphScatter::measure(const StreamMemory& memory, const EdgeRule& rule) {
  pairs_ = 0;
  pairs_noted_ = 0;
  CompensatedSum sum;
  std::size_t count = 0;
  for (const Slot slot : memory.points().order()) {
    const std::size_t edges = measure_edges(memory, rule, slot);
    for (std::size_t e = 0; e < edges; ++e) sum.add(weights_[e]);
    count += edges;
  }
  if (count == 0) return {StatusCode::failed_precondition, "the neighbour graph has no edge"};
  pairs_noted_ = std::min(pairs_, pair_keys_.size());
  pairs_ = 0;
  lambda_ = rule.lambda;
  if (rule.lambda != kAutoParam) return {};
  lambda_ = sum.value() / static_cast<Real>(count);
  if (lambda_ == 0) lambda_ = Real(1);
  if (!std::isfinite(lambda_)) {
    return {StatusCode::failed_precondition, "distances overflow: scale the features down"};
  }
  return {};
}

Status GraphScatter::build(const StreamMemory& memory, const EdgeRule& rule) {
  const HeldPoints& points = memory.points();
  const Span<const Slot> order = points.order();
  if (rule.must_link_pairs) link_groups(memory);
  if (const Status status = measure(memory, rule); !status.ok()) return status;
  std::fill(degrees_.begin(), degrees_.end(), Real(0));
  smoothness_.clear();
  std::size_t first = 0;
  std::size_t listed = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (listed + most_edges(memory, order[i]) > weights_.size()) {
      weigh(points, first, i, listed);
      first = i;
      listed = 0;
    }
    const std::size_t begin = listed;
    listed = list_edges(memory, rule, order[i], begin);
    marks_[order[i]] = static_cast<std::uint32_t>(listed - begin);
  }
  weigh(points, first, order.size(), listed);
  CompensatedSum total;
  for (const Slot slot : order) total.add(degrees_[slot]);
  total_degree_ = total.value();
  if (total_degree_ == 0) {
    return {StatusCode::failed_precondition,
            "all edge weights underflow to 0: lambda is too small for these "
            "distances"};
  }
  return {};
}

// Turns the squared distances of the edges listed, those of the points
// first..last - 1 in the order of age, into weights and adds the edges up.
void GraphScatter::weigh(const HeldPoints& points, std::size_t first, std::size_t last,
                         std::size_t edges) {
  Real* weights = weights_.data();
  const Real lambda = lambda_;
  for (std::size_t e = 0; e < edges; ++e) weights[e] = -(weights[e] / lambda);
  exp_all(weights, edges);
  std::size_t begin = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Slot source = points.order()[i];
    const std::size_t end = begin + marks_[source];
    if (begin == end) continue;
    Real degree = degrees_[source];
    for (std::size_t e = begin; e < end; ++e) {
      degree += weights[e];
      degrees_[ends_[e]] += weights[e];
    }
    degrees_[source] = degree;
    if (points.any_missing()) {
      add_present(points, source, begin, end);
    } else {
      add_smoothness(points, source, begin, end);
    }
    begin = end;
  }
}

// Adds sum_e w_e (f_source - f_end)^2 for kWidth features from `first` on: the
// edges of one point in registers, the points with compensation.
template <std::size_t kWidth>
void GraphScatter::add_tile(const HeldPoints& points, Slot source, std::size_t begin,
                            std::size_t end, std::size_t first) {
  const std::size_t m = points.features();
  const Real* rows = points.row(0) + first;
  const Real* x = rows + source * m;
  Real lane[kWidth] = {};
  for (std::size_t e = begin; e < end; ++e) {
    const Real* y = rows + ends_[e] * m;
    const Real weight = weights_[e];
    WHITTLE_UNROLL_16
    for (std::size_t l = 0; l < kWidth; ++l) {
      const Real d = y[l] - x[l];  // this way round, x stays in a register
      lane[l] += weight * d * d;
    }
  }
  smoothness_.add_tile(first, lane);
}

// The same for all features, where values may be missing.
void GraphScatter::add_present(const HeldPoints& points, Slot source, std::size_t begin,
                               std::size_t end) {
  const Real* x = points.row(source);
  for (std::size_t e = begin; e < end; ++e) {
    const Real* y = points.row(ends_[e]);
    const Real weight = weights_[e];
    smoothness_.add([&](std::size_t r) {
      const Real d = x[r] - y[r];
      return is_missing(d) ? Real(0) : weight * d * d;
    });
  }
}

void GraphScatter::add_smoothness(const HeldPoints& points, Slot source, std::size_t begin,
                                  std::size_t end) {
  const std::size_t m = points.features();
  // As many features at once as the registers hold: 16 with SIMD, 8 on a small
  // core.
  constexpr std::size_t kWide = sizeof(void*) > 4 ? 16 : 8;
  std::size_t first = 0;
  for (; first + kWide <= m; first += kWide) add_tile<kWide>(points, source, begin, end, first);
  for (; first < m; ++first) add_tile<1>(points, source, begin, end, first);
}

}  // namespace whittle
