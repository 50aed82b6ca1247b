#include "tools/cli/listen.h"

#include <cerrno>
#include <cstring>
#include <ostream>

#include "tools/cli/error.h"
#include "tools/cli/number.h"

namespace whittle::cli {

ListenAddress parse_listen(const std::string& text) {
  if (text == "pty") return {true, 0};
  const auto port = text.rfind("tcp:", 0) == 0 ? parse_whole(text.substr(4), 65535) : std::nullopt;
  if (!port) {
    throw UsageError("--listen " + text + ": write tcp:PORT (0 takes a free one) or pty");
  }
  return {false, static_cast<std::uint16_t>(*port)};
}

void tell_address(const std::string& address, const Console& console) {
  console.out << address << '\n' << std::flush;
  if (console.out.good()) return;
  throw Error("cannot write the address, " + address +
              ", to the standard output: " + std::strerror(errno));
}

}  // namespace whittle::cli
