// A free-running 64-bit counter of core clocks: SysTick (systick.cc), or where a chip has none a
// timer of its own (nrf51_timer.cc).
#ifndef WHITTLE_PORTS_CORTEX_M_TICKS_H_
#define WHITTLE_PORTS_CORTEX_M_TICKS_H_

#include <cstdint>

namespace whittle::ports {

// Starts counting at 0.
void start_ticks();

// Clocks since start_ticks(). Exact as long as interrupts are never kept away for 2^24 clocks.
std::uint64_t read_ticks();

// The handler of the SysTick exception, or of the timer's interrupt.
void count_tick_wrap();

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_TICKS_H_
