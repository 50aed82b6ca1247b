// Timer 0 of the MPS2 boards: the APB timer of Arm's Cortex-M System Design Kit, DDI 0479, 4.4.
#include "ports/cortex_m/board.h"
#include "ports/cortex_m/registers.h"
#include "timer_interrupt.h"

namespace {

using whittle::ports::reg;

constexpr std::uintptr_t kTimer = 0x40000000;
constexpr std::uintptr_t kControl = kTimer + 0x00;
constexpr std::uintptr_t kValue = kTimer + 0x04;
constexpr std::uintptr_t kReload = kTimer + 0x08;
constexpr std::uintptr_t kInterruptClear = kTimer + 0x0C;
constexpr std::uint32_t kEnableWithInterrupt = 0x9;  // bits 0, 3

}  // namespace

const unsigned kTimerInterrupt = 8;

void start_timer(std::uint32_t periods_per_second) {
  const std::uint32_t period = whittle::ports::kBoard.clock_hz / periods_per_second;
  reg(kReload) = period - 1;
  reg(kValue) = period - 1;
  reg(kControl) = kEnableWithInterrupt;
}

void clear_timer_interrupt() { reg(kInterruptClear) = 1; }
