// The UART of Nordic's nRF51. "nRF51 Series Reference Manual", version 3.0, 29.
#ifndef WHITTLE_PORTS_CORTEX_M_NRF51_UART_H_
#define WHITTLE_PORTS_CORTEX_M_NRF51_UART_H_

#include <cstdint>

namespace whittle::ports {

class Nrf51Uart {
 public:
  explicit constexpr Nrf51Uart(std::uintptr_t base) : base_(base) {}

  // Transmitter, receiver and receive interrupt on, at 115,200 baud, over these pins of port 0.
  void start(std::uint32_t transmit_pin, std::uint32_t receive_pin) const;

  // Sends, then waits until the byte has left.
  void send(std::uint8_t byte) const;

  // For the interrupt: hands the bytes received to `sink`. False if one was lost.
  bool handle_receive(void (*sink)(std::uint8_t)) const;

 private:
  std::uintptr_t base_;
};

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_NRF51_UART_H_
