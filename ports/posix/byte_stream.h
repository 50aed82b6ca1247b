// ByteStream: a line to a node, as its host sees it: bytes out, bytes in, with time-outs.
//
// A line that breaks (unplugged, stuck) is reported by LineError; by LineClosed if the other side
// closed it.
#ifndef WHITTLE_PORTS_POSIX_BYTE_STREAM_H_
#define WHITTLE_PORTS_POSIX_BYTE_STREAM_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "whittle/base/span.h"

namespace whittle::posix {

class LineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class LineClosed : public LineError {
 public:
  using LineError::LineError;
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Bytes that have come, at most out.size(); waits up to `timeout` for the first, returns 0 when
  // none came. Throws LineError.
  virtual std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds timeout) = 0;

  // Sends all bytes. While it waits for room it takes in what comes, so that two sides that both
  // write cannot block each other. Throws LineError, also when the other side stops reading.
  virtual void write(Span<const std::uint8_t> bytes) = 0;

  // How often the line has been opened anew since it was made: what was on its way then is lost.
  virtual std::uint64_t reopened() const { return 0; }

  // Where it leads: "tcp:localhost:4000".
  virtual std::string name() const = 0;
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_BYTE_STREAM_H_
