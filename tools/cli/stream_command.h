// whittle stream: streams a file to a node and prints the ranking it answers with, exactly as
// `rank` prints its own.
#ifndef WHITTLE_TOOLS_CLI_STREAM_COMMAND_H_
#define WHITTLE_TOOLS_CLI_STREAM_COMMAND_H_

#include <string>

#include "tools/cli/console.h"
#include "tools/cli/plan.h"

namespace whittle::cli {

struct StreamOptions {
  RankOptions rank;
  std::string address;
  std::string firmware;    // for qemu
  unsigned patience = 30;  // seconds without progress
  bool stats = false;      // the node's statistics, on standard error
  std::string stats_file;  // and in this file, unless empty
};

void stream_command(const StreamOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_STREAM_COMMAND_H_
