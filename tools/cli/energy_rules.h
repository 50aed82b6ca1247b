// What joules must have to do with samples, what is sensed and bytes, in a record that is read
// again.
#ifndef WHITTLE_TOOLS_CLI_ENERGY_RULES_H_
#define WHITTLE_TOOLS_CLI_ENERGY_RULES_H_

#include "tools/cli/record_value.h"
#include "tools/simulate/record.h"

namespace whittle::cli {

// `json`: what the run was read from. Throws Error, naming what contradicts the rest.
void check_energy(const RecordValue& json, const simulate::Record& record,
                  const simulate::RunRecord& run);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_ENERGY_RULES_H_
