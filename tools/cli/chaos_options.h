// The command line of whittle chaos.
#ifndef WHITTLE_TOOLS_CLI_CHAOS_OPTIONS_H_
#define WHITTLE_TOOLS_CLI_CHAOS_OPTIONS_H_

#include <CLI/CLI.hpp>

#include "tools/cli/chaos_command.h"

namespace whittle::cli {

// `options` must outlive `command`.
void add_chaos_options(CLI::App* command, ChaosOptions* options);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_CHAOS_OPTIONS_H_
