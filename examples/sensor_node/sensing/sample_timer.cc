#include "sample_timer.h"

#include "timer_interrupt.h"

namespace {

volatile bool due;

void tick() {
  clear_timer_interrupt();
  due = true;
}

}  // namespace

void start_sample_timer(std::uint32_t samples_per_second) {
  set_interrupt_handler(kTimerInterrupt, tick);
  start_timer(samples_per_second);
}

bool sample_is_due() { return due; }

bool take_due_sample() {
  if (!due) return false;
  due = false;
  return true;
}
