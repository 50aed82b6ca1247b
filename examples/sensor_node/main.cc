// Firmware of a node: it waits for messages on the board's serial line and answers them. The host
// configures it, streams samples and asks for rankings (whittle stream --to serial:...).
#include "catalog.h"
#include "ports/cortex_m/board_port.h"
#include "ports/cortex_m/runtime.h"
#include "whittle/node/node.h"

int main() {
  whittle::ports::BoardPort& port = whittle::ports::board_port();
  // All RAM that is left. A config that needs more is refused, and told how much.
  const whittle::Span<unsigned char> arena = whittle::ports::free_memory();
  static whittle::Node node(port, catalog(), arena.data(), arena.size());
  for (;;) {
    node.poll();
    port.wait_for_event();
  }
}
