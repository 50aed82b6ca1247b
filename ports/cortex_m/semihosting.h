// Arm semihosting: requests that a debugger or emulator serves. "Semihosting for AArch32 and
// AArch64", Arm 2023.
#ifndef WHITTLE_PORTS_CORTEX_M_SEMIHOSTING_H_
#define WHITTLE_PORTS_CORTEX_M_SEMIHOSTING_H_

#include <cstdint>

namespace whittle::ports {

inline std::uintptr_t semihosting_call(std::uintptr_t operation, const void* argument) {
  register std::uintptr_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

// Writes to the host's console.
inline void semihosting_write(const char* text) { semihosting_call(0x04, text); }

// Ends the emulation with this exit code.
inline void semihosting_exit(int code) {
  constexpr std::uintptr_t kApplicationExit = 0x20026;
  const std::uintptr_t block[2] = {kApplicationExit, static_cast<std::uintptr_t>(code)};
  semihosting_call(0x20, block);  // SYS_EXIT_EXTENDED
}

// The program's command line, at most size - 1 characters; false when the host has none.
inline bool semihosting_command_line(char* text, std::uintptr_t size) {
  const std::uintptr_t block[2] = {reinterpret_cast<std::uintptr_t>(text), size};
  return semihosting_call(0x15, block) == 0;  // SYS_GET_CMDLINE
}

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_SEMIHOSTING_H_
