// Constrained Laplacian Score: smooth over neighbours and must-link pairs, far apart over
// cannot-link pairs. Smaller is better.
//
// Score of feature r over the held points: T1 / T2,
//   T1 = 2 f'Lf: S_ij = w_ij for neighbours or must-link pairs, 0 for cannot-link pairs, which
//        still use up a place among the k neighbours;
//   T2 = sum over ordered cannot-link pairs (f_i - f_j)^2 D_i
//        + sum over all i of (|J| - c_i) D_i (f_i - mu)^2;
// J the points in some cannot-link pair, c_i the number of partners of i, mu the plain mean.
// Without a cannot-link pair: ls. Source: [T] (3.1)-(3.3). Class E2: equal to the batch score of
// the points held.
//
// Parameters: k, lambda, metric. Cost: score O((E + n) m) for E edges; must-link pairs are edges,
// so E grows with the square of the labelled points of a class. Memory: held points, neighbour
// graph, GraphScatter, GroupSums, 4 m Reals. Misleads with wrong labels: each one joins and parts
// whole classes. Errors of score: failed_precondition, as GraphScatter::build.
#ifndef WHITTLE_SELECT_CLS_H_
#define WHITTLE_SELECT_CLS_H_

#include "whittle/select/graph_scatter.h"
#include "whittle/select/group_sums.h"
#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kClsParams[] = {kNeighboursParam, kLambdaParam, kMetricParam};

class Cls final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<Cls>()
        .bytes(GraphScatter::required_bytes(memory, true))
        .bytes(PointSums::required_bytes(memory.features))
        .bytes(GroupSums::required_bytes(memory))
        .total();
  }

  Cls(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  void add_separation(Slot slot);

  const StreamMemory& memory_;
  EdgeRule rule_;
  GraphScatter scatter_;
  PointSums sums_;
  GroupSums groups_;
};

inline constexpr SelectorType kCls = {
    "cls",
    "constrained Laplacian score: smooth over neighbours, apart over classes",
    Direction::ascending,
    Exactness::held_points,
    kClsParams,
    configure_graph,
    Cls::required_bytes,
    create_selector<Cls>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_CLS_H_
