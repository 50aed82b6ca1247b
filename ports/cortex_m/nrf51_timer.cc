// Timer 0 of Nordic's nRF51, whose core has no SysTick. "nRF51 Series Reference Manual",
// version 3.0,
// 18. The board's vectors lead interrupt 8 to count_tick_wrap().
#include "ports/cortex_m/runtime.h"
#include "ports/cortex_m/ticks.h"

namespace whittle::ports {
namespace {

constexpr std::uintptr_t kTimer = 0x40008000;
// Tasks, events, registers. Channel 0 is read with; channel 1 tells of a wrap.
constexpr std::uintptr_t kStart = kTimer + 0x000;
constexpr std::uintptr_t kClear = kTimer + 0x00C;
constexpr std::uintptr_t kCapture0 = kTimer + 0x040;
constexpr std::uintptr_t kCompared1 = kTimer + 0x144;
constexpr std::uintptr_t kInterruptSet = kTimer + 0x304;
constexpr std::uintptr_t kBitMode = kTimer + 0x508;
constexpr std::uintptr_t kPrescaler = kTimer + 0x510;
constexpr std::uintptr_t kChannel0 = kTimer + 0x540;
constexpr std::uintptr_t kChannel1 = kTimer + 0x544;
constexpr std::uint32_t k24Bits = 2;
constexpr std::uint32_t kCompare1Interrupt = 1U << 17;
constexpr unsigned kInterrupt = 8;

volatile std::uint32_t wraps;

std::uint32_t count() {
  reg(kCapture0) = 1;
  return reg(kChannel0);
}

}  // namespace

void start_ticks() {
  wraps = 0;
  reg(kBitMode) = k24Bits;
  reg(kPrescaler) = 0;  // 16 MHz
  reg(kChannel1) = 0;
  reg(kClear) = 1;
  reg(kCompared1) = 0;
  reg(kInterruptSet) = kCompare1Interrupt;
  enable_interrupt(kInterrupt);
  reg(kStart) = 1;
}

void count_tick_wrap() {
  reg(kCompared1) = 0;
  wraps = wraps + 1;
}

std::uint64_t read_ticks() {
  InterruptLock lock;
  std::uint32_t value = count();
  std::uint64_t periods = wraps;
  if (reg(kCompared1) != 0) {
    // It wrapped, before or after the read above: read it again, now surely after.
    value = count();
    ++periods;
  }
  return (periods << 24) + value;
}

}  // namespace whittle::ports
