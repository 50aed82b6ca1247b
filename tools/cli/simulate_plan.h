// What the command line of whittle simulate asks for, and what the file shows to be wrong with it.
#ifndef WHITTLE_TOOLS_CLI_SIMULATE_PLAN_H_
#define WHITTLE_TOOLS_CLI_SIMULATE_PLAN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/cli/simulate_command.h"
#include "tools/simulate/policy.h"
#include "tools/simulate/readings.h"
#include "tools/simulate/record.h"
#include "tools/simulate/simulation.h"

namespace whittle::cli {

struct SimulatePlan {
  simulate::Fleet fleet;  // costs come from a file, later
  std::vector<simulate::Contender> contenders;
  std::vector<std::string> unused;  // selectors that no run shows: its policies need none
};

// Throws UsageError: a text says nothing, or what another one says.
SimulatePlan plan_simulation(const SimulateOptions& options);

// Throw UsageError: the file has not so many features, rows or samples; nothing is that cheap.
void check_sizes(const SimulateOptions& options, const simulate::Fleet& fleet,
                 const simulate::Readings& readings);
void check_budgets(const SimulatePlan& plan, std::size_t features);

// "none" if `learn` is 0, else how many samples a scale is learned from: how a record's settings
// say it, or begin to.
std::string scale_learned_from(std::size_t learn);

// The settings of a record, for people.
void describe_settings(const SimulateOptions& options, const simulate::Fleet& fleet,
                       simulate::Record* record);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SIMULATE_PLAN_H_
