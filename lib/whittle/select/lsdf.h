// Locality Sensitive Discriminant Feature: far apart over cannot-link pairs, close over must-link
// pairs and between neighbours. Larger is better.
//
// Score of feature r: f'L_b f / f'L_w f over the held points; f'Lf is the sum over unordered pairs
// of S_ij (f_i - f_j)^2. S_b = 1 for cannot-link pairs; S_w = 100 for must-link pairs, neighbours
// or not, else 1 for neighbours of which at least one is unlabelled. Labelled neighbours of two
// classes are in S_b only; a cannot-link pair with an unlabelled end that are neighbours are in
// both. Source: J. Zhao, K. Lu and X. He, Locality sensitive semi-supervised feature selection,
// Neurocomputing 71, 2008, with these weights. Class E2: equal to the batch score of the points
// held.
//
// Parameters: k, metric. Cost: score O((E + n) m) for E edges between neighbours. Memory: held
// points, neighbour graph, PointSums, GroupSums. Misleads with few labels: a noise feature on which
// the few cannot-link pairs happen to lie apart wins. Errors of score: failed_precondition without
// a cannot-link pair.
#ifndef WHITTLE_SELECT_LSDF_H_
#define WHITTLE_SELECT_LSDF_H_

#include "whittle/select/group_sums.h"
#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kLsdfParams[] = {
    {kNeighboursParam.name, kNeighboursParam.help, ParamKind::integer, 5, kNeighboursParam.least,
     kNeighboursParam.most, nullptr},
    kMetricParam};

class Lsdf final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& values) {
    hold_samples(memory);
    memory.neighbours = values.integer(0);
    memory.make_graph = make_neighbour_graph;
    memory.metric = values[1] == Real(1) ? Metric::cosine : Metric::euclidean;
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<Lsdf>()
        .bytes(PointSums::required_bytes(memory.features))
        .bytes(GroupSums::required_bytes(memory))
        .total();
  }

  Lsdf(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  bool is_near(Slot a, Slot b) const;
  void add_neighbours(Slot slot);

  const StreamMemory& memory_;
  PointSums sums_;
  GroupSums groups_;
};

inline constexpr SelectorType kLsdf = {
    "lsdf",
    "locality sensitive discriminant: apart over classes, close to neighbours; needs two classes",
    Direction::descending,
    Exactness::held_points,
    kLsdfParams,
    Lsdf::configure,
    Lsdf::required_bytes,
    create_selector<Lsdf>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_LSDF_H_
