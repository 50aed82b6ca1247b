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
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kLsParams[] = {
    {"k", "neighbours of each point", ParamKind::integer, 10, 1, 1024, nullptr},
    {"lambda", "width of the edge weights; auto: mean squared length of the edges",
     ParamKind::real_or_auto, kAutoParam, Real(1e-30), Real(1e30), nullptr},
    {"metric", "distance that chooses the neighbours", ParamKind::choice, 0, 0, 1,
     "euclidean|cosine"},
    {"use_labels", "join samples of one class, too", ParamKind::boolean, 1, 0, 1, nullptr}};

// The parts of the memory that scores on the neighbour graph read; parameters 0 and 2 are k and
// metric in all of them.
constexpr void configure_graph(MemoryConfig& memory, const ParamValues& values) {
  memory.points = true;
  memory.neighbours = values.integer(0);
  memory.make_graph = make_neighbour_graph;
  memory.metric = values[2] == Real(1) ? Metric::cosine : Metric::euclidean;
}

class Ls final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Ls>().bytes(GraphScatter::required_bytes(memory)).total();
  }

  Ls(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
  EdgeRule rule_;
  GraphScatter scatter_;
};

// Laplacian scores from a scatter that has been built.
void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, Span<Real> scores);

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
