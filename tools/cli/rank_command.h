// whittle rank: streams a file through the core of this process.
#ifndef WHITTLE_TOOLS_CLI_RANK_COMMAND_H_
#define WHITTLE_TOOLS_CLI_RANK_COMMAND_H_

#include "tools/cli/console.h"
#include "tools/cli/plan.h"

namespace whittle::cli {

void rank_command(const RankOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_RANK_COMMAND_H_
