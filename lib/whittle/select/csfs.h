// CSFS: cls with the constraints that agree with each other, and neighbours that are those of a
// point's cluster. Smaller is better.
//
// Score of feature r over the held points: T1 / T2. ML' and CL' are the coherent ones (Coherence)
// of the newest must-link and cannot-link pairs, at most max_constraints of each (ConstraintPairs).
// Points are neighbours if they are in the same cluster (WardClustering), or, with k > 0, in the
// neighbour graph. S_ij = w_ij for neighbours, w_ij = exp(-d2_ij / lambda); D_i = sum_j S_ij.
//   T1 = sum over ordered pairs (f_i - f_j)^2 (S + N)_ij:
//        N_ij = -w_ij for neighbours in ML', +w_ij^2 for neighbours in CL' and for pairs of ML'
//        that are no neighbours, else 0;
//   T2 = sum over ordered pairs of CL' (f_i - f_j)^2 D_i
//        + sum over all i of (|J| - c_i) D_i (f_i - mu)^2;
// J the points in some pair of CL', c_i the number of partners of i in CL', mu the plain mean.
// Without a pair in CL': T2 = 2 sum_i D_i (f_i - mu_D)^2, mu_D the mean weighted by D. lambda =
// auto: mean of d2 over the edges of S, 1 if that is 0. Source: [T] (3.18)-(3.25), 3.4.4,
// Algorithms 9 and 10. Class E2: equal to the batch score of the points held.
//
// A missing value: pairs count where both points have the feature; clusters and segments read the
// mean of the values present.
//
// Parameters: k (0: clusters), lambda, metric (chooses the k neighbours), max_constraints. Cost:
// score O(n^2 m + P^2) for P pairs of a type; with k, O((k n + P) m + P^2). Memory: held points,
// the neighbour graph or a WardClustering, ConstraintPairs, Coherence, 4 N words and 11 m Reals.
// Misleads where clusters are not what matters, and with few constraints, of which chance keeps
// some. Errors of score: failed_precondition when no two points are neighbours, when all weights
// underflow to 0, or when the distances overflow.
#ifndef WHITTLE_SELECT_CSFS_H_
#define WHITTLE_SELECT_CSFS_H_

#include "whittle/memory/filled_points.h"
#include "whittle/select/laplacian.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/coherence.h"
#include "whittle/select/solve/constraint_pairs.h"
#include "whittle/select/solve/ward_clustering.h"

namespace whittle {

inline constexpr ParamSpec kCsfsNeighboursParam = {
    "k",    "neighbours of each point; 0: those of its cluster", ParamKind::integer, 0, 0, 1024,
    nullptr};
inline constexpr ParamSpec kMaxConstraintsParam = {"max_constraints",
                                                   "constraints of each type, the newest",
                                                   ParamKind::integer,
                                                   2000,
                                                   1,
                                                   65535,
                                                   nullptr};
inline constexpr ParamSpec kCsfsParams[] = {kCsfsNeighboursParam, kLambdaParam, kMetricParam,
                                            kMaxConstraintsParam};

class Csfs final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& values) {
    configure_graph(memory, values);
    if (memory.neighbours == 0) memory.make_graph = nullptr;
  }
  // Without the object itself.
  static constexpr std::size_t scratch_bytes(const MemoryConfig& memory,
                                             const ParamValues& values) {
    const std::size_t limit = values.integer(3);
    return ByteCount{}
        .bytes(FilledPoints::required_bytes(memory.features))
        .bytes(ConstraintPairs::required_bytes(memory, limit))
        .bytes(Coherence::required_bytes(memory, limit))
        .bytes(memory.neighbours > 0 ? 0 : WardClustering::required_bytes(memory))
        .array<Real>(memory.capacity())
        .array<Real>(memory.capacity())
        .array<Slot>(memory.capacity())
        .array<std::uint32_t>(memory.capacity())
        .bytes(FeatureSums::required_bytes(memory.features))
        .bytes(PointSums::required_bytes(memory.features))
        .total();
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& values) {
    return ByteCount{}.object<Csfs>().bytes(scratch_bytes(memory, values)).total();
  }

  Csfs(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  bool by_clusters() const { return memory_.config().neighbours == 0; }
  Real squared_distance(Slot a, Slot b) const;
  bool neighbours(Slot a, Slot b) const;
  bool is_kept_must_link(Slot a, Slot b) const;
  bool is_kept_cannot_link(Slot a, Slot b) const;
  void collect_edges(std::size_t place);
  Status choose_lambda();
  Status add_edges();
  template <typename Weigh>
  void add_pairs(const PairList& pairs, Weigh weigh, FeatureSums& sums);
  void add_must_links();
  void count_partners();
  void add_cannot_links();
  void report(InfoList& info) const;

  const StreamMemory& memory_;
  Real lambda_param_;
  Real lambda_ = 0;
  Real total_degree_ = 0;
  FilledPoints filled_;
  ConstraintPairs pairs_;  // once selected: ML' and CL'
  Coherence coherence_;
  WardClustering clusters_;  // if by_clusters()
  Span<Real> degrees_;       // D by slot
  // Edges of the point at hand: the other ends; d2, then w, then what counts in a sum.
  Span<Slot> ends_;
  Span<Real> weights_;
  std::size_t edges_ = 0;
  Span<std::uint32_t> partners_;    // c by slot
  std::uint32_t with_partner_ = 0;  // |J|
  FeatureSums smoothness_;          // T1 / 2
  PointSums sums_;                  // T2
};

inline constexpr SelectorType kCsfs = {
    "csfs",
    "constrained Laplacian score on coherent constraints and clusters",
    Direction::ascending,
    Exactness::held_points,
    kCsfsParams,
    Csfs::configure,
    Csfs::required_bytes,
    create_selector<Csfs>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_CSFS_H_
