// Firmware of a node: it waits for messages on the board's serial line and answers them. The host
// configures it, streams samples and asks for rankings (whittle stream --to serial:...).
#include "catalog.h"
#include "ports/cortex_m/board_port.h"
#include "whittle/base/arena.h"
#include "whittle/node/node.h"

// Half of the board's RAM. A config that needs more is refused, and told how much.
alignas(whittle::kArenaAlignment) static unsigned char arena[2 * 1024 * 1024];

int main() {
  whittle::ports::BoardPort& port = whittle::ports::board_port();
  static whittle::Node node(port, catalog(), arena, sizeof arena);
  for (;;) {
    node.poll();
    port.wait_for_event();
  }
}
