// The node's Port on a Cortex-M board: its serial line, received by interrupt, and SysTick.
#ifndef WHITTLE_PORTS_CORTEX_M_BOARD_PORT_H_
#define WHITTLE_PORTS_CORTEX_M_BOARD_PORT_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"
#include "whittle/node/port.h"

namespace whittle::ports {

class BoardPort final : public Port {
 public:
  std::size_t read(Span<std::uint8_t> out) override;
  void write(Span<const std::uint8_t> bytes) override;
  std::size_t receive_capacity() const override;
  std::uint64_t ticks() override;            // core clocks since reset
  std::uint32_t tick_rate() const override;  // the core clock
  std::size_t stack_high_water() const override;
  std::uint64_t overruns() const override;  // lost_bytes(), and once per loss in the hardware
  const char* board() const override;

  // Sleeps until an interrupt, unless received bytes are waiting to be read.
  void wait_for_event();

  // Bytes that came while the receive buffer was full, modulo 2^32.
  std::uint32_t lost_bytes() const;
};

// The board has one line, so there is one of these.
BoardPort& board_port();

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_BOARD_PORT_H_
