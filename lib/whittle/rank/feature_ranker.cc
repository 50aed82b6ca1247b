#include "whittle/rank/feature_ranker.h"

#include <new>

namespace whittle {

Status FeatureRanker::create(Arena& arena, const RankerConfig& config) {
  if (created()) return {StatusCode::failed_precondition, "the ranker is created already"};
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
    new (&memory_) StreamMemory();  // as before; in place, since it is large for a small stack
    return status;
  }
  ranking_.place(trial, memory_config.features);
  arena = trial;
  values_ = config.values;
  type_ = config.selector;
  selector_ = selector;
  return {};
}

Status FeatureRanker::observe(const Sample& sample) {
  Observation seen;
  if (const Status status = memory_.observe(sample, &seen); !status.ok()) return status;
  selector_->observe(seen);
  return {};
}

Status FeatureRanker::rank(std::uint32_t top) {
  ranking_.clear();
  info_.clear();
  if (memory_.counts().total() == 0) {
    return {StatusCode::failed_precondition, "no sample yet"};
  }
  if (const Status status = selector_->score(ranking_.mutable_scores(), &info_); !status.ok()) {
    info_.clear();
    return status;
  }
  ranking_.arrange(type_->direction, top);
  selector_->decide(ranking_.scores(), ranking_.mutable_order(), ranking_.mutable_selected());
  return {};
}

std::uint64_t FeatureRanker::state_digest() const {
  Digest digest;
  memory_.digest(digest);
  selector_->digest(digest);
  return digest.value();
}

}  // namespace whittle
