// Laplacian Score with Universum: smooth over neighbours, far from the universum samples, and these
// close together. Larger is better.
//
// Score of feature r: alpha mean over (u, x) of (u_r - x_r)^2 - beta spread of U - 2 LS, X the held
// points, U all universum samples of the stream, in scaled units. The first two terms: see
// UniversumTerms; 0 without universum samples, so that the order is that of ls. LS: the Laplacian
// score of X on the graph of neighbours (labels add no edges); the paper's double sum counts each
// pair twice, hence 2. A feature that is constant over the held points has no LS and so no score,
// whatever the universum. Source: [U] (7). Class E2: equal to the batch score of the points held
// and the universum seen.
//
// Parameters: k, lambda, metric, alpha, beta, universum_norm. Cost: score O((E + n) m) for E edges.
// Memory: moments, held points, neighbour graph, GraphScatter, PointSums. Misleads without scaling:
// LS is a pure number of order 1, the other terms are squared units. Errors of score:
// failed_precondition, as GraphScatter::build.
#ifndef WHITTLE_SELECT_ULS_H_
#define WHITTLE_SELECT_ULS_H_

#include "whittle/select/graph_scatter.h"
#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"
#include "whittle/select/universum_terms.h"
#include "whittle/select/uvs.h"

namespace whittle {

inline constexpr ParamSpec kUlsParams[] = {kNeighboursParam, kLambdaParam,  kMetricParam,
                                           kUvsParams[0],    kUvsParams[1], kUvsParams[2]};

class Uls final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& values) {
    configure_graph(memory, values);
    memory.moments = true;
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<Uls>()
        .bytes(GraphScatter::required_bytes(memory))
        .bytes(PointSums::required_bytes(memory.features))
        .total();
  }

  Uls(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
  EdgeRule rule_;
  UniversumTerms universum_;
  GraphScatter scatter_;
  PointSums sums_;
};

inline constexpr SelectorType kUls = {
    "uls",
    "Laplacian score with universum: smooth, and far from the universum; needs no labels",
    Direction::descending,
    Exactness::held_points,
    kUlsParams,
    Uls::configure,
    Uls::required_bytes,
    create_selector<Uls>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_ULS_H_
