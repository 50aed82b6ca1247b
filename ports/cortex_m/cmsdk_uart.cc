#include "ports/cortex_m/cmsdk_uart.h"

#include "ports/cortex_m/registers.h"

namespace whittle::ports {
namespace {

// Offsets and bits.
constexpr std::uintptr_t kData = 0x00;
constexpr std::uintptr_t kState = 0x04;
constexpr std::uintptr_t kControl = 0x08;
constexpr std::uintptr_t kInterruptClear = 0x0C;
constexpr std::uintptr_t kBaudDivider = 0x10;
constexpr std::uint32_t kTransmitFull = 1U << 0;
constexpr std::uint32_t kReceiveFull = 1U << 1;
constexpr std::uint32_t kReceiveOverrun = 1U << 3;
constexpr std::uint32_t kTransmitReceiveAndInterrupt = 0xB;  // bits 0, 1, 3
constexpr std::uint32_t kReceiveInterrupt = 1U << 1;
constexpr std::uint32_t kSmallestDivider = 16;

}  // namespace

void CmsdkUart::start(std::uint32_t clock_hz, std::uint32_t baud) const {
  const std::uint32_t divider = clock_hz / baud;
  reg(base_ + kBaudDivider) = divider < kSmallestDivider ? kSmallestDivider : divider;
  reg(base_ + kControl) = kTransmitReceiveAndInterrupt;
}

void CmsdkUart::send(std::uint8_t byte) const {
  while ((reg(base_ + kState) & kTransmitFull) != 0) {
  }
  reg(base_ + kData) = byte;
}

bool CmsdkUart::handle_receive(void (*sink)(std::uint8_t)) const {
  // Cleared before reading, so that a byte that arrives meanwhile raises the interrupt again.
  reg(base_ + kInterruptClear) = kReceiveInterrupt;
  while ((reg(base_ + kState) & kReceiveFull) != 0) {
    sink(static_cast<std::uint8_t>(reg(base_ + kData)));
  }
  if ((reg(base_ + kState) & kReceiveOverrun) == 0) return true;
  reg(base_ + kState) = kReceiveOverrun;  // writing it clears it
  return false;
}

}  // namespace whittle::ports
