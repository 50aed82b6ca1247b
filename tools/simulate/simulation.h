// Simulates a fleet of nodes that sense, prune and send, and a host that labels and classifies.
//
// The rows of the readings are dealt to the nodes in turn, in order. In every period each node
// senses one row: what its mask says. It keeps what it needs of it in its own arena, and sends the
// sensed values up. The host tells their class by what it knows (Classifier), before it learns it;
// then chance may have the sample labelled, each with the same probability: if it was not sensed
// whole, rather the next that is, since that teaches the node most. A label comes down after a
// delay. Nodes are those of whittle/node in the sensing role, and what goes over the line is what
// they write and read: frames get lost both ways, and are sent again as the wire says. All
// contenders meet the same readings, in the same order, and the same chance.
#ifndef WHITTLE_TOOLS_SIMULATE_SIMULATION_H_
#define WHITTLE_TOOLS_SIMULATE_SIMULATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tools/simulate/costs.h"
#include "tools/simulate/drift.h"
#include "tools/simulate/energy.h"
#include "tools/simulate/policy.h"
#include "tools/simulate/readings.h"
#include "tools/simulate/record.h"

namespace whittle::simulate {

struct Fleet {
  std::uint32_t nodes = 4;
  double loss = 0.05;              // share of the frames
  double label_rate = 0.05;        // chance of a sample that the host has it labelled
  std::uint32_t label_delay = 20;  // samples from a sample's arrival to its label's leaving
  Drift drift;
  EnergyModel energy = energy_models().front();
  FeatureCosts costs;  // of policies with a budget; groups are switched together under all
  std::uint64_t seed = 1;
  // What a node holds: see MemoryConfig.
  std::uint32_t labelled = 128;
  std::uint32_t window = 64;
  std::uint32_t codebook = 0;
  std::uint32_t learn = 200;  // samples from which the scale is learned, to mean 0, deviation 1
  double half_life = 0;       // samples after which a moment counts half; 0: never
  std::uint32_t checkpoints = 60;
};

// Is told how many samples of how many are done.
using ProgressSink = std::function<void(std::size_t, std::size_t)>;

// Policy all comes first, whether or not a contender has it. Throws std::runtime_error: a node
// refuses its config; there are fewer rows than nodes; a reading has not room for all features.
Record simulate(const Readings& readings, const Fleet& fleet,
                const std::vector<Contender>& contenders, const ProgressSink& progress = {});

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_SIMULATION_H_
