// What a node in the sensing role is told before it goes out (whittle.proto), beside its config:
// its pruning policy, what features cost.
#ifndef WHITTLE_TOOLS_SIMULATE_NODE_SETUP_H_
#define WHITTLE_TOOLS_SIMULATE_NODE_SETUP_H_

#include <cstdint>
#include <vector>

#include "tools/simulate/costs.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/rank/pruning_config.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/codec_sensing.h"

namespace whittle::simulate {

struct NodeSetup {
  RankerConfig ranker;
  PruningConfig pruning;
  std::uint32_t refine = 0;         // iterations of an iterative selector before it ranks
  std::uint32_t kept_readings = 0;  // that wait for the host, at most
};

ToSensor policy_message(const NodeSetup& setup);
// None if nothing was said.
std::vector<ToSensor> costs_messages(const FeatureCosts& costs);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_NODE_SETUP_H_
