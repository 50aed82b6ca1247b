// What the numbers of a run must have to do with each other, in a record that is read again.
#ifndef WHITTLE_TOOLS_CLI_RECORD_RULES_H_
#define WHITTLE_TOOLS_CLI_RECORD_RULES_H_

#include "tools/cli/record_value.h"
#include "tools/simulate/record.h"

namespace whittle::cli {

// `json`: what the run was read from; `record`: all but this run and those behind it. Throws Error,
// naming what contradicts the rest: a run that is there already, totals that series and nodes do
// not have, samples that sense nothing, a rank of two features.
void check_run(const RecordValue& json, const simulate::Record& record,
               const simulate::RunRecord& run);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_RECORD_RULES_H_
