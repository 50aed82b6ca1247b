// Access to memory-mapped registers.
#ifndef WHITTLE_PORTS_CORTEX_M_REGISTERS_H_
#define WHITTLE_PORTS_CORTEX_M_REGISTERS_H_

#include <cstdint>

namespace whittle::ports {

inline volatile std::uint32_t& reg(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_REGISTERS_H_
