// Where a command waits for a line, as --listen says it.
#ifndef WHITTLE_TOOLS_CLI_LISTEN_H_
#define WHITTLE_TOOLS_CLI_LISTEN_H_

#include <cstdint>
#include <string>

#include "tools/cli/console.h"

namespace whittle::cli {

struct ListenAddress {
  bool pty = false;        // a pseudo-terminal of its own, else
  std::uint16_t port = 0;  // of TCP; 0: a free one
};

// "tcp:PORT" or "pty". Throws UsageError.
ListenAddress parse_listen(const std::string& text);

// Prints the address to give to --to, and sees that it is out: who waits where nobody knows is of
// no use. Throws Error.
void tell_address(const std::string& address, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_LISTEN_H_
