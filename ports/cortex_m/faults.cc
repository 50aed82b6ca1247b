// How a program ends: exit, abort and faults.
#include "ports/cortex_m/faults.h"

#include "ports/cortex_m/runtime.h"
#include "ports/cortex_m/semihosting.h"

namespace whittle::ports {

void stop(int code) {
#ifdef WHITTLE_SEMIHOSTING
  semihosting_exit(code);
#else
  static_cast<void>(code);
  constexpr std::uintptr_t kResetControl = 0xE000ED0C;  // AIRCR
  reg(kResetControl) = 0x05FA0004;                      // key, system reset request
#endif
  for (;;) {
  }
}

namespace {

extern "C" [[noreturn, gnu::used]] void report_fault(int exception) {
#ifdef WHITTLE_SEMIHOSTING
  semihosting_write("fault: the program was stopped by a processor exception\n");
#endif
  stop(kExitFault + exception);
}

}  // namespace
}  // namespace whittle::ports

extern "C" {

[[gnu::naked]] void fault_handler() {
  asm volatile(
      "ldr r0, =__stack_top\n\t"
      "mov sp, r0\n\t"
      "mrs r0, ipsr\n\t"
      "bl report_fault\n\t"
      ".ltorg");
}

// What the C and C++ libraries call; theirs would bring in signals, files and the heap.
[[noreturn]] void abort() { whittle::ports::stop(whittle::ports::kExitAbort); }
[[noreturn]] void _exit(int code) { whittle::ports::stop(code); }
[[noreturn]] void __cxa_pure_virtual() { whittle::ports::stop(whittle::ports::kExitAbort); }
}
