// The command lines of whittle simulate and whittle report.
#ifndef WHITTLE_TOOLS_CLI_SIMULATE_OPTIONS_H_
#define WHITTLE_TOOLS_CLI_SIMULATE_OPTIONS_H_

#include <CLI/CLI.hpp>

#include "tools/cli/simulate_command.h"

namespace whittle::cli {

// `options` must outlive `command`.
void add_simulate_options(CLI::App* command, SimulateOptions* options);
void add_report_options(CLI::App* command, ReportOptions* options);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SIMULATE_OPTIONS_H_
