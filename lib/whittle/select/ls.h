// Laplacian Score: how little a feature changes between neighbours, for how much it varies. Smaller
// is better.
//
// Score of feature r: f'Lf / sum_i D_i (f_i - mu_D)^2 over the held points, S_ij = w_ij for
// neighbours or, with use_labels, must-link pairs; see GraphScatter for edges and weights. Source:
// [T] (2.6). Class E2: equal to the batch score of the points held.
//
// Parameters: k, lambda, metric, use_labels. Cost: score O((E + n) m) for E edges. Memory: held
// points, neighbour graph, GraphScatter. Misleads when most features are noise: neighbours are then
// noise too. Errors of score: failed_precondition, as GraphScatter::build.
#ifndef WHITTLE_SELECT_LS_H_
#define WHITTLE_SELECT_LS_H_

#include "whittle/select/graph_scatter.h"
#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kLsParams[] = {
    kNeighboursParam,
    kLambdaParam,
    kMetricParam,
    {"use_labels", "join samples of one class, too", ParamKind::boolean, 1, 0, 1, nullptr}};

class Ls final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<Ls>()
        .bytes(GraphScatter::required_bytes(memory, true))
        .bytes(PointSums::required_bytes(memory.features))
        .total();
  }

  Ls(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
  EdgeRule rule_;
  GraphScatter scatter_;
  PointSums sums_;
};

inline constexpr SelectorType kLs = {"ls",
                                     "Laplacian score: smooth over neighbours; needs no labels",
                                     Direction::ascending,
                                     Exactness::held_points,
                                     kLsParams,
                                     configure_graph,
                                     Ls::required_bytes,
                                     create_selector<Ls>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_LS_H_
