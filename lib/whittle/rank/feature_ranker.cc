#include "whittle/rank/feature_ranker.h"

#include <new>

namespace whittle {

// Here, and with every part cleared as a whole: piece by piece takes more code.
FeatureRanker::FeatureRanker() : memory_(), ranking_(), info_() {}

Status FeatureRanker::create(Arena& arena, const RankerConfig& config) {
  if (created()) return {StatusCode::failed_precondition, "the ranker is created already"};
  if (config.redundancy == Redundancy::tree && config.tree == nullptr) {
    return {StatusCode::unimplemented, "redundancy elimination is not linked here"};
  }
  const MemoryConfig memory_config = config.configured_memory();
  const std::size_t needed = required_bytes(config);
  if (needed > arena.left()) {
    // A config that makes no sense is the better answer, if it is one.
    Arena none(nullptr, 0);
    const Status status = memory_.create(none, memory_config);
    if (!status.ok() && status.code() != StatusCode::resource_exhausted) return status;
    return {StatusCode::resource_exhausted, "arena too small: bytes needed", needed};
  }
  Arena trial = arena;
  if (const Status status = memory_.create(trial, memory_config); !status.ok()) return status;
  Selector* selector = nullptr;
  const Status status = config.selector->create(trial, memory_, config.values, &selector);
  if (!status.ok()) {
    new (this) FeatureRanker();  // as before; in place, since it is large for a small stack
    return status;
  }
  ranking_.place(trial, memory_config.features);
  if (config.redundancy == Redundancy::tree) {
    elimination_ = config.tree;
    tree_ = elimination_->make(trial, memory_config.features);
  }
  if (classifies(*config.selector)) scaled_ = trial.array<Real>(memory_config.features);
  arena = trial;
  type_ = config.selector;
  selector_ = selector;
  return {};
}

Status FeatureRanker::observe(const Sample& sample) {
  Observation seen;
  const std::uint32_t scales = memory_.scales_learned();
  if (const Status status = memory_.observe(sample, &seen); !status.ok()) return status;
  selector_->observe(seen);
  if (memory_.scales_learned() != scales) selector_->held_changed();
  return {};
}

Status FeatureRanker::label(std::uint64_t id, std::uint32_t label) {
  return after_change(memory_.label(id, label));
}

Status FeatureRanker::constrain(std::uint64_t first, std::uint64_t second, bool must_link) {
  return after_change(memory_.constrain(first, second, must_link));
}

Status FeatureRanker::rescale() { return after_change(memory_.rescale()); }

Status FeatureRanker::after_change(const Status& status) {
  if (status.ok()) selector_->held_changed();
  return status;
}

Refinement FeatureRanker::refine(std::uint32_t max_iterations) {
  const std::uint32_t settled = memory_.settle(max_iterations);
  if (!memory_.settled()) return {settled, false};
  memory_.prepare();
  Refinement refinement = selector_->refine(max_iterations - settled);
  refinement.iterations += settled;
  return refinement;
}

Status FeatureRanker::rank(std::uint32_t top) {
  ranking_.clear();
  info_.clear();
  if (memory_.counts().total() == 0) {
    return {StatusCode::failed_precondition, "no sample yet"};
  }
  memory_.prepare();
  const Status status = score_and_order(top);
  if (!status.ok()) {
    ranking_.clear();
    info_.clear();
  }
  return status;
}

Status FeatureRanker::score_and_order(std::uint32_t top) {
  if (const Status status = selector_->score(ranking_.mutable_scores(), &info_); !status.ok()) {
    return status;
  }
  ranking_.arrange(type_->direction, tree_ == nullptr ? top : 0);
  selector_->decide(ranking_.scores(), ranking_.mutable_order(), ranking_.mutable_selected());
  if (tree_ == nullptr) return {};
  return elimination_->eliminate(*tree_, memory_.points(), ranking_.scores(), top,
                                 ranking_.mutable_order(), ranking_.mutable_selected());
}

Status FeatureRanker::predict(Span<const Real> raw, std::uint32_t* label) const {
  if (!classifies(*type_)) {
    return {StatusCode::unimplemented, "the selector does not classify"};
  }
  const Span<const bool> selected = ranking_.valid() ? ranking_.selected() : Span<const bool>();
  return type_->answers->predict(memory_, *selector_, {raw, selected, scaled_}, label);
}

Status FeatureRanker::memberships(std::uint64_t id, Span<Real> degrees) const {
  if (type_->answers == nullptr || type_->answers->memberships == nullptr) {
    return {StatusCode::unimplemented, "the selector has no memberships"};
  }
  return type_->answers->memberships(memory_, *selector_, id, degrees);
}

std::uint64_t FeatureRanker::state_digest() const {
  Digest digest;
  memory_.digest(digest);
  selector_->digest(digest);
  return digest.value();
}

}  // namespace whittle
