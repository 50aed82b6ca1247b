#include "ports/cortex_m/stm32_usart.h"

#include "ports/cortex_m/registers.h"

namespace whittle::ports {
namespace {

// Offsets and bits.
constexpr std::uintptr_t kStatus = 0x00;
constexpr std::uintptr_t kData = 0x04;
constexpr std::uintptr_t kBaudRate = 0x08;
constexpr std::uintptr_t kControl1 = 0x0C;
constexpr std::uint32_t kOverrun = 1U << 3;
constexpr std::uint32_t kReceiveFull = 1U << 5;
constexpr std::uint32_t kTransmitEmpty = 1U << 7;
constexpr std::uint32_t kOnWithReceiveInterrupt =
    (1U << 13) | (1U << 5) | (1U << 3) | (1U << 2);  // UE, RXNEIE, TE, RE

}  // namespace

void Stm32Usart::start(std::uint32_t clock_hz, std::uint32_t baud) const {
  reg(base_ + kBaudRate) = (clock_hz + baud / 2) / baud;
  reg(base_ + kControl1) = kOnWithReceiveInterrupt;
}

void Stm32Usart::send(std::uint8_t byte) const {
  while ((reg(base_ + kStatus) & kTransmitEmpty) == 0) {
  }
  reg(base_ + kData) = byte;
}

bool Stm32Usart::handle_receive(void (*sink)(std::uint8_t)) const {
  bool all = true;
  for (;;) {
    const std::uint32_t status = reg(base_ + kStatus);
    if ((status & (kReceiveFull | kOverrun)) == 0) return all;
    if ((status & kOverrun) != 0) all = false;
    // Reading the data after the status clears both; after an overrun alone it is an old byte.
    const auto byte = static_cast<std::uint8_t>(reg(base_ + kData));
    if ((status & kReceiveFull) != 0) sink(byte);
  }
}

}  // namespace whittle::ports
