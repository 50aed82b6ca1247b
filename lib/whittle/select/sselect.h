// sSelect: a feature cut at its weighted mean should part the neighbour graph where it is thin, and
// the classes. Smaller is better.
//
// Score of feature r: eta g'Lg / g'Dg + (1 - eta) (1 - NMI(sign g, y)), g = f - mu_D the feature as
// cluster indicator over the held points. The first ratio is the Laplacian score (labels add no
// edges). NMI = I / sqrt(H H) in natural logarithms over the labelled points that have the feature,
// 0 if an entropy is 0; g >= -1e-6 max |g| counts as +, so that rounding never decides the side of
// a point at the mean. Source: [T] (2.8)-(2.10). Class E2: equal to the batch score of the points
// held.
//
// Parameters: k, lambda, metric, eta. Cost: score O((E + n) m) for E edges. Memory: held points,
// neighbour graph, GraphScatter, PointSums, m Reals, 8 C bytes. Misleads with more than two
// classes: one cut parts them in two at best, and NMI stays below 1. Errors of score:
// failed_precondition, as GraphScatter::build.
#ifndef WHITTLE_SELECT_SSELECT_H_
#define WHITTLE_SELECT_SSELECT_H_

#include "whittle/select/graph_scatter.h"
#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kSselectParams[] = {
    kNeighboursParam,
    kLambdaParam,
    kMetricParam,
    {"eta", "weight of the graph against the labels", ParamKind::real, Real(0.1), 0, 1, nullptr}};

class Sselect final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<Sselect>()
        .bytes(GraphScatter::required_bytes(memory))
        .bytes(PointSums::required_bytes(memory.features))
        .array<Real>(memory.features)
        .array<std::uint32_t>(memory.classes, 2)
        .total();
  }

  Sselect(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  void note_peaks();
  void count_classes(std::size_t feature);

  const StreamMemory& memory_;
  EdgeRule rule_;
  Real eta_;
  GraphScatter scatter_;
  PointSums sums_;
  Span<Real> peaks_;             // max |g| of every feature
  Span<std::uint32_t> members_;  // of each class: labelled points that have the feature at hand
  Span<std::uint32_t> on_plus_;  // of them, those whose g counts as +
};

inline constexpr SelectorType kSselect = {
    "sselect",
    "sSelect: cuts the neighbour graph where it is thin, and between classes",
    Direction::ascending,
    Exactness::held_points,
    kSselectParams,
    configure_graph,
    Sselect::required_bytes,
    create_selector<Sselect>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SSELECT_H_
