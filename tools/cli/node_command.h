// whittle node: a node as a host process, the same loop as in firmware.
#ifndef WHITTLE_TOOLS_CLI_NODE_COMMAND_H_
#define WHITTLE_TOOLS_CLI_NODE_COMMAND_H_

#include <cstddef>
#include <string>

#include "tools/cli/console.h"

namespace whittle::cli {

struct NodeOptions {
  std::string listen;  // "tcp:PORT" or "pty"
  std::size_t arena_bytes = 16U << 20;
  std::string state;  // where snapshots are kept: the files state.0 and state.1; "": nowhere
};

// Prints the address to give to --to (Error if it cannot, or cannot have the arena), then serves
// whoever connected last until SIGINT or SIGTERM; what the node knows outlives a connection, and as
// far as it is durable the process. Throws UsageError, Error, LineError, StorageError.
void node_command(const NodeOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_NODE_COMMAND_H_
