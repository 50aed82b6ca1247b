#include "whittle/rank/pruning.h"

namespace whittle {

Status FeaturePruner::check(const PruningConfig& config) {
  if (config.features == 0 || config.features > kMaxFeatures) {
    return {StatusCode::out_of_range, "features must be 1..", kMaxFeatures};
  }
  if (config.groups > config.features) {
    return {StatusCode::out_of_range, "more groups than features: at most", config.features};
  }
  if (config.rule > PruningRule::budget) {
    return {StatusCode::invalid_argument, "unknown pruning rule"};
  }
  if (config.value > PruningValue::rank) {
    return {StatusCode::invalid_argument, "unknown value of features"};
  }
  if (config.learn_from > LearnFrom::every_sample) {
    return {StatusCode::invalid_argument, "unknown samples to learn from"};
  }
  if (config.top > config.features) {
    return {StatusCode::out_of_range, "top must be no more than the features", config.features};
  }
  if (!(config.threshold - config.threshold == Real(0))) {
    return {StatusCode::invalid_argument, "threshold must be finite"};
  }
  if (config.rule == PruningRule::budget && !(config.budget > 0 && config.budget < kInfinity)) {
    return {StatusCode::invalid_argument, "budget must be finite and more than 0"};
  }
  if (!(config.score_margin >= 0 && config.score_margin < kInfinity)) {
    return {StatusCode::invalid_argument, "score_margin must be finite and not negative"};
  }
  if (config.update_every == 0) {
    return {StatusCode::out_of_range, "update_every must be at least", 1};
  }
  if (config.stability_masks == 1 || config.stability_masks > kMaxStabilityMasks) {
    return {StatusCode::out_of_range, "stability_masks must be 0 or 2..", kMaxStabilityMasks};
  }
  return check_drift(drift_config(config));
}

Status FeaturePruner::create(Arena& arena, const PruningConfig& config) {
  if (created()) return {StatusCode::failed_precondition, "the pruner is created already"};
  if (const Status status = check(config); !status.ok()) return status;
  if (const Status status = arena.check_left(required_bytes(config)); !status.ok()) return status;
  config_ = config;
  units_.place(arena, config_);
  policy_.place(arena, config_, units_);
  drift_.place(arena, drift_config(config_));
  stability_.place(arena, config_.features, config_.stability_masks);
  sense_ = arena.array<bool>(config_.features);
  probes_ = ProbeSchedule(config_.probe_every, config_.learn_from == LearnFrom::full_samples,
                          config_.seed);
  return {};
}

Span<const bool> FeaturePruner::next_mask(bool all) {
  units_.settle();
  if (!chosen_ || all) choose_sensed(all);
  chosen_ = true;
  return sense_;
}

void FeaturePruner::choose_sensed(bool all) {
  const bool whole = all || sensing_all();
  const Span<const bool> mask = policy_.mask();
  std::uint32_t number = 0;  // of the unit
  for (std::uint32_t r = 0; r < sense_.size(); ++r) {
    if (units_.leads(r)) {
      sense_[r] = whole || mask[r] || probes_.probes(number, units_.count());
      ++number;
    } else {
      sense_[r] = sense_[units_.leader(r)];
    }
  }
}

void FeaturePruner::count_sensed() {
  const Span<const bool> mask = policy_.mask();
  std::uint32_t sensed = 0;
  Real cost = 0;
  const bool whole = sensing_all();
  for (std::size_t r = 0; r < sense_.size(); ++r) {
    if (!sense_[r]) continue;
    ++sensed;
    if (!units_.leads(r)) continue;
    cost += units_.cost(r);
    if (!whole && !mask[r]) ++statistics_.probes;
  }
  last_full_ = sensed == sense_.size();
  spent_.add(cost);
  statistics_.cells += sensed;
  if (last_full_) ++statistics_.full_samples;
}

Status FeaturePruner::observe(Span<const Real> values, bool* alarm) {
  if (alarm != nullptr) *alarm = false;
  if (values.size() != config_.features) {
    return {StatusCode::invalid_argument, "the sample must have as many features",
            config_.features};
  }
  next_mask();
  count_sensed();
  chosen_ = false;
  probes_.advance();
  ++statistics_.samples;
  if (since_update_ < config_.update_every) ++since_update_;
  if (!drift_.observe(values)) return {};
  ++statistics_.alarms;
  full_until_ = statistics_.samples + config_.recovery;
  fresh_ = true;
  if (alarm != nullptr) *alarm = true;
  return {};
}

Status FeaturePruner::update(FeatureRanker& ranker, std::uint32_t refine_iterations) {
  since_update_ = 0;
  if (refine_iterations > 0) ranker.refine(refine_iterations);
  if (const Status status = ranker.rank(0); !status.ok()) return status;
  return update(ranker.ranking(), ranker.type().direction);
}

Status FeaturePruner::update(const Ranking& ranking, Direction direction) {
  since_update_ = 0;
  if (!ranking.valid()) return {StatusCode::failed_precondition, "there is no ranking"};
  if (ranking.order().size() != config_.features) {
    return {StatusCode::invalid_argument, "the ranking must have as many features",
            config_.features};
  }
  if (warming_up() || recovering()) return {};
  units_.settle();
  std::uint32_t switched = 0;
  const Status status = policy_.choose(ranking, direction, statistics_.samples, fresh_, &switched);
  if (!status.ok()) return status;
  fresh_ = false;
  chosen_ = false;
  ++statistics_.updates;
  stability_.add(policy_.mask());
  if (switched > 0) ++statistics_.mask_changes;
  if (switched > 0 || mask_id_ == 0) ++mask_id_;
  statistics_.switches += switched;
  return {};
}

void FeaturePruner::digest(Digest& digest) const {
  policy_.digest(digest);
  probes_.digest(digest);
  drift_.digest(digest);
  stability_.digest(digest);
  digest.add(statistics_.samples);
  digest.add(statistics_.cells);
  digest.add(full_until_);
  digest.add(mask_id_);
  digest.add(since_update_);
  digest.add(fresh_);
}

}  // namespace whittle
