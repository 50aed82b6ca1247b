// Uses the installed headers and libraries from code with exceptions.
#include <cstring>
#include <stdexcept>

#include "tools/client/node_client.h"
#include "whittle/base/status.h"
#include "whittle/node/node.h"

namespace {

// A line to nobody.
class Silence final : public whittle::posix::ByteStream {
 public:
  std::size_t read(whittle::Span<std::uint8_t>, std::chrono::milliseconds) override { return 0; }
  void write(whittle::Span<const std::uint8_t>) override {}
  std::string name() const override { return "silence"; }
};

bool client_gives_up() {
  Silence line;
  whittle::NodeClient client(line, {std::chrono::milliseconds(1), std::chrono::milliseconds(5)});
  try {
    client.connect();
  } catch (const whittle::posix::LineError&) {
    return true;
  }
  return false;
}

}  // namespace

int main() try {
  if (std::strcmp(whittle::status_code_name(whittle::StatusCode::ok), "ok") != 0) {
    throw std::runtime_error("not the library's answer");
  }
  return client_gives_up() ? 0 : 1;
} catch (const std::exception&) {
  return 1;
}
