#include "ports/cortex_m/nrf51_uart.h"

#include "ports/cortex_m/registers.h"

namespace whittle::ports {
namespace {

// Offsets of tasks (1 starts one), events (1 once it has happened, cleared by 0) and registers.
constexpr std::uintptr_t kStartReceive = 0x000;
constexpr std::uintptr_t kStartTransmit = 0x008;
constexpr std::uintptr_t kReceived = 0x108;
constexpr std::uintptr_t kTransmitted = 0x11C;
constexpr std::uintptr_t kInterruptSet = 0x304;
constexpr std::uintptr_t kErrorSource = 0x480;
constexpr std::uintptr_t kEnable = 0x500;
constexpr std::uintptr_t kTransmitPin = 0x50C;
constexpr std::uintptr_t kReceivePin = 0x514;
constexpr std::uintptr_t kReceiveData = 0x518;
constexpr std::uintptr_t kTransmitData = 0x51C;
constexpr std::uintptr_t kBaudRate = 0x524;
constexpr std::uint32_t kReceiveInterrupt = 1U << 2;
constexpr std::uint32_t kOverrun = 1U << 0;
constexpr std::uint32_t kEnabled = 4;
constexpr std::uint32_t k115200Baud = 0x01D7E000;

}  // namespace

void Nrf51Uart::start(std::uint32_t transmit_pin, std::uint32_t receive_pin) const {
  reg(base_ + kTransmitPin) = transmit_pin;
  reg(base_ + kReceivePin) = receive_pin;
  reg(base_ + kBaudRate) = k115200Baud;
  reg(base_ + kEnable) = kEnabled;
  reg(base_ + kReceived) = 0;
  reg(base_ + kInterruptSet) = kReceiveInterrupt;
  reg(base_ + kStartReceive) = 1;
  reg(base_ + kStartTransmit) = 1;
}

void Nrf51Uart::send(std::uint8_t byte) const {
  reg(base_ + kTransmitted) = 0;
  reg(base_ + kTransmitData) = byte;
  while (reg(base_ + kTransmitted) == 0) {
  }
}

bool Nrf51Uart::handle_receive(void (*sink)(std::uint8_t)) const {
  while (reg(base_ + kReceived) != 0) {
    // Cleared before reading: the read moves the next byte up and raises it again.
    reg(base_ + kReceived) = 0;
    sink(static_cast<std::uint8_t>(reg(base_ + kReceiveData)));
  }
  const bool overrun = (reg(base_ + kErrorSource) & kOverrun) != 0;
  if (overrun) reg(base_ + kErrorSource) = kOverrun;  // writing it clears it
  return !overrun;
}

}  // namespace whittle::ports
