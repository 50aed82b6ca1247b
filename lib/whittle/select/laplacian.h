// What the scores on the neighbour graph share: parameters, parts of the
// memory, and the Laplacian score itself, which is theirs where there are no
// constraints.
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

// Sums over the held points, several of them at a time. Deviations are taken
// from an origin, the oldest point (of each feature: the oldest that has it),
// so that a large common offset costs no digits. A point that misses a feature
// counts in none of its sums. Memory: 6 m Reals.
class PointSums {
 public:
  static constexpr std::size_t required_bytes(std::size_t features) {
    return ByteCount{}
        .array<Real>(features, 4)
        .bytes(FeatureSums::required_bytes(features))
        .total();
  }
  void place(Arena& arena, std::size_t features);

  // Takes the mean of every feature, each point weighted by weight(slot);
  // `total` is the sum of the weights of all points. Notes which features are
  // constant. Leaves the sums empty.
  template <typename Weight>
  void take_means(const HeldPoints& points, Real total, Weight weight) {
    begin(points, total);
    if (points.any_missing()) {
      visit(points, weight, &PointSums::add_weights);
      keep_totals();
    }
    visit(points, weight, &PointSums::add_deviations);
    keep_means();
  }

  // Adds weight(slot) (f - mean)^2 over the points to the sums.
  template <typename Weight>
  void add_squares(const HeldPoints& points, Weight weight) {
    visit(points, weight, &PointSums::add_squared_deviations);
  }

  const Real* origin() const { return origin_.data(); }
  const Real* means() const { return means_.data(); }             // less the origin
  bool constant(std::size_t r) const { return ranges_[r] == 0; }  // max == min
  FeatureSums& sums() { return sums_; }

 private:
  // Points taken together.
  struct Block {
    static constexpr std::size_t kMost = 16;
    const Real* x[kMost];
    Real weights[kMost];
    std::size_t count;
    bool any_missing;
  };

  // Calls add for all points, a block at a time, oldest first.
  template <typename Weight>
  void visit(const HeldPoints& points, Weight weight, void (PointSums::*add)(const Block&)) {
    const Span<const Slot> order = points.order();
    Block block;
    block.any_missing = points.any_missing();
    for (std::size_t i = 0; i < order.size(); i += block.count) {
      block.count = std::min(Block::kMost, order.size() - i);
      for (std::size_t b = 0; b < block.count; ++b) {
        block.x[b] = points.row(order[i + b]);
        block.weights[b] = weight(order[i + b]);
      }
      (this->*add)(block);
    }
  }
  void begin(const HeldPoints& points, Real total);
  void add_weights(const Block& block);
  void keep_totals();
  void add_deviations(const Block& block);
  void keep_means();
  void add_squared_deviations(const Block& block);

  Span<Real> origin_;
  Span<Real> means_;
  Span<Real> ranges_;  // sum of |f - origin|
  Span<Real> totals_;  // sum of the weights of the points that have the feature
  FeatureSums sums_;
};

// f'Lf / sum_i D_i (f_i - mu_D)^2 of every feature, [T] (2.6), from a scatter
// that has been built. Leaves mu_D in the means of `sums`. Cost: two passes
// over the points.
void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, PointSums& sums,
                      Span<Real> scores);

}  // namespace whittle

#endif  // WHITTLE_SELECT_LAPLACIAN_H_
