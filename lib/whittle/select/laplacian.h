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
  memory.points = true;
  memory.neighbours = values.integer(0);
  memory.make_graph = make_neighbour_graph;
  memory.metric = values[2] == Real(1) ? Metric::cosine : Metric::euclidean;
}

// Scratch for sums over the held points. Deviations are taken from the oldest point, the origin, so
// that a large common offset costs no digits. Memory: 4 m Reals.
class PointSums {
 public:
  static constexpr std::size_t required_bytes(std::size_t features) {
    return ByteCount{}
        .array<Real>(features, 2)
        .bytes(FeatureSums::required_bytes(features))
        .total();
  }
  void place(Arena& arena, std::size_t features);

  // Takes the mean of every feature, each point weighted by weight(slot); `total` is the sum of the
  // weights. Notes which features are constant. Leaves the sums empty for the caller.
  template <typename Weight>
  void take_means(const HeldPoints& points, Real total, Weight weight);

  const Real* origin() const { return origin_; }
  const Real* means() const { return means_.data(); }             // less the origin
  bool constant(std::size_t r) const { return ranges_[r] == 0; }  // max == min
  FeatureSums& sums() { return sums_; }

 private:
  const Real* origin_ = nullptr;
  Span<Real> means_;
  Span<Real> ranges_;  // sum of |f - origin|
  FeatureSums sums_;
};

template <typename Weight>
void PointSums::take_means(const HeldPoints& points, Real total, Weight weight) {
  origin_ = points.row(points.oldest());
  const Real* WHITTLE_RESTRICT origin = origin_;
  Real* WHITTLE_RESTRICT ranges = ranges_.data();
  sums_.clear();
  std::fill(ranges_.begin(), ranges_.end(), Real(0));
  for (const Slot slot : points.order()) {
    const Real* x = points.row(slot);
    const Real share = weight(slot);
    for (std::size_t r = 0; r < ranges_.size(); ++r) ranges[r] += std::abs(x[r] - origin[r]);
    sums_.add([&](std::size_t r) { return share * (x[r] - origin[r]); });
  }
  for (std::size_t r = 0; r < means_.size(); ++r) means_[r] = sums_.value(r) / total;
  sums_.clear();
}

// f'Lf / sum_i D_i (f_i - mu_D)^2 of every feature, [T] (2.6), from a scatter that has been built.
// Cost: two passes over the points.
void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, PointSums& sums,
                      Span<Real> scores);

}  // namespace whittle

#endif  // WHITTLE_SELECT_LAPLACIAN_H_
