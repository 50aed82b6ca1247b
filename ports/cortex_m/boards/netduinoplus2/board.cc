// Netduino Plus 2: the line is USART 1, on pins PB6 (transmit) and PB7 (receive).
// Registers: "STM32F405/415, ... reference manual", ST RM0090.
#include "ports/cortex_m/board.h"

#include "ports/cortex_m/board_vectors.h"
#include "ports/cortex_m/runtime.h"
#include "ports/cortex_m/stm32_usart.h"

namespace whittle::ports {
namespace {

constexpr Stm32Usart kLine(0x40011000);
constexpr unsigned kLineInterrupt = 37;

constexpr std::uintptr_t kFlashAccess = 0x40023C00;
constexpr std::uintptr_t kClockControl = 0x40023800;
constexpr std::uintptr_t kClockPll = kClockControl + 0x04;
constexpr std::uintptr_t kClockConfig = kClockControl + 0x08;
constexpr std::uintptr_t kClockPorts = kClockControl + 0x30;        // AHB1ENR
constexpr std::uintptr_t kClockPeripherals = kClockControl + 0x44;  // APB2ENR
constexpr std::uintptr_t kPortB = 0x40020400;

constexpr std::uint32_t kResetHz = 16'000'000;  // the internal oscillator
constexpr std::uint32_t kFullHz = 168'000'000;

void set_bits(std::uintptr_t address, std::uint32_t bits) { reg(address) = reg(address) | bits; }

// False if the bits do not come. That is so in QEMU, which has no clocks and runs at full speed.
bool wait_for(std::uintptr_t address, std::uint32_t bits) {
  for (unsigned tries = 0; tries < 20'000; ++tries) {
    if ((reg(address) & bits) == bits) return true;
  }
  return false;
}

// From the 25 MHz crystal to 168 MHz; returns the clock of the line. Without the crystal the core
// stays at its reset clock.
std::uint32_t start_clock() {
  set_bits(kClockControl, 1U << 16);  // crystal on
  if (!wait_for(kClockControl, 1U << 17)) return kResetHz;
  reg(kClockPll) = 25U | (336U << 6) | (1U << 22) | (7U << 24);  // crystal / 25 x 336 / 2
  set_bits(kClockControl, 1U << 24);                             // PLL on
  if (!wait_for(kClockControl, 1U << 25)) return kResetHz;
  reg(kFlashAccess) = 5U | (7U << 8);                // five wait states, prefetch, caches
  reg(kClockConfig) = (5U << 10) | (4U << 13) | 2U;  // APB1 / 4, APB2 / 2, run from the PLL
  static_cast<void>(wait_for(kClockConfig, 2U << 2));
  return kFullHz / 2;
}

void receive_interrupt() {
  if (!kLine.handle_receive(line_received)) line_overrun();
}

}  // namespace

const Board kBoard = {WHITTLE_BOARD, kFullHz};

void start_board() {
  const std::uint32_t line_clock = start_clock();
  set_bits(kClockPorts, 1U << 1);        // port B
  set_bits(kClockPeripherals, 1U << 4);  // USART 1
  set_bits(kPortB + 0x20, 0x77U << 24);  // alternate function 7 for pins 6 and 7
  set_bits(kPortB + 0x0C, 1U << 14);     // pull-up on pin 7, so that an open line is silent
  set_bits(kPortB + 0x00, 0xAU << 12);   // alternate function mode
  kLine.start(line_clock, 115'200);
  enable_interrupt(kLineInterrupt);
}

void send_byte(std::uint8_t byte) { kLine.send(byte); }

extern "C" [[gnu::section(".vectors.board"), gnu::used]] constexpr auto board_vectors =
    BoardVectors<kLineInterrupt>().with(kLineInterrupt, receive_interrupt);

}  // namespace whittle::ports
