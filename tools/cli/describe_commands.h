// whittle selectors, whittle info: what there is.
#ifndef WHITTLE_TOOLS_CLI_DESCRIBE_COMMANDS_H_
#define WHITTLE_TOOLS_CLI_DESCRIBE_COMMANDS_H_

#include <string>

#include "tools/cli/console.h"

namespace whittle::cli {

// One line per selector; with an id, that selector's parameters. Throws UsageError.
void selectors_command(const std::string& id, const Console& console);

struct InfoOptions {
  std::string address;  // of a node; empty: of this program
  std::string firmware;
  unsigned patience = 30;  // seconds
  bool json = false;
};

// This program's version and limits; with an address, those of the node there, and its statistics.
// Asking changes nothing there. Throws Error, LineError.
void info_command(const InfoOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_DESCRIBE_COMMANDS_H_
