// BBC micro:bit: the line is the UART that its USB interface chip passes on.
#include "ports/cortex_m/board.h"

#include "ports/cortex_m/board_vectors.h"
#include "ports/cortex_m/nrf51_uart.h"
#include "ports/cortex_m/runtime.h"
#include "ports/cortex_m/ticks.h"

namespace whittle::ports {
namespace {

constexpr Nrf51Uart kLine(0x40002000);
constexpr std::uint32_t kTransmitPin = 24;
constexpr std::uint32_t kReceivePin = 25;
constexpr unsigned kLineInterrupt = 2;
constexpr unsigned kTimerInterrupt = 8;
constexpr std::uintptr_t kStartCrystal = 0x40000000;  // CLOCK: TASKS_HFCLKSTART

void receive_interrupt() {
  if (!kLine.handle_receive(line_received)) line_overrun();
}

}  // namespace

const Board kBoard = {WHITTLE_BOARD, 16'000'000};

void start_board() {
  reg(kStartCrystal) = 1;  // the core changes over from its own oscillator once it is ready
  kLine.start(kTransmitPin, kReceivePin);
  enable_interrupt(kLineInterrupt);
}

void send_byte(std::uint8_t byte) { kLine.send(byte); }

extern "C" [[gnu::section(".vectors.board"), gnu::used]] constexpr auto board_vectors =
    BoardVectors<kTimerInterrupt>()
        .with(kLineInterrupt, receive_interrupt)
        .with(kTimerInterrupt, count_tick_wrap);

}  // namespace whittle::ports
