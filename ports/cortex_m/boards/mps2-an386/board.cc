// Arm MPS2 AN386: the line is UART 0, with separate receive and transmit interrupts.
#include "ports/cortex_m/board.h"

#include "ports/cortex_m/cmsdk_uart.h"
#include "ports/cortex_m/runtime.h"

namespace whittle::ports {
namespace {

constexpr CmsdkUart kLine(0x40004000);
constexpr unsigned kLineReceiveInterrupt = 0;

void receive_interrupt() { kLine.handle_receive(line_received); }

}  // namespace

const Board kBoard = {"mps2-an386", 25'000'000};

void start_board() {
  kLine.start(kBoard.clock_hz, 115'200);
  enable_interrupt(kLineReceiveInterrupt);
}

void send_byte(std::uint8_t byte) { kLine.send(byte); }

// Follows the system vectors: one entry per interrupt of the chip, up to the last that is used.
extern "C" [[gnu::section(".vectors.board"), gnu::used]] const Handler board_vectors[] = {
    receive_interrupt,
};

}  // namespace whittle::ports
