#include "ports/cortex_m/ticks.h"

#include "ports/cortex_m/runtime.h"

namespace whittle::ports {
namespace {

constexpr std::uintptr_t kControl = 0xE000E010;
constexpr std::uintptr_t kReload = 0xE000E014;
constexpr std::uintptr_t kValue = 0xE000E018;
constexpr std::uintptr_t kInterruptState = 0xE000ED04;  // ICSR
constexpr std::uint32_t kSysTickPending = 1U << 26;
constexpr std::uint32_t kMask = 0xFFFFFF;  // the hardware counts 24 bits, downwards
constexpr std::uint32_t kEnable = 7;       // core clock, exception at 0, on

volatile std::uint32_t wraps;

}  // namespace

void start_ticks() {
  wraps = 0;
  reg(kReload) = kMask;
  reg(kValue) = 0;
  reg(kControl) = kEnable;
}

void count_tick_wrap() { wraps = wraps + 1; }

std::uint64_t read_ticks() {
  InterruptLock lock;
  std::uint32_t value = reg(kValue);
  std::uint64_t periods = wraps;
  if ((reg(kInterruptState) & kSysTickPending) != 0) {
    // It reached 0, before or after the read above: read it again, now surely after.
    value = reg(kValue);
    ++periods;
  }
  // A period begins at value 0, where the exception is raised.
  return (periods << 24) + ((0U - value) & kMask);
}

}  // namespace whittle::ports
