// VirtualNode: the core of a node, in an arena of its own: a ranker, and the pruner that says what
// to sense next.
#ifndef WHITTLE_TOOLS_SIMULATE_VIRTUAL_NODE_H_
#define WHITTLE_TOOLS_SIMULATE_VIRTUAL_NODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tools/simulate/policy.h"
#include "whittle/base/arena.h"
#include "whittle/base/span.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/rank/pruning.h"

namespace whittle::simulate {

class VirtualNode {
 public:
  // Throws std::runtime_error if the core refuses the config.
  VirtualNode(const RankerConfig& config, const Policy& policy, std::uint64_t seed);

  // Which features to sense of the next sample.
  Span<const bool> sense();
  // Takes in what came, NaN where nothing was sensed. True if it has raised an alarm of drift.
  bool observe(std::uint64_t id, Span<const Real> values);
  // A label that came for a sample: whether that was still held.
  bool label(std::uint64_t id, std::uint32_t label);

  // The last ranking; invalid while there could be none.
  const Ranking& ranking() const { return ranker_.ranking(); }
  Span<const bool> mask() const;
  std::uint32_t mask_id() const;  // 0: every feature
  Real stability() const { return pruner_.stability(); }
  std::size_t arena_bytes() const { return arena_->used(); }

 private:
  void rank_if_due();

  PolicyKind kind_;
  Direction direction_;
  std::uint32_t update_every_;
  std::uint32_t since_ranked_ = 0;
  std::unique_ptr<unsigned char[]> buffer_;
  std::unique_ptr<Arena> arena_;
  FeatureRanker ranker_;
  FeaturePruner pruner_;
  std::unique_ptr<bool[]> fixed_;  // of a policy that does not change
  std::size_t features_;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_VIRTUAL_NODE_H_
