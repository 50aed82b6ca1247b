// Serial devices and pseudo-terminals.
#ifndef WHITTLE_PORTS_POSIX_SERIAL_H_
#define WHITTLE_PORTS_POSIX_SERIAL_H_

#include <memory>
#include <string>
#include <utility>

#include "ports/posix/fd_stream.h"
#include "ports/posix/unique_fd.h"

namespace whittle::posix {

// Why a serial device cannot be opened with so many baud, listing the speeds there are; empty if it
// can.
std::string refusal_of_speed(unsigned baud);

// Opens a serial device (or the device of a pseudo-terminal) as a raw line of 8 bits, no parity,
// one stop bit, no flow control; `baud` 0 leaves the speed as it is. What has come in before is
// thrown away. Throws LineError, also if another program has the device open and locked (flock), as
// this does.
std::unique_ptr<FdStream> open_serial(const std::string& device, unsigned baud);

// A new pseudo-terminal: this side's descriptor and the device the other side opens. The device's
// own descriptor is kept, so the line outlives every program that opens and closes it.
struct Pty {
  UniqueFd fd;
  UniqueFd device_fd;
  std::string device;
};
Pty open_pty();

// This side of a new pseudo-terminal as a line; name() is the device the other side opens.
class PtyStream : public FdStream {
 public:
  PtyStream() : PtyStream(open_pty()) {}

 private:
  explicit PtyStream(Pty pty)
      : FdStream(std::move(pty.fd), pty.device), device_fd_(std::move(pty.device_fd)) {}

  UniqueFd device_fd_;
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_SERIAL_H_
