// whittle selectors, whittle info: what there is.
#ifndef WHITTLE_TOOLS_CLI_DESCRIBE_COMMANDS_H_
#define WHITTLE_TOOLS_CLI_DESCRIBE_COMMANDS_H_

#include <string>

#include "tools/cli/console.h"

namespace whittle::cli {

// One line per selector; with an id, that selector's parameters. Throws UsageError.
void selectors_command(const std::string& id, const Console& console);

// This program's version and limits; with an address, those of the node there. Throws Error,
// LineError.
void info_command(const std::string& address, const std::string& firmware, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_DESCRIBE_COMMANDS_H_
