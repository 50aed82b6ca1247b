// What each board provides to the rest of the port, and what it calls. docs/boards.md: how to add
// one.
#ifndef WHITTLE_PORTS_CORTEX_M_BOARD_H_
#define WHITTLE_PORTS_CORTEX_M_BOARD_H_

#include <cstdint>

namespace whittle::ports {

struct Board {
  const char* name;        // WHITTLE_BOARD, from the build: the name of the board's folder
  std::uint32_t clock_hz;  // of the counter in ticks.h
};

extern const Board kBoard;

// Sets up clocks and the line, and lets its receive interrupt call line_received().
void start_board();

// Sends one byte over the line; waits while the transmitter is full.
void send_byte(std::uint8_t byte);

// Called by the board's receive interrupt with each byte, and when the hardware lost one because
// the interrupt was kept away too long.
void line_received(std::uint8_t byte);
void line_overrun();

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_BOARD_H_
