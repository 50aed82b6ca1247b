// The program's frame on a Cortex-M: vectors, start, end, and switching interrupts.
#ifndef WHITTLE_PORTS_CORTEX_M_RUNTIME_H_
#define WHITTLE_PORTS_CORTEX_M_RUNTIME_H_

#include <cstddef>
#include <cstdint>

#include "ports/cortex_m/registers.h"
#include "whittle/base/span.h"

namespace whittle::ports {

using Handler = void (*)();

// Ends the program. With semihosting (WHITTLE_SEMIHOSTING, for emulators and debug probes) `code`
// becomes the exit code that the host sees; without, the chip resets.
[[noreturn]] void stop(int code);

// Exit codes of stop() that are not main's.
inline constexpr int kExitAbort = 134;
inline constexpr int kExitFault = 128;  // plus the exception's number: 131 for a hard fault

// The largest number of bytes of the stack used since reset, from the pattern that start-up painted
// it with; the stack's whole size means that it may have overflowed.
std::size_t stack_high_water();

// The RAM that no object of the program takes, from the last object to the end; a test image has
// its heap there. Aligned to 8 bytes.
Span<unsigned char> free_memory();

// Lets interrupt `number` of the chip (not of the core) reach its handler.
inline void enable_interrupt(unsigned number) {
  constexpr std::uintptr_t kSetEnable = 0xE000E100;  // NVIC_ISER
  reg(kSetEnable + 4 * (number / 32)) = 1U << (number % 32);
}

// Keeps interrupts away while it lives; they are taken afterwards.
class InterruptLock {
 public:
  InterruptLock() { asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask_)::"memory"); }
  ~InterruptLock() { asm volatile("msr primask, %0" ::"r"(primask_) : "memory"); }
  InterruptLock(const InterruptLock&) = delete;
  InterruptLock& operator=(const InterruptLock&) = delete;

 private:
  std::uint32_t primask_;
};

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_RUNTIME_H_
