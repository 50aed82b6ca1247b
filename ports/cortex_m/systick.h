// SysTick as a free-running 64-bit counter of core clocks.
#ifndef WHITTLE_PORTS_CORTEX_M_SYSTICK_H_
#define WHITTLE_PORTS_CORTEX_M_SYSTICK_H_

#include <cstdint>

namespace whittle::ports {

// Starts counting at 0.
void start_ticks();

// Clocks since start_ticks(). Exact as long as interrupts are never kept away for 2^24 clocks.
std::uint64_t read_ticks();

// The SysTick exception's handler.
void count_tick_wrap();

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_SYSTICK_H_
