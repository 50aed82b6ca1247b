#include "tools/simulate/virtual_node.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "whittle/base/random.h"

namespace whittle::simulate {
namespace {

constexpr std::uint32_t kIterations = 200;  // of an iterative selector before it ranks

void require(const Status& status) {
  if (status.ok()) return;
  throw std::runtime_error(std::string("a node refuses its config: ") + status.reason());
}

PruningConfig pruning_of(const RankerConfig& config, const Policy& policy, std::uint64_t seed) {
  PruningConfig pruning = policy.pruning;
  pruning.features = config.memory.features;
  pruning.learn_from = learn_from_for(*config.selector);
  pruning.seed = seed;
  if (policy.kind == PolicyKind::once) {
    pruning.probe_every = 0;
    pruning.drift_block = 0;
  }
  return pruning;
}

}  // namespace

VirtualNode::VirtualNode(const RankerConfig& config, const Policy& policy, std::uint64_t seed)
    : kind_(policy.kind),
      direction_(config.selector->direction),
      update_every_(policy.pruning.update_every),
      features_(config.memory.features) {
  const PruningConfig pruning = pruning_of(config, policy, seed);
  const std::size_t bytes = ByteCount{}
                                .bytes(FeatureRanker::required_bytes(config))
                                .bytes(FeaturePruner::required_bytes(pruning))
                                .total();
  buffer_.reset(new unsigned char[bytes + kArenaAlignment]);
  arena_ = std::make_unique<Arena>(buffer_.get(), bytes + kArenaAlignment);
  require(ranker_.create(*arena_, config));
  require(pruner_.create(*arena_, pruning));
  if (kind_ != PolicyKind::all && kind_ != PolicyKind::random) return;
  fixed_ = std::make_unique<bool[]>(features_);
  std::uint32_t wanted = kind_ == PolicyKind::all ? config.memory.features : kept_features(pruning);
  Random random(seed);
  // Each feature with the chance that leaves all choices equally likely.
  for (std::size_t r = 0; r < features_; ++r) {
    const auto left = static_cast<std::uint32_t>(features_ - r);
    fixed_[r] = random.below(left) < wanted;
    if (fixed_[r]) --wanted;
  }
}

Span<const bool> VirtualNode::mask() const {
  return fixed_ ? Span<const bool>(fixed_.get(), features_) : pruner_.mask();
}

std::uint32_t VirtualNode::mask_id() const {
  if (fixed_) return kind_ == PolicyKind::all ? 0 : 1;
  return pruner_.mask_id();
}

Span<const bool> VirtualNode::sense() {
  return fixed_ ? Span<const bool>(fixed_.get(), features_) : pruner_.next_mask();
}

bool VirtualNode::observe(std::uint64_t id, Span<const Real> values) {
  bool alarm = false;
  bool learns = true;
  if (!fixed_) {
    require(pruner_.observe(values, &alarm));
    learns = pruner_.learns();
  }
  ++since_ranked_;
  // A sample that the memory refuses (every value missing) is one that taught nothing.
  const bool taken = learns && ranker_.observe({values, SampleKind::unlabelled, 0, id}).ok();
  if (taken || !learns) rank_if_due();
  return alarm;
}

void VirtualNode::rank_if_due() {
  const bool chosen = kind_ == PolicyKind::once && pruner_.mask_id() > 0;
  const bool due = fixed_ || chosen ? since_ranked_ >= update_every_ : pruner_.update_due();
  if (!due) return;
  ranker_.refine(kIterations);
  if (!ranker_.rank(0).ok()) return;
  since_ranked_ = 0;
  // No feature has a score yet: the mask stays as it is.
  if (!fixed_ && !chosen) static_cast<void>(pruner_.update(ranker_.ranking(), direction_));
}

bool VirtualNode::label(std::uint64_t id, std::uint32_t label) {
  return ranker_.label(id, label).ok();
}

}  // namespace whittle::simulate
