// What masks, and what is sensed and what that costs, must have to do with each other, in a record
// that is read again.
#ifndef WHITTLE_TOOLS_CLI_MASK_RULES_H_
#define WHITTLE_TOOLS_CLI_MASK_RULES_H_

#include "tools/cli/record_value.h"
#include "tools/simulate/record.h"

namespace whittle::cli {

// `json`: what the run was read from. Throws Error, naming what contradicts the rest.
void check_masks(const RecordValue& json, const simulate::Record& record,
                 const simulate::RunRecord& run);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_MASK_RULES_H_
