// PosixPort: whittle::Port over a file descriptor, for a node that runs as a host process.
#ifndef WHITTLE_PORTS_POSIX_POSIX_PORT_H_
#define WHITTLE_PORTS_POSIX_POSIX_PORT_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "ports/posix/unique_fd.h"
#include "whittle/node/port.h"

namespace whittle::posix {

class PosixPort final : public Port {
 public:
  // A write that waits gives up once `stopped` is set, by a signal for instance.
  explicit PosixPort(const std::atomic<bool>& stopped) : stopped_(stopped) {}

  // A write that waits for room gives the line up when this descriptor becomes readable: that of a
  // listener on which a newer client waits.
  void give_way_to(int listener) { listener_ = listener; }

  // The line in use; what is written without one, or after it closed, is lost like on a cut wire.
  void attach(UniqueFd fd);
  // Whether the other side is still there.
  bool attached() const { return fd_.valid(); }
  int fd() const { return fd_.get(); }  // -1 without a line
  // Waits for bytes; true if there are some, or the line has closed.
  bool wait(std::chrono::milliseconds timeout) const;

  std::size_t read(Span<std::uint8_t> out) override;
  void write(Span<const std::uint8_t> bytes) override;
  std::size_t receive_capacity() const override { return 65536; }  // the kernel's buffer
  std::uint64_t ticks() override;                                  // nanoseconds
  std::uint32_t tick_rate() const override { return 1000000000; }
  const char* board() const override { return "posix"; }

 private:
  const std::atomic<bool>& stopped_;
  UniqueFd fd_;
  int listener_ = -1;
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_POSIX_PORT_H_
