// The program: command line in, exit code out.
#ifndef WHITTLE_TOOLS_CLI_APP_H_
#define WHITTLE_TOOLS_CLI_APP_H_

#include "tools/cli/console.h"

namespace whittle::cli {

// Exit codes: 0 done; 1 the data, the node or the machine is at fault; 2 the command line is; 3 the
// node has lost what it was sent.
int run(int argc, const char* const* argv, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_APP_H_
