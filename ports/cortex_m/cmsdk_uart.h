// The APB UART of Arm's Cortex-M System Design Kit, as on the MPS2 boards.
// "Cortex-M System Design Kit Technical Reference Manual", Arm DDI 0479, 4.3.
#ifndef WHITTLE_PORTS_CORTEX_M_CMSDK_UART_H_
#define WHITTLE_PORTS_CORTEX_M_CMSDK_UART_H_

#include <cstdint>

namespace whittle::ports {

class CmsdkUart {
 public:
  explicit constexpr CmsdkUart(std::uintptr_t base) : base_(base) {}

  // Transmitter, receiver and receive interrupt on.
  void start(std::uint32_t clock_hz, std::uint32_t baud) const;

  // Waits for room, then sends.
  void send(std::uint8_t byte) const;

  // For the receive interrupt: hands the byte received to `sink`. False if one was lost before it.
  bool handle_receive(void (*sink)(std::uint8_t)) const;

 private:
  std::uintptr_t base_;
};

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_CMSDK_UART_H_
