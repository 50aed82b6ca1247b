// Where a command waits for a line, as --listen says it.
#ifndef WHITTLE_TOOLS_CLI_LISTEN_H_
#define WHITTLE_TOOLS_CLI_LISTEN_H_

#include <cstdint>
#include <string>

namespace whittle::cli {

struct ListenAddress {
  bool pty = false;        // a pseudo-terminal of its own, else
  std::uint16_t port = 0;  // of TCP; 0: a free one
};

// "tcp:PORT" or "pty". Throws UsageError.
ListenAddress parse_listen(const std::string& text);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_LISTEN_H_
