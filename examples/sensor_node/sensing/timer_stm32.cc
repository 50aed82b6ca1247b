// Timer 2 of the STM32F405: "STM32F405/415, ... reference manual", ST RM0090, 18.4. It counts
// microseconds: APB1's timers run at half the core's clock once the board runs at full speed.
#include "ports/cortex_m/board.h"
#include "ports/cortex_m/registers.h"
#include "timer_interrupt.h"

namespace {

using whittle::ports::reg;

constexpr std::uintptr_t kClockEnable = 0x40023840;  // RCC_APB1ENR
constexpr std::uintptr_t kTimer = 0x40000000;
constexpr std::uintptr_t kControl = kTimer + 0x00;
constexpr std::uintptr_t kInterruptEnable = kTimer + 0x0C;
constexpr std::uintptr_t kState = kTimer + 0x10;
constexpr std::uintptr_t kUpdate = kTimer + 0x14;
constexpr std::uintptr_t kPrescaler = kTimer + 0x28;
constexpr std::uintptr_t kReload = kTimer + 0x2C;

}  // namespace

const unsigned kTimerInterrupt = 28;

void start_timer(std::uint32_t periods_per_second) {
  reg(kClockEnable) = reg(kClockEnable) | 1U;
  reg(kPrescaler) = whittle::ports::kBoard.clock_hz / 2 / 1'000'000 - 1;
  reg(kReload) = 1'000'000 / periods_per_second - 1;
  reg(kUpdate) = 1;  // loads both
  reg(kState) = 0;
  reg(kInterruptEnable) = 1;
  reg(kControl) = 1;
}

void clear_timer_interrupt() { reg(kState) = 0; }
