// GraphScatter: the sums over a weighted neighbour graph that Laplacian scores are made of.
//
// Edges: neighbours in the memory's graph (i in N_k(j) or j in N_k(i)), must-link pairs if asked
// for, and no cannot-link pairs if asked for. Weights w_ij = exp(-d2_ij / lambda), d2 the squared
// Euclidean distance in scaled units; lambda = auto: mean of d2 over the edges, each once, 1 if
// that is 0 (docs/methods.md). Each edge is visited once, from one of its ends, in the order of
// age.
//
// Cost of build: O(E m) for E edges, and O(m) for each must-link pair whose distance is not kept.
// Memory: N (2 sizeof(Real) + 4) + 4 L + 2 m sizeof(Real) bytes.
#ifndef WHITTLE_SELECT_GRAPH_SCATTER_H_
#define WHITTLE_SELECT_GRAPH_SCATTER_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/lanes.h"
#include "whittle/base/status.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/select/feature_sums.h"
#include "whittle/select/params.h"

namespace whittle {

struct EdgeRule {
  bool must_link_pairs = false;   // pairs of one class are edges, whatever their distance
  bool drop_cannot_link = false;  // pairs of two classes are not
  Real lambda = kAutoParam;
};

class GraphScatter {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    const std::size_t capacity = config.capacity();
    return ByteCount{}
        .array<Real>(capacity)
        .array<Real>(capacity)
        .array<Slot>(capacity)
        .array<Slot>(config.labelled)
        .bytes(FeatureSums::required_bytes(config.features))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Computes weights, degrees and, for every feature, f'Lf. Errors: failed_precondition when there
  // is no edge, when all weights underflow to 0, or when the distances overflow.
  Status build(const StreamMemory& memory, const EdgeRule& rule);

  Real lambda() const { return lambda_; }                                            // in use
  Real degree(Slot slot) const { return degrees_[slot]; }                            // D_i
  Real total_degree() const { return total_degree_; }                                // sum D_i
  Real smoothness(std::size_t feature) const { return smoothness_.value(feature); }  // f'Lf

 private:
  std::size_t collect_edges(const StreamMemory& memory, const EdgeRule& rule, std::size_t position);
  Status choose_lambda(const StreamMemory& memory, const EdgeRule& rule);
  template <std::size_t kWidth>
  void add_tile(const HeldPoints& points, Slot slot, std::size_t edges, std::size_t first);
  void add_smoothness(const StreamMemory& memory, Slot slot, std::size_t edges);

  Real lambda_ = 0;
  Real total_degree_ = 0;
  Span<Real> degrees_;       // by slot
  Span<Real> edge_weights_;  // of the point at hand: d2, then w
  Span<Slot> edge_ends_;
  Span<Slot> labelled_;              // the labelled points, oldest first
  std::size_t labelled_before_ = 0;  // of them, visited by the pass under way
  FeatureSums smoothness_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_GRAPH_SCATTER_H_
