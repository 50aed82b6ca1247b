// What the scores on the neighbour graph share: parameters, parts of the memory, and the Laplacian
// score itself, which is theirs where there are no constraints.
#ifndef WHITTLE_SELECT_LAPLACIAN_H_
#define WHITTLE_SELECT_LAPLACIAN_H_

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

// f'Lf / sum_i D_i (f_i - mu_D)^2 of every feature, [T] (2.6), from a scatter that has been built.
// Cost: two passes over the points.
void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, Span<Real> scores);

}  // namespace whittle

#endif  // WHITTLE_SELECT_LAPLACIAN_H_
