#include "sample_timer.h"

#include "ports/cortex_m/runtime.h"
#include "timer_interrupt.h"

namespace {

volatile std::uint32_t due;

void tick() {
  clear_timer_interrupt();
  due = due + 1;
}

}  // namespace

void start_sample_timer(std::uint32_t samples_per_second) {
  set_interrupt_handler(kTimerInterrupt, tick);
  start_timer(samples_per_second);
}

bool sample_is_due() { return due > 0; }

std::uint32_t take_due_samples() {
  const whittle::ports::InterruptLock lock;
  const std::uint32_t count = due;
  due = 0;
  return count;
}
