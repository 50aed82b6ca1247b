// ReopeningStream: a line that is opened again when it breaks: a node that restarts closes its
// connection, a serial adapter is unplugged and comes back. It pauses between its tries, longer and
// longer: reopening_pace.h.
//
// While the line is down, what is written is lost and nothing comes in, as on a cut wire: who uses
// it must send again what was not answered (NodeClient does).
#ifndef WHITTLE_PORTS_POSIX_REOPENING_STREAM_H_
#define WHITTLE_PORTS_POSIX_REOPENING_STREAM_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "ports/posix/byte_stream.h"
#include "ports/posix/reopening_pace.h"

namespace whittle::posix {

class ReopeningStream : public ByteStream {
 public:
  // Opens the line; throws LineError when it cannot.
  using Open = std::function<std::unique_ptr<ByteStream>()>;

  // Opens it for the first time, too, as soon as that is possible. When it has been down for
  // `patience`, the constructor and read() throw the last LineError.
  ReopeningStream(Open open, std::chrono::milliseconds patience);

  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds timeout) override;
  void write(Span<const std::uint8_t> bytes) override;
  std::uint64_t reopened() const override { return reopened_; }
  std::string name() const override { return name_; }

 private:
  using Clock = ReopeningPace::Clock;

  bool open_again();
  void take_down();

  Open open_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<ByteStream> line_;  // none while it is down
  std::string name_;
  std::uint64_t reopened_ = 0;
  ReopeningPace pace_;
  Clock::time_point down_since_;
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_REOPENING_STREAM_H_
