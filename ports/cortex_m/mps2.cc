// The boards of Arm's MPS2 and MPS3 families: the line is UART 0, with separate receive and
// transmit interrupts. The board's board.cmake says where it is and how fast the core runs.
#include "ports/cortex_m/board.h"
#include "ports/cortex_m/board_vectors.h"
#include "ports/cortex_m/cmsdk_uart.h"
#include "ports/cortex_m/runtime.h"

namespace whittle::ports {
namespace {

constexpr CmsdkUart kLine(MPS2_UART_ADDRESS);

void receive_interrupt() {
  if (!kLine.handle_receive(line_received)) line_overrun();
}

}  // namespace

const Board kBoard = {WHITTLE_BOARD, MPS2_CLOCK_HZ};

void start_board() {
  kLine.start(MPS2_UART_CLOCK_HZ, 115'200);
  enable_interrupt(MPS2_UART_RECEIVE_INTERRUPT);
}

void send_byte(std::uint8_t byte) { kLine.send(byte); }

extern "C" [[gnu::section(".vectors.board"), gnu::used]] constexpr auto board_vectors =
    BoardVectors<MPS2_UART_RECEIVE_INTERRUPT>().with(MPS2_UART_RECEIVE_INTERRUPT,
                                                     receive_interrupt);

}  // namespace whittle::ports
