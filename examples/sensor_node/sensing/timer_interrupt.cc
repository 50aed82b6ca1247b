#include "timer_interrupt.h"

#include "ports/cortex_m/registers.h"

namespace {

constexpr std::uintptr_t kVectorTable = 0xE000ED08;  // VTOR
constexpr unsigned kCoreVectors = 16;
constexpr unsigned kVectors = 64;

// Aligned to its size, as VTOR wants it.
alignas(kVectors * sizeof(std::uint32_t)) std::uint32_t vectors[kVectors];

}  // namespace

void set_interrupt_handler(unsigned number, whittle::ports::Handler handler) {
  using whittle::ports::reg;
  // Past the end of the port's table are other words of the image: vectors of interrupts that are
  // never enabled.
  const std::uintptr_t old = reg(kVectorTable);
  for (unsigned i = 0; i < kVectors; ++i) vectors[i] = reg(old + i * sizeof(std::uint32_t));
  vectors[kCoreVectors + number] = reinterpret_cast<std::uintptr_t>(handler);
  asm volatile("dsb" ::: "memory");
  reg(kVectorTable) = reinterpret_cast<std::uintptr_t>(vectors);
  asm volatile("dsb\n\tisb" ::: "memory");
  whittle::ports::enable_interrupt(number);
}
