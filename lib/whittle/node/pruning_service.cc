#include "whittle/node/pruning_service.h"

#include <new>
#include <type_traits>

#include "whittle/wire/codec_sensing.h"

namespace whittle {
namespace {

void set_what_is_given(const whittle_v1_Policy& message, PruningConfig& config) {
  if (message.has_warm_up) config.warm_up = message.warm_up;
  if (message.has_update_every) config.update_every = message.update_every;
  if (message.has_rank_margin) config.rank_margin = message.rank_margin;
  if (message.has_score_margin) config.score_margin = static_cast<Real>(message.score_margin);
  if (message.has_dwell) config.dwell = message.dwell;
  if (message.has_probe_every) config.probe_every = message.probe_every;
  if (message.has_learn_from_every_sample) {
    config.learn_from =
        message.learn_from_every_sample ? LearnFrom::every_sample : LearnFrom::full_samples;
  }
  if (message.has_stability_masks) config.stability_masks = message.stability_masks;
  if (message.has_drift_block) config.drift_block = message.drift_block;
  if (message.has_false_alarm_every) {
    config.false_alarm_every = static_cast<Real>(message.false_alarm_every);
  }
  if (message.has_recovery) config.recovery = message.recovery;
  if (message.has_search_steps) config.search_steps = message.search_steps;
  if (message.has_seed) config.seed = message.seed;
}

}  // namespace

Status PruningService::policy(const whittle_v1_Policy& message, const FeatureRanker& ranker) {
  if (!ranker.created()) {
    return {StatusCode::failed_precondition, "not configured: send configure first"};
  }
  const std::uint32_t rule = enum_number(message.rule);
  if (rule > static_cast<std::uint32_t>(PruningRule::budget)) {
    return {StatusCode::invalid_argument, "unknown rule", rule};
  }
  PruningConfig config;
  config.features = ranker.memory().config().features;
  config.rule = static_cast<PruningRule>(rule);
  config.top = message.top;
  config.threshold = static_cast<Real>(message.threshold);
  config.budget = static_cast<Real>(message.budget);
  config.value = message.value_by_rank ? PruningValue::rank : PruningValue::score;
  config.groups = message.groups;
  config.learn_from = learn_from_for(ranker.type());
  set_what_is_given(message, config);
  return create(config);
}

Status PruningService::costs(const whittle_v1_Costs& message) {
  if (!pruner_.created()) {
    return {StatusCode::failed_precondition, "no policy: send policy first"};
  }
  Real costs[kCostsChunk];
  std::uint32_t groups[kCostsChunk];
  if (message.features_count == 0) {
    for (std::size_t i = 0; i < message.group_costs_count; ++i) {
      costs[i] = static_cast<Real>(message.group_costs[i]);
    }
    return pruner_.set_group_costs(message.first_group,
                                   Span<const Real>(costs, message.group_costs_count));
  }
  if (message.groups_count != 0 && message.groups_count != message.features_count) {
    return {StatusCode::invalid_argument, "a group for each feature, or for none"};
  }
  for (std::size_t i = 0; i < message.features_count; ++i) {
    costs[i] = static_cast<Real>(message.features[i]);
    const std::uint32_t group = i < message.groups_count ? message.groups[i] : 0;
    groups[i] = group == 0 ? kOwnUnit : group - 1;
  }
  return pruner_.set_features(message.first,
                              Span<const std::uint32_t>(groups, message.features_count),
                              Span<const Real>(costs, message.features_count));
}

void PruningService::reset() {
  static_assert(std::is_trivially_destructible_v<FeaturePruner>);
  new (&pruner_) FeaturePruner();
  arena_ = whole_;
}

ObjectImage PruningService::image() {
  static_assert(sizeof(FeaturePruner) % sizeof(ObjectImage::Word) == 0);
  return {&pruner_, sizeof pruner_, Span<unsigned char>(whole_.next(), arena_.used()),
          image_bytes(pruner_.config())};
}

}  // namespace whittle
