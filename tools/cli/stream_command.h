// whittle stream: streams a file to a node and prints the ranking it answers with, exactly as
// `rank` prints its own.
#ifndef WHITTLE_TOOLS_CLI_STREAM_COMMAND_H_
#define WHITTLE_TOOLS_CLI_STREAM_COMMAND_H_

#include <cstdint>
#include <string>

#include "tools/cli/console.h"
#include "tools/cli/plan.h"

namespace whittle::cli {

struct StreamOptions {
  RankOptions rank;
  std::string address;
  std::string firmware;    // for qemu
  unsigned patience = 30;  // seconds without progress
  bool resume = false;     // a stream that the node holds a part of, and after breaks of the line
  std::uint32_t snapshot_every = 0;  // rows between two snapshots of the node; 0: it is not told to
  bool stats = false;                // the node's statistics, on standard error
  std::string stats_file;            // and in this file, unless empty
};

void stream_command(const StreamOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_STREAM_COMMAND_H_
