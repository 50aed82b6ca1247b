// Sends a byte, then echoes the serial line until a zero byte comes. Then reads nothing until bytes
// are lost, and ends with 0 if exactly the receive buffer's worth was kept. tests/line_test talks
// to it.
#include "ports/cortex_m/board_port.h"

using whittle::Span;
using whittle::ports::board_port;

namespace {

std::uint8_t block[100];

// Returns at the zero byte.
void echo() {
  for (;;) {
    board_port().wait_for_event();
    const std::size_t count = board_port().read(block);
    std::size_t wanted = 0;
    while (wanted < count && block[wanted] != 0) ++wanted;
    board_port().write(Span<const std::uint8_t>(block, wanted));
    if (wanted < count) return;
  }
}

}  // namespace

int main() {
  constexpr std::uint8_t kReady = '!';  // what is sent before the line is on may be lost
  board_port().write(Span<const std::uint8_t>(&kReady, 1));
  echo();
  if (board_port().lost_bytes() != 0) return 2;
  while (board_port().lost_bytes() < 1000) {
  }
  std::size_t kept = 0;
  for (std::size_t count; (count = board_port().read(block)) != 0;) kept += count;
  return kept >= board_port().receive_capacity() ? 0 : 3;
}
