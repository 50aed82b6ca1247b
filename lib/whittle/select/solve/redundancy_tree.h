// RedundancyTree: which of the best features say what a better one says, whatever ranked them.
//
// The best h features that have a score are the vertices of a complete graph with edge weights
// I = -1/2 ln(1 - rho^2), their mutual information if they are jointly Gaussian; rho is Pearson's
// correlation over the held points, 1 - rho^2 at least 1e-6. Its maximum spanning tree is grown
// from the best feature (Prim); of equal edges the one whose end outside the tree ranks best, then
// the one whose end inside does. Then, best first, a feature that has not been removed is kept and
// its neighbours in the tree are removed, but for those whose edge weighs less than min_mi. Source:
// [T] 3.5, (3.29)-(3.31), Algorithms 11 and 12.
//
// A missing value counts as the mean of those present, so it adds nothing. A feature that is
// constant over the held points, or whose deviations overflow when squared, has I = 0 with every
// other.
//
// Edges are compared by rho^2 / (1 - rho^2), which grows with I and keeps its digits at both ends:
// near rho = 0 from rho, near |rho| = 1 from 1 - rho^2 as taken from the difference of the
// normalised features.
//
// Cost of eliminate: O(h^2 n). Memory: 11 h Reals, 13 h bytes.
#ifndef WHITTLE_SELECT_SOLVE_REDUNDANCY_TREE_H_
#define WHITTLE_SELECT_SOLVE_REDUNDANCY_TREE_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/memory/feature_sums.h"
#include "whittle/memory/held_points.h"

namespace whittle {

inline constexpr std::uint32_t kTreeFeatures = 200;  // the usual h; m if that is less

class RedundancyTree {
 public:
  // For at most `most` of m features.
  static constexpr std::size_t required_bytes(std::size_t features, std::size_t most) {
    const std::size_t h = features < most ? features : most;
    return ByteCount{}
        .array<Real>(h, 5)
        .bytes(FeatureSums::required_bytes(h))
        .bytes(FeatureSums::required_bytes(h))
        .bytes(FeatureSums::required_bytes(h))
        .array<std::uint32_t>(h, 3)
        .array<bool>(h)
        .total();
  }
  void place(Arena& arena, std::size_t features, std::size_t most);

  // `order`: features, best first, those without a score last. Puts what is kept first and the rest
  // after it, each in the order they had. Returns how many are kept.
  std::size_t eliminate(const HeldPoints& points, Span<const Real> scores, Real min_mi,
                        Span<std::uint32_t> order);

 private:
  using Rank = std::uint32_t;  // place in the order: 0 is the best

  void normalise(const HeldPoints& points);
  Real normalised(const Real* x, Rank rank) const;
  void grow(const HeldPoints& points);
  void measure_edges(const HeldPoints& points, Rank inside);
  Real strength(std::size_t outside) const;
  void remove_neighbours(Real min_mi);

  std::size_t count_ = 0;         // h
  Span<std::uint32_t> features_;  // by rank, like what follows
  Span<Real> origins_;            // a value of the feature
  Span<Real> means_;              // less that
  Span<Real> inverses_;           // 1 / norm of the deviations; 0 for one unrelated to all others
  Span<Real> strengths_;          // rho^2 / (1 - rho^2) of its heaviest edge to the tree
  Span<Rank> parents_;            // the end of that in the tree
  Span<bool> removed_;
  Span<Rank> outside_;  // those outside the tree, best first
  std::size_t outside_count_ = 0;
  // Of the normalised features u, in the tree, and v, outside, by place in outside_: v of one
  // point; sums of u v, (u - v)^2, (u + v)^2.
  Span<Real> row_;
  FeatureSums products_;
  FeatureSums differences_;
  FeatureSums totals_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_REDUNDANCY_TREE_H_
