// SC4: Laplacian score of all points times constraint score of the labelled ones. Smaller is
// better.
//
// Score of feature r: LS_r CS_r over the held points. LS is that of ls (labels add no edges), CS
// that of cs1: sum_ML (f_i - f_j)^2 / sum_CL (f_i - f_j)^2 over the must-link and cannot-link pairs
// now held. No score where a factor has none: for a feature that is constant over the held points,
// or over those in pairs, and for 0 times inf. Source: [T] (2.23). Class E2: equal to the batch
// score of the points held.
//
// Parameters: k, lambda, metric. Cost: score O((E + n) m) for E edges. Memory: held points,
// neighbour graph, GraphScatter, PointSums, GroupSums. Misleads where one factor is near 0: it
// decides alone, however bad the other is. Errors of score: failed_precondition without a
// cannot-link pair, and as GraphScatter::build.
#ifndef WHITTLE_SELECT_SC4_H_
#define WHITTLE_SELECT_SC4_H_

#include "whittle/select/graph_scatter.h"
#include "whittle/select/group_sums.h"
#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kSc4Params[] = {kNeighboursParam, kLambdaParam, kMetricParam};

class Sc4 final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<Sc4>()
        .bytes(GraphScatter::required_bytes(memory))
        .bytes(PointSums::required_bytes(memory.features))
        .bytes(GroupSums::required_bytes(memory))
        .total();
  }

  Sc4(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
  EdgeRule rule_;
  GraphScatter scatter_;
  PointSums sums_;
  GroupSums groups_;
};

inline constexpr SelectorType kSc4 = {
    "sc4",
    "Laplacian score times constraint score 1; needs a cannot-link pair",
    Direction::ascending,
    Exactness::held_points,
    kSc4Params,
    configure_graph,
    Sc4::required_bytes,
    create_selector<Sc4>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SC4_H_
