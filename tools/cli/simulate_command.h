// whittle simulate and whittle report: a fleet of virtual nodes on the rows of a file, and the page
// that shows what came of it.
#ifndef WHITTLE_TOOLS_CLI_SIMULATE_COMMAND_H_
#define WHITTLE_TOOLS_CLI_SIMULATE_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/dataset.h"
#include "tools/cli/plan.h"
#include "tools/simulate/simulation.h"

namespace whittle::cli {

struct SimulateOptions {
  std::string file;
  DatasetOptions dataset;
  std::vector<std::string> selectors{"cls"};
  std::vector<std::string> policies{"random", "once", "top"};
  std::vector<std::string> pruning;  // "name=value"
  std::uint32_t keep = 0;            // features; 0: half of them
  std::string drift;                 // "KIND@SAMPLE", or nothing
  std::string costs;                 // a file (costs_file.h), or nothing
  std::string energy = "802.15.4";   // a model, or "sample=..,feature=..,byte=.."
  simulate::Fleet fleet;
  Format format = Format::table;
  std::string report;  // a page, or nothing
  std::string csv;     // a folder, or nothing
};

void simulate_command(const SimulateOptions& options, const Console& console);

struct ReportOptions {
  std::string file;       // a record; - for standard input
  std::string out = "-";  // the page; - for standard output
  std::string csv;        // a folder, or nothing
};

void report_command(const ReportOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SIMULATE_COMMAND_H_
