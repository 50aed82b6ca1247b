// Policy: what decides which features a simulated node senses.
#ifndef WHITTLE_TOOLS_SIMULATE_POLICY_H_
#define WHITTLE_TOOLS_SIMULATE_POLICY_H_

#include <string>

#include "whittle/rank/pruning_config.h"
#include "whittle/select/selector.h"

namespace whittle::simulate {

enum class PolicyKind {
  all,     // every feature, always: what the others are compared with
  random,  // as many features as rule top keeps, picked by chance once
  once,    // the first mask after the warm-up, for good: no probes, no drift detector
  prune,   // FeaturePruner, with all that it does
};

struct Policy {
  std::string name;  // as people call it
  PolicyKind kind = PolicyKind::prune;
  PruningConfig pruning;  // features, learn_from and seed are set by the simulation
};

// What compares: one selector under one policy.
struct Contender {
  const SelectorType* selector = nullptr;
  Policy policy;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_POLICY_H_
