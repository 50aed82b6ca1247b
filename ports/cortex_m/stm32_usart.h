// The USART of ST's STM32F2 and STM32F4. "STM32F405/415, ... reference manual", ST RM0090, 30.
#ifndef WHITTLE_PORTS_CORTEX_M_STM32_USART_H_
#define WHITTLE_PORTS_CORTEX_M_STM32_USART_H_

#include <cstdint>

namespace whittle::ports {

class Stm32Usart {
 public:
  explicit constexpr Stm32Usart(std::uintptr_t base) : base_(base) {}

  // Transmitter, receiver and receive interrupt on; 8 bits, no parity. The USART's clock and pins
  // are on already.
  void start(std::uint32_t clock_hz, std::uint32_t baud) const;

  // Waits for room, then sends.
  void send(std::uint8_t byte) const;

  // For the interrupt: hands the byte received to `sink`. False if one was lost.
  bool handle_receive(void (*sink)(std::uint8_t)) const;

 private:
  std::uintptr_t base_;
};

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_STM32_USART_H_
