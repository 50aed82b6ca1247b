// GraphScatter: the sums over a weighted neighbour graph that Laplacian scores
// are made of.
//
// Edges: neighbours in the memory's graph (i in N_k(j) or j in N_k(i)),
// must-link pairs if asked for, and no cannot-link pairs if asked for. Weights
// w_ij = exp(-d2_ij / lambda), d2 the squared Euclidean distance in scaled
// units; lambda = auto: mean of d2 over the edges, each once, 1 if that is 0
// (docs/methods.md). Points that have no value in common have no edge. Each
// edge is visited once, from one of its ends, in the order of age. Where a
// value is missing, a difference counts only if both ends have it.
//
// Cost of build: O(E m) for E edges, and O(m) for each must-link pair whose
// distance is not kept. Memory: N (2 sizeof(Real) + 12) + 2 m sizeof(Real)
// bytes, and one more Real for each of the most must-link pairs there can be, N
// k at most, where their distances are not kept.
#ifndef WHITTLE_SELECT_GRAPH_SCATTER_H_
#define WHITTLE_SELECT_GRAPH_SCATTER_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/lanes.h"
#include "whittle/base/status.h"
#include "whittle/memory/feature_sums.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/select/params.h"

namespace whittle {

struct EdgeRule {
  bool must_link_pairs = false;   // pairs of one class are edges, whatever their distance
  bool drop_cannot_link = false;  // pairs of two classes are not
  Real lambda = kAutoParam;
};

class GraphScatter {
 public:
  // `must_link_pairs`: whether the rules will ask for them.
  static constexpr std::size_t required_bytes(const MemoryConfig& config,
                                              bool must_link_pairs = false) {
    const std::size_t capacity = config.capacity();
    return ByteCount{}
        .array<Real>(capacity)
        .array<Real>(capacity)
        .array<Slot>(capacity)
        .array<Slot>(capacity)
        .array<Slot>(capacity)
        .bytes(FeatureSums::required_bytes(config.features))
        .array<Real>(must_link_pairs ? noted_pairs(config) : 0)
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config, bool must_link_pairs = false);

  // Computes weights, degrees and, for every feature, f'Lf. Errors:
  // failed_precondition when there is no edge, when all weights underflow to 0,
  // or when the distances overflow.
  Status build(const StreamMemory& memory, const EdgeRule& rule);

  Real lambda() const { return lambda_; }                                            // in use
  Real degree(Slot slot) const { return degrees_[slot]; }                            // D_i
  Real total_degree() const { return total_degree_; }                                // sum D_i
  Real smoothness(std::size_t feature) const { return smoothness_.value(feature); }  // f'Lf

 private:
  static constexpr std::size_t noted_pairs(const MemoryConfig& config) {
    if (config.keep_distances) return 0;
    const std::size_t labelled = config.labelled < 65536 ? config.labelled : 65536;
    const std::size_t pairs = labelled * (labelled - (labelled > 0 ? 1 : 0)) / 2;
    const std::size_t most = config.capacity() * std::size_t{config.neighbours};
    return pairs < most ? pairs : most;
  }
  static constexpr std::size_t kMarks = 32;  // neighbours that one word marks

  void link_groups(const StreamMemory& memory);
  std::size_t most_edges(const StreamMemory& memory, Slot slot) const;
  static bool visits(const StreamMemory& memory, bool drops, Slot slot, Slot neighbour, Real key);
  static bool drops_some(const StreamMemory& memory, const EdgeRule& rule, Slot slot);
  Real must_link_key(const StreamMemory& memory, Slot slot, Slot other);
  std::size_t list_must_links(const StreamMemory& memory, Slot slot, std::size_t edges);
  std::size_t measure_edges(const StreamMemory& memory, const EdgeRule& rule, Slot slot);
  std::size_t list_edges(const StreamMemory& memory, const EdgeRule& rule, Slot slot,
                         std::size_t edges);
  Status measure(const StreamMemory& memory, const EdgeRule& rule);
  void weigh(const HeldPoints& points, std::size_t first, std::size_t last, std::size_t edges);
  template <std::size_t kWidth>
  void add_tile(const HeldPoints& points, Slot source, std::size_t begin, std::size_t end,
                std::size_t first);
  void add_present(const HeldPoints& points, Slot source, std::size_t begin, std::size_t end);
  void add_smoothness(const HeldPoints& points, Slot source, std::size_t begin, std::size_t end);

  Real lambda_ = 0;
  Real total_degree_ = 0;
  Span<Real> degrees_;  // by slot
  // Edges, those of several points at a time: d2, then w; the other end.
  Span<Real> weights_;
  Span<Slot> ends_;
  // By slot: which of the first kMarks neighbours are visited from there; once
  // the point's edges are listed, how many they are.
  Span<std::uint32_t> marks_;
  Span<Slot> next_;  // by slot: the next younger point of the same group
  FeatureSums smoothness_;
  // Distances of must-link pairs, noted by the first of two passes where it is
  // dear to compute them.
  Span<Real> pair_keys_;
  std::size_t pairs_ = 0;        // met by the pass under way
  std::size_t pairs_noted_ = 0;  // by the pass before
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_GRAPH_SCATTER_H_
