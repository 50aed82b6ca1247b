// whittle chaos: a bad line between a sender and a node.
#ifndef WHITTLE_TOOLS_CLI_CHAOS_COMMAND_H_
#define WHITTLE_TOOLS_CLI_CHAOS_COMMAND_H_

#include <cstdint>
#include <string>

#include "tools/cli/console.h"
#include "tools/client/line_faults.h"
#include "tools/client/line_pace.h"

namespace whittle::cli {

struct ChaosOptions {
  std::string listen;   // "tcp:PORT" or "pty": where the sender comes in
  std::string address;  // of the node
  std::string firmware;
  FaultRates rates;  // both ways
  PaceOptions pace;
  std::uint64_t seed = 1;
};

// Prints the address to give to --to, then carries bytes both ways until SIGINT or SIGTERM, and
// says what it did to them. A sender that goes may come again; the line to the node is open while
// there is one, and a node that is not there is tried again meanwhile.
// Throws UsageError, Error, LineError.
void chaos_command(const ChaosOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_CHAOS_COMMAND_H_
