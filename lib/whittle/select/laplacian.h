// What the scores on the neighbour graph share: parameters, parts of the memory, and the Laplacian
// score itself, which is theirs where there are no constraints.
#ifndef WHITTLE_SELECT_LAPLACIAN_H_
#define WHITTLE_SELECT_LAPLACIAN_H_

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "whittle/memory/memory_config.h"
#include "whittle/memory/neighbour_graph.h"
#include "whittle/select/graph_scatter.h"
#include "whittle/select/params.h"

namespace whittle {

inline constexpr ParamSpec kNeighboursParam = {
    "k", "neighbours of each point", ParamKind::integer, 10, 1, 1024, nullptr};
inline constexpr ParamSpec kLambdaParam = {
    "lambda",
    "width of the edge weights; auto: mean squared length of the edges",
    ParamKind::real_or_auto,
    kAutoParam,
    Real(1e-30),
    Real(1e30),
    nullptr};
inline constexpr ParamSpec kMetricParam = {
    "metric",          "distance that chooses the neighbours", ParamKind::choice, 0, 0, 1,
    "euclidean|cosine"};

// For a selector whose parameters begin with k, lambda, metric.
constexpr void configure_graph(MemoryConfig& memory, const ParamValues& values) {
  hold_samples(memory);
  memory.neighbours = values.integer(0);
  memory.make_graph = make_neighbour_graph;
  memory.metric = values[2] == Real(1) ? Metric::cosine : Metric::euclidean;
}

// Sums over the held points, several of them at a time. Deviations are taken from an origin, the
// oldest point (of each feature: the oldest that has it), so that a large common offset costs no
// digits. A point that misses a feature counts in none of its sums. Memory: 6 m Reals.
class PointSums {
 public:
  static constexpr std::size_t required_bytes(std::size_t features) {
    return ByteCount{}
        .array<Real>(features, 4)
        .bytes(FeatureSums::required_bytes(features))
        .total();
  }
  void place(Arena& arena, std::size_t features);

  // Takes the mean of every feature, each point weighted by weight(slot); `total` is the sum of the
  // weights of all points. Notes which features are constant. Leaves the sums empty.
  template <typename Weight>
  void take_means(const HeldPoints& points, Real total, Weight weight);

  // Adds weight(slot) (f - mean)^2 over the points to the sums.
  template <typename Weight>
  void add_squares(const HeldPoints& points, Weight weight) {
    const Real* origin = origin_.data();
    const Real* means = means_.data();
    add_terms(points, weight, [origin, means](const Real* x, std::size_t r) {
      const Real d = (x[r] - origin[r]) - means[r];
      return d * d;
    });
  }

  const Real* origin() const { return origin_.data(); }
  const Real* means() const { return means_.data(); }             // less the origin
  bool constant(std::size_t r) const { return ranges_[r] == 0; }  // max == min
  FeatureSums& sums() { return sums_; }

 private:
  static constexpr std::size_t kBlock = 16;  // points taken together
  static constexpr std::size_t kTile = 8;    // features at once, in registers

  void take_origin(const HeldPoints& points);
  template <typename Weight, typename Term>
  void add_terms(const HeldPoints& points, Weight weight, Term term);

  Span<Real> origin_;
  Span<Real> means_;
  Span<Real> ranges_;  // sum of |f - origin|
  Span<Real> totals_;  // sum of the weights of the points that have the feature
  FeatureSums sums_;
};

// Adds weight(slot) term(row, r) for every feature r.
template <typename Weight, typename Term>
void PointSums::add_terms(const HeldPoints& points, Weight weight, Term term) {
  const Span<const Slot> order = points.order();
  const std::size_t m = means_.size();
  for (std::size_t i = 0; i < order.size(); i += kBlock) {
    const std::size_t count = std::min(kBlock, order.size() - i);
    const Real* x[kBlock];
    Real share[kBlock];
    for (std::size_t b = 0; b < count; ++b) {
      x[b] = points.row(order[i + b]);
      share[b] = weight(order[i + b]);
    }
    std::size_t first = 0;
    if (!points.any_missing()) {
      for (; first + kTile <= m; first += kTile) {
        Real lane[kTile] = {};
        for (std::size_t b = 0; b < count; ++b) {
          WHITTLE_UNROLL_8
          for (std::size_t l = 0; l < kTile; ++l) lane[l] += share[b] * term(x[b], first + l);
        }
        sums_.add(first, kTile, [&](std::size_t l) { return lane[l]; });
      }
    }
    for (; first < m; ++first) {
      Real sum = 0;
      for (std::size_t b = 0; b < count; ++b) {
        if (!is_missing(x[b][first])) sum += share[b] * term(x[b], first);
      }
      sums_.add(first, 1, [&](std::size_t) { return sum; });
    }
  }
}

template <typename Weight>
void PointSums::take_means(const HeldPoints& points, Real total, Weight weight) {
  take_origin(points);
  const Real* WHITTLE_RESTRICT origin = origin_.data();
  Real* WHITTLE_RESTRICT ranges = ranges_.data();
  sums_.clear();
  std::fill(ranges_.begin(), ranges_.end(), Real(0));
  std::fill(totals_.begin(), totals_.end(), total);
  for (const Slot slot : points.order()) {
    const Real* x = points.row(slot);
    if (!points.any_missing()) {
      for (std::size_t r = 0; r < ranges_.size(); ++r) ranges[r] += std::abs(x[r] - origin[r]);
      continue;
    }
    const Real share = weight(slot);
    sums_.add([&](std::size_t r) { return is_missing(x[r]) ? Real(0) : share; });
    for (std::size_t r = 0; r < ranges_.size(); ++r) {
      if (!is_missing(x[r])) ranges[r] += std::abs(x[r] - origin[r]);
    }
  }
  if (points.any_missing()) {
    for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] = sums_.value(r);
    sums_.clear();
  }
  add_terms(points, weight, [origin](const Real* x, std::size_t r) { return x[r] - origin[r]; });
  for (std::size_t r = 0; r < means_.size(); ++r) means_[r] = sums_.value(r) / totals_[r];
  sums_.clear();
}

// f'Lf / sum_i D_i (f_i - mu_D)^2 of every feature, [T] (2.6), from a scatter that has been built.
// Leaves mu_D in the means of `sums`.
// Cost: three passes over the points.
void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, PointSums& sums,
                      Span<Real> scores);

}  // namespace whittle

#endif  // WHITTLE_SELECT_LAPLACIAN_H_
