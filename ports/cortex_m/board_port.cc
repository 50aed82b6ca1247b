#include "ports/cortex_m/board_port.h"

#include "ports/cortex_m/board.h"
#include "ports/cortex_m/byte_ring.h"
#include "ports/cortex_m/runtime.h"
#include "ports/cortex_m/ticks.h"

namespace whittle::ports {
namespace {

ByteRing<WHITTLE_RECEIVE_BYTES> received;
volatile std::uint32_t hardware_losses;
BoardPort port;

}  // namespace

void line_received(std::uint8_t byte) { received.push(byte); }
void line_overrun() { hardware_losses = hardware_losses + 1; }

std::size_t BoardPort::read(Span<std::uint8_t> out) { return received.pop(out); }

void BoardPort::write(Span<const std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) send_byte(byte);
}

std::size_t BoardPort::receive_capacity() const { return WHITTLE_RECEIVE_BYTES; }
std::uint64_t BoardPort::ticks() { return read_ticks(); }
std::uint32_t BoardPort::tick_rate() const { return kBoard.clock_hz; }
const char* BoardPort::board() const { return kBoard.name; }
std::uint32_t BoardPort::lost_bytes() const { return received.lost(); }
std::uint64_t BoardPort::overruns() const {
  return std::uint64_t{received.lost()} + hardware_losses;
}

BoardPort& board_port() { return port; }

std::size_t BoardPort::stack_high_water() const { return ports::stack_high_water(); }

void BoardPort::wait_for_event() {
  // A byte that arrives after the test is still pending here, and a pending interrupt ends the
  // sleep even while it is kept away.
  InterruptLock lock;
  if (received.empty()) asm volatile("dsb\n\twfi" ::: "memory");
}

}  // namespace whittle::ports
