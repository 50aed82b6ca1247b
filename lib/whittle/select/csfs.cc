#include "whittle/select/csfs.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"
#include "whittle/base/math.h"
#include "whittle/select/ratio.h"
#include "whittle/select/solve/weighted_differences.h"

namespace whittle {

Csfs::Csfs(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory), lambda_param_(values[1]) {
  const MemoryConfig& config = memory.config();
  filled_.place(arena, config.features);
  pairs_.place(arena, config, values.integer(3));
  coherence_.place(arena, config, values.integer(3));
  if (by_clusters()) clusters_.place(arena, config);
  degrees_ = arena.array<Real>(config.capacity());
  weights_ = arena.array<Real>(config.capacity());
  ends_ = arena.array<Slot>(config.capacity());
  partners_ = arena.array<std::uint32_t>(config.capacity());
  smoothness_.place(arena, config.features);
  sums_.place(arena, config.features);
}

Status Csfs::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  filled_.update(points);
  if (by_clusters()) {
    if (const Status status = clusters_.partition(points, filled_); !status.ok()) return status;
  }
  if (const Status status = choose_lambda(); !status.ok()) return status;
  pairs_.collect(points, memory_.constraints());
  coherence_.select(points, filled_, pairs_.must_link(), pairs_.cannot_link());
  if (const Status status = add_edges(); !status.ok()) return status;
  add_must_links();
  count_partners();
  // Without a pair in CL' the mean and the deviations from it are weighted by D alone.
  const bool plain = with_partner_ > 0;
  sums_.take_means(points, plain ? static_cast<Real>(points.size()) : total_degree_,
                   [&](Slot slot) { return plain ? Real(1) : degrees_[slot]; });
  add_cannot_links();
  sums_.add_squares(points, [&](Slot slot) {
    const std::uint32_t times = plain ? with_partner_ - partners_[slot] : 1;
    return static_cast<Real>(times) * degrees_[slot];
  });
  // Over unordered pairs, so T1 / 2, and without a pair in CL' T2 / 2.
  const Real factor = plain ? Real(2) : Real(1);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] =
        sums_.constant(r) ? kNoScore : ratio(factor * smoothness_.value(r), sums_.sums().value(r));
  }
  if (info != nullptr) report(*info);
  return {};
}

Real Csfs::squared_distance(Slot a, Slot b) const {
  const HeldPoints& points = memory_.points();
  if (points.has_missing(a) || points.has_missing(b)) {
    return squared_distance_of_present(points.row(a), points.row(b), points.features());
  }
  return whittle::squared_distance(points.row(a), points.row(b), points.features());
}

bool Csfs::neighbours(Slot a, Slot b) const {
  if (by_clusters()) return clusters_.cluster(a) == clusters_.cluster(b);
  const NeighbourGraph& graph = memory_.graph();
  const Real key = graph.key(memory_.points(), a, b);
  return graph.lists(memory_.points(), a, b, key) || graph.lists(memory_.points(), b, a, key);
}

// Lists the edges of S that are visited from the point at `place` in the order of age, with their
// squared distances: those to the older points of its cluster, or to its neighbours (mutual ones:
// from the older). Points that have no value in common have none.
void Csfs::collect_edges(std::size_t place) {
  const HeldPoints& points = memory_.points();
  const Slot slot = points.order()[place];
  edges_ = 0;
  if (by_clusters()) {
    for (std::size_t i = 0; i < place; ++i) {
      const Slot other = points.order()[i];
      if (clusters_.cluster(other) != clusters_.cluster(slot)) continue;
      const Real square = squared_distance(slot, other);
      if (points.any_missing() && !(square < kInfinity)) continue;
      ends_[edges_] = other;
      weights_[edges_++] = square;
    }
    return;
  }
  const NeighbourGraph& graph = memory_.graph();
  for (std::size_t i = 0; i < graph.degree(points, slot); ++i) {
    const Slot other = graph.neighbours(slot)[i];
    const bool mutual = graph.lists(points, other, slot, graph.keys(slot)[i]);
    if (mutual && points.stamp(other) < points.stamp(slot)) continue;
    ends_[edges_] = other;
    weights_[edges_++] = graph.squared_distances(slot)[i];
  }
}

