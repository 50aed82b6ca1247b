// Simulates a fleet of nodes on a host: each has a real core in its own arena, senses what its mask
// says and sends that over a line that loses frames; labels come late, and half-way the channels
// change places. Compares two selectors and four policies.
//
//   host_simulation [PAGE.html]     and writes a page that shows it
#include <cstdio>
#include <exception>
#include <fstream>

#include "signal_source.h"
#include "tools/simulate/report.h"
#include "tools/simulate/simulation.h"
#include "whittle/select/cls.h"
#include "whittle/select/fisher.h"

namespace {

using namespace whittle::simulate;

Policy policy(const char* name, PolicyKind kind) {
  Policy policy;
  policy.name = name;
  policy.kind = kind;
  policy.pruning.top = 4;         // channels to keep
  policy.pruning.recovery = 256;  // samples sensed whole after an alarm of drift
  return policy;
}

// What may be spent on a sample, in the unit of the costs below.
Policy budget() {
  Policy policy = ::policy("budget=6", PolicyKind::prune);
  policy.pruning.rule = whittle::PruningRule::budget;
  policy.pruning.budget = 6;
  return policy;
}

FeatureCosts costs() {
  FeatureCosts costs;
  costs.cost.assign(kChannels, 1);
  costs.cost[10] = 3;
  costs.group.assign(kChannels, whittle::kOwnUnit);
  costs.group[0] = costs.group[1] = 0;  // one sensor gives both: they are switched together
  costs.groups = {"compass"};
  costs.group_cost = {2};  // to wake it
  return costs;
}

Fleet fleet() {
  Fleet fleet;
  fleet.nodes = 3;
  fleet.loss = 0.05;        // of the frames, both ways
  fleet.label_rate = 0.05;  // of the samples get a label,
  fleet.label_delay = 20;   // so many samples late
  fleet.drift = {DriftKind::permute, 2000};
  fleet.half_life = 500;  // samples: what fisher saw before the drift is forgotten
  fleet.costs = costs();
  fleet.energy = *find_energy_model("802.15.4");  // energy.cc says where its numbers come from
  return fleet;
}

}  // namespace

int main(int argc, char** argv) {
  const Policy once = policy("once", PolicyKind::once), top = policy("top", PolicyKind::prune);
  try {
    const Record record = simulate(read_machine(12000), fleet(),
                                   {{&whittle::kCls, policy("random", PolicyKind::random)},
                                    {&whittle::kCls, once},
                                    {&whittle::kCls, top},
                                    {&whittle::kCls, budget()},
                                    {&whittle::kFisher, once},
                                    {&whittle::kFisher, top}});
    std::fputs(summary_table(record).c_str(), stdout);
    if (argc > 1) std::ofstream(argv[1]) << report_page(record);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
