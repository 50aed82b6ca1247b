#include "whittle/select/solve/tree_elimination.h"

namespace whittle {

RedundancyTree* make_elimination_tree(Arena& arena, std::size_t features) {
  auto* tree = arena.object<RedundancyTree>();
  tree->place(arena, features, kTreeFeatures);
  return tree;
}

Status eliminate_by_tree(RedundancyTree& tree, const HeldPoints& points, Span<const Real> scores,
                         std::uint32_t top, Span<std::uint32_t> order, Span<bool> selected) {
  if (points.size() < 2) {
    return {StatusCode::failed_precondition, "redundancy is told from two held points or more"};
  }
  const std::size_t kept = tree.eliminate(points, scores, Real(0), order);
  std::size_t left = top == 0 ? order.size() : top;
  for (std::size_t i = 0; i < order.size(); ++i) {
    bool& is_selected = selected[order[i]];
    is_selected = is_selected && i < kept && left > 0;
    if (is_selected) --left;
  }
  return {};
}

}  // namespace whittle
