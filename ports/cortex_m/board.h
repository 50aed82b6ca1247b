// What each boards/<board>/board.cc provides to the rest of the port, and what it calls.
#ifndef WHITTLE_PORTS_CORTEX_M_BOARD_H_
#define WHITTLE_PORTS_CORTEX_M_BOARD_H_

#include <cstdint>

namespace whittle::ports {

struct Board {
  const char* name;
  std::uint32_t clock_hz;  // of the core, which SysTick counts
};

extern const Board kBoard;

// Sets up clocks and the line, and lets its receive interrupt call line_received().
void start_board();

// Sends one byte over the line; waits while the transmitter is full.
void send_byte(std::uint8_t byte);

// Called by the board's receive interrupt with each byte.
void line_received(std::uint8_t byte);

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_BOARD_H_
