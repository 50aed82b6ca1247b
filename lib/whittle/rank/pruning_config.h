// PruningConfig: how a FeaturePruner turns scores into the mask of features that are sensed. Every
// default works; `features` alone must be given (docs/pruning.md).
//
// A *unit* is what can be switched alone: a group of features that one sensor gives together, or a
// feature that is in no group.
#ifndef WHITTLE_RANK_PRUNING_CONFIG_H_
#define WHITTLE_RANK_PRUNING_CONFIG_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "whittle/base/real.h"
#include "whittle/base/same_text.h"
#include "whittle/base/status.h"
#include "whittle/select/selector.h"

namespace whittle {

// What a unit must have to be in the mask.
enum class PruningRule : std::uint8_t {
  top = 0,        // the best units, as many as make no more than `top` features
  threshold = 1,  // a feature whose score is at least as good as `threshold`
  decision = 2,   // a feature that the ranking selected
  budget = 3,     // the units of the largest value whose costs sum up to no more than `budget`
};

// What a feature is worth under a budget; a unit is worth the sum over its features.
enum class PruningValue : std::uint8_t {
  score = 0,  // (score - worst) / (best - worst) over the features that have a finite score
  rank = 1,   // (n - position) / n over the n features that have a score
};

// Which samples the selector's memory is to take. Scores of features that were sensed in different
// shares of the samples can only be compared where the score does not depend on the share.
enum class LearnFrom : std::uint8_t {
  full_samples = 0,  // those of which every feature was sensed; probes sense all units at once
  every_sample = 1,  // all, what was not sensed missing; probes sense one unit after the other
};

struct PruningConfig {
  std::uint32_t features = 0;  // m
  std::uint32_t groups = 0;    // groups that features may be in

  PruningRule rule = PruningRule::top;
  std::uint32_t top = 0;  // features; 0: half of them, rounded up
  Real threshold = 0;     // in units of the score
  Real budget = 0;        // in units of the costs, a sample
  PruningValue value = PruningValue::score;
  std::uint32_t search_steps = 10000;  // looks at a unit that the budget's search takes at most

  std::uint32_t warm_up = 256;       // samples that are sensed whole at the start
  std::uint32_t update_every = 128;  // samples from one update of the mask to the next
  std::uint32_t rank_margin = 1;     // positions by which a newcomer must be better: rule top
  Real score_margin = Real(0.1);     // shares of the threshold, or of a unit's value: likewise
  std::uint32_t dwell = 512;         // samples for which a unit that was switched stays so
  std::uint32_t probe_every = 16;    // samples in which a pruned unit is sensed once; 0: never
  LearnFrom learn_from = LearnFrom::full_samples;
  std::uint32_t stability_masks = 10;  // masks over which stability is told; 0: it is not told

  std::uint32_t drift_block = 128;     // values that are compared with the past; 0: no detector
  Real false_alarm_every = 1'000'000;  // samples: see DriftConfig
  std::uint32_t recovery = 512;        // samples that are sensed whole after an alarm
  std::uint64_t seed = 1;              // of the places of probes
};

// The features that rule top keeps.
constexpr std::uint32_t kept_features(const PruningConfig& config) {
  return config.top == 0 ? config.features / 2 + config.features % 2 : config.top;
}

// every_sample for a selector whose scores can be compared then: those over the whole stream, but
// for cs2, which grows with the number of pairs.
constexpr LearnFrom learn_from_for(const SelectorType& type) {
  const bool comparable = type.exactness == Exactness::whole_stream && !same_text(type.id, "cs2");
  return comparable ? LearnFrom::every_sample : LearnFrom::full_samples;
}

}  // namespace whittle

#endif  // WHITTLE_RANK_PRUNING_CONFIG_H_
