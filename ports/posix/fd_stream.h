// FdStream: a ByteStream over a file descriptor that poll() can wait for.
#ifndef WHITTLE_PORTS_POSIX_FD_STREAM_H_
#define WHITTLE_PORTS_POSIX_FD_STREAM_H_

#include <chrono>
#include <string>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "ports/posix/unique_fd.h"

namespace whittle::posix {

class FdStream : public ByteStream {
 public:
  // How long a write waits for the other side to read.
  static constexpr std::chrono::seconds kWritePatience{30};

  // Makes the descriptor non-blocking.
  FdStream(UniqueFd fd, std::string name);

  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds timeout) override;
  void write(Span<const std::uint8_t> bytes) override;
  std::string name() const override { return name_; }

 private:
  std::size_t write_some(Span<const std::uint8_t> bytes);
  std::size_t read_some(Span<std::uint8_t> out);
  void wait_for_room();
  [[noreturn]] void fail_closed() const;
  [[noreturn]] void fail(const std::string& what) const;

  UniqueFd fd_;
  std::string name_;
  std::vector<std::uint8_t> inbox_;  // came in while a write waited
};

// poll() on one descriptor, through interruptions by signals: the events that came, 0 at the
// time-out.
short wait_for(int fd, short events, std::chrono::milliseconds timeout);

// "tcp:localhost:4000: cannot connect: Connection refused", from errno.
[[noreturn]] void throw_errno(const std::string& what);

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_FD_STREAM_H_
