// The vectors of a chip's own interrupts, which follow the core's sixteen:
//
//   extern "C" [[gnu::section(".vectors.board"), gnu::used]] constexpr auto board_vectors =
//       BoardVectors<kLastInterrupt>().with(kLineInterrupt, receive_interrupt);
#ifndef WHITTLE_PORTS_CORTEX_M_BOARD_VECTORS_H_
#define WHITTLE_PORTS_CORTEX_M_BOARD_VECTORS_H_

#include "ports/cortex_m/faults.h"
#include "ports/cortex_m/runtime.h"

namespace whittle::ports {

// Interrupts 0..kLast of the chip. One without a handler of its own is a fault.
template <unsigned kLast>
struct BoardVectors {
  Handler handlers[kLast + 1];

  constexpr BoardVectors() : handlers() {
    for (Handler& handler : handlers) handler = fault_handler;
  }
  constexpr BoardVectors with(unsigned number, Handler handler) const {
    BoardVectors changed = *this;
    changed.handlers[number] = handler;
    return changed;
  }
};

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_BOARD_VECTORS_H_
