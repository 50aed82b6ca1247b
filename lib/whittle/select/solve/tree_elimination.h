// TreeElimination: what a FeatureRanker does with a RedundancyTree after any selector: a tree of
// the best min(m, 200) features, min_mi = 0. Cost and bytes are the tree's.
#ifndef WHITTLE_SELECT_SOLVE_TREE_ELIMINATION_H_
#define WHITTLE_SELECT_SOLVE_TREE_ELIMINATION_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/memory/held_points.h"
#include "whittle/select/solve/redundancy_tree.h"

namespace whittle {

constexpr std::size_t tree_elimination_bytes(std::size_t features) {
  return ByteCount{}
      .object<RedundancyTree>()
      .bytes(RedundancyTree::required_bytes(features, kTreeFeatures))
      .total();
}
RedundancyTree* make_elimination_tree(Arena& arena, std::size_t features);
// Puts the kept features first in the order. Of the features selected, the first `top` kept ones
// stay so, or all of these if top is 0. Errors: failed_precondition with fewer than two held
// points.
Status eliminate_by_tree(RedundancyTree& tree, const HeldPoints& points, Span<const Real> scores,
                         std::uint32_t top, Span<std::uint32_t> order, Span<bool> selected);

// A ranker calls them through RankerConfig::tree alone: naming kTreeElimination is what links them.
struct TreeElimination {
  std::size_t (*required_bytes)(std::size_t features);
  RedundancyTree* (*make)(Arena& arena, std::size_t features);
  Status (*eliminate)(RedundancyTree& tree, const HeldPoints& points, Span<const Real> scores,
                      std::uint32_t top, Span<std::uint32_t> order, Span<bool> selected);
};
inline constexpr TreeElimination kTreeElimination = {tree_elimination_bytes, make_elimination_tree,
                                                     eliminate_by_tree};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_TREE_ELIMINATION_H_
