// A periodic timer of the chip, and how a program gives its interrupt a handler without being part
// of the port: it moves the vector table to RAM.
#ifndef WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_TIMER_INTERRUPT_H_
#define WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_TIMER_INTERRUPT_H_

#include <cstdint>

#include "ports/cortex_m/runtime.h"

// timer_<chip>.cc
extern const unsigned kTimerInterrupt;
void start_timer(std::uint32_t periods_per_second);
void clear_timer_interrupt();

// Interrupt `number` of the chip, below 48.
void set_interrupt_handler(unsigned number, whittle::ports::Handler handler);

#endif  // WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_TIMER_INTERRUPT_H_