Status Csfs::choose_lambda() {
  CompensatedSum sum;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < memory_.points().size(); ++i) {
    collect_edges(i);
    for (std::size_t e = 0; e < edges_; ++e) sum.add(weights_[e]);
    count += edges_;
  }
  if (count == 0) return {StatusCode::failed_precondition, "no two points are neighbours"};
  lambda_ = lambda_param_;
  if (lambda_param_ == kAutoParam) {
    lambda_ = sum.value() / real_count(count);
    if (lambda_ == 0) lambda_ = Real(1);
  }
  if (!std::isfinite(lambda_)) {
    return {StatusCode::failed_precondition, "distances overflow: scale the features down"};
  }
  return {};
}

// Measures D, and adds to T1 / 2 what comes from neighbours.
Status Csfs::add_edges() {
  const HeldPoints& points = memory_.points();
  std::fill(degrees_.begin(), degrees_.end(), Real(0));
  smoothness_.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Slot slot = points.order()[i];
    collect_edges(i);
    for (std::size_t e = 0; e < edges_; ++e) weights_[e] = -(weights_[e] / lambda_);
    exp_all(weights_.data(), edges_);
    std::size_t counted = 0;
    for (std::size_t e = 0; e < edges_; ++e) {
      const Slot other = ends_[e];
      const Real weight = weights_[e];
      degrees_[slot] += weight;
      degrees_[other] += weight;
      if (is_kept_must_link(slot, other)) continue;  // S + N = 0
      ends_[counted] = other;
      weights_[counted++] = is_kept_cannot_link(slot, other) ? weight + weight * weight : weight;
    }
    add_weighted_differences(points, slot, {ends_.data(), counted}, weights_.data(), smoothness_);
  }
  CompensatedSum total;
  for (const Slot slot : points.order()) total.add(degrees_[slot]);
  total_degree_ = total.value();
  if (total_degree_ > 0) return {};
  return {StatusCode::failed_precondition,
          "all edge weights underflow to 0: lambda is too small for these distances"};
}

bool Csfs::is_kept_must_link(Slot a, Slot b) const {
  return memory_.constraints().must_link(memory_.points(), a, b) &&
         pairs_.must_link().contains(memory_.points(), a, b);
}

bool Csfs::is_kept_cannot_link(Slot a, Slot b) const {
  return memory_.constraints().cannot_link(memory_.points(), a, b) &&
         pairs_.cannot_link().contains(memory_.points(), a, b);
}

// Adds weigh(pair) (f_i - f_j)^2 for every pair of a list.
template <typename Weigh>
void Csfs::add_pairs(const PairList& pairs, Weigh weigh, FeatureSums& sums) {
  for (std::size_t i = 0; i < pairs.size();) {
    const Slot newer = pairs[i].newer;
    edges_ = 0;
    for (; i < pairs.size() && pairs[i].newer == newer; ++i) {
      ends_[edges_] = pairs[i].older;
      weights_[edges_++] = weigh(pairs[i]);
    }
    add_weighted_differences(memory_.points(), newer, {ends_.data(), edges_}, weights_.data(),
                             sums);
  }
}

// Adds to T1 / 2 what comes from pairs of ML' that are no neighbours.
void Csfs::add_must_links() {
  const auto weigh = [&](const PointPair& pair) {
    if (neighbours(pair.newer, pair.older)) return Real(0);
    const Real weight = exp(-(squared_distance(pair.newer, pair.older) / lambda_));
    return weight * weight;
  };
  add_pairs(pairs_.must_link(), weigh, smoothness_);
}

void Csfs::count_partners() {
  std::fill(partners_.begin(), partners_.end(), 0U);
  for (const PointPair& pair : pairs_.cannot_link()) {
    ++partners_[pair.newer];
    ++partners_[pair.older];
  }
  with_partner_ = 0;
  for (const Slot slot : memory_.points().order()) with_partner_ += partners_[slot] > 0 ? 1U : 0U;
}

// Adds to T2 what comes from the pairs of CL', each in both orders.
void Csfs::add_cannot_links() {
  const auto weigh = [&](const PointPair& pair) {
    return degrees_[pair.newer] + degrees_[pair.older];
  };
  add_pairs(pairs_.cannot_link(), weigh, sums_.sums());
}

void Csfs::report(InfoList& info) const {
  info.real("lambda_used", lambda_);
  if (by_clusters()) info.integer("clusters", clusters_.clusters());
  info.integer("must_links_used", static_cast<std::uint32_t>(pairs_.must_link().size()));
  info.integer("cannot_links_used", static_cast<std::uint32_t>(pairs_.cannot_link().size()));
}

}  // namespace whittle
