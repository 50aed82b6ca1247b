// What the numbers of a run's nodes must have to do with each other, in a record that is read
// again.
#ifndef WHITTLE_TOOLS_CLI_NODE_RULES_H_
#define WHITTLE_TOOLS_CLI_NODE_RULES_H_

#include "tools/cli/record_value.h"
#include "tools/simulate/record.h"

namespace whittle::cli {

// Whether the policy of the run has its nodes rank.
bool ranks_features(const simulate::RunRecord& run);

// `json`: what the run was read from. Throws Error, naming what contradicts the rest.
void check_nodes(const RecordValue& json, const simulate::Record& record,
                 const simulate::RunRecord& run);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_NODE_RULES_H_
