#include "tools/cli/chaos_command.h"

#include <poll.h>

#include <atomic>
#include <memory>
#include <ostream>
#include <thread>
#include <utility>

#include "ports/posix/reopening_stream.h"
#include "ports/posix/serial.h"
#include "ports/posix/tcp.h"
#include "tools/cli/address.h"
#include "tools/cli/error.h"
#include "tools/cli/listen.h"
#include "tools/cli/signals.h"

namespace whittle::cli {
namespace {

using std::chrono::milliseconds;
using Bytes = std::vector<std::uint8_t>;

constexpr milliseconds kPatience{60000};  // for a node that has gone

// Where senders come in: one at a time, the newest.
class Entrance {
 public:
  Entrance(const ListenAddress& address, const Console& console) {
    if (address.pty) {
      auto line = std::make_unique<posix::PtyStream>();
      console.out << "pty:" << line->name() << '\n' << std::flush;
      line_ = std::move(line);
    } else {
      listener_ = std::make_unique<posix::TcpListener>(address.port);
      console.out << "tcp:127.0.0.1:" << listener_->port() << '\n' << std::flush;
    }
  }

  Bytes read() {
    accept();
    Bytes bytes(4096);
    bytes.resize(line_ ? attempt([&] {
      return line_->read(Span<std::uint8_t>(bytes.data(), bytes.size()), milliseconds(0));
    })
                       : 0);
    return bytes;
  }
  // Lost, if nobody is there.
  void write(const Bytes& bytes) {
    if (!line_) return;
    attempt([&] {
      line_->write(Span<const std::uint8_t>(bytes.data(), bytes.size()));
      return bytes.size();
    });
  }

 private:
  void accept() {
    if (!listener_) return;
    pollfd entry{listener_->fd(), POLLIN, 0};
    if (::poll(&entry, 1, 0) <= 0) return;
    posix::UniqueFd connection = listener_->accept();
    if (connection.valid()) {
      line_ = std::make_unique<posix::FdStream>(std::move(connection), "sender");
    }
  }
  template <typename Transfer>
  std::size_t attempt(Transfer transfer) {
    try {
      return transfer();
    } catch (const posix::LineError&) {
      line_.reset();  // it has gone
      return 0;
    }
  }

  std::unique_ptr<posix::TcpListener> listener_;  // none: a pseudo-terminal
  std::unique_ptr<posix::ByteStream> line_;
};

// One way of the line.
class Way {
 public:
  Way(const ChaosOptions& options, std::uint64_t seed)
      : faults_(options.rates, seed), pace_(options.pace, seed) {}

  void send(const Bytes& bytes) {
    pace_.send(faults_.pass(Span<const std::uint8_t>(bytes.data(), bytes.size())),
               LinePace::Clock::now());
  }
  template <typename Write>
  bool deliver(Write write) {
    bool any = false;
    for (;;) {
      const Bytes bytes = pace_.arrived(LinePace::Clock::now());
      if (bytes.empty()) return any;
      write(bytes);
      any = true;
    }
  }
  void report(const char* which, std::ostream& out) const {
    const FaultCounts& counts = faults_.counts();
    out << which << ": " << counts.bytes << " bytes; flipped " << counts.flipped << ", inserted "
        << counts.inserted << ", deleted " << counts.removed << "; frames dropped "
        << counts.dropped << ", duplicated " << counts.duplicated << '\n';
  }

 private:
  LineFaults faults_;
  LinePace pace_;
};

}  // namespace

void chaos_command(const ChaosOptions& options, const Console& console) {
  const ListenAddress listen = parse_listen(options.listen);
  const SignalGuard guard;
  posix::ReopeningStream node(
      [&] { return open_address(options.address, options.firmware, console.err); }, kPatience);
  Entrance sender(listen, console);
  Way there(options, 2 * options.seed);
  Way back(options, 2 * options.seed + 1);
  std::uint8_t bytes[4096];
  while (!guard.stopped()) {
    const Bytes sent = sender.read();
    const std::size_t answered = node.read(Span<std::uint8_t>(bytes), milliseconds(0));
    there.send(sent);
    back.send(Bytes(bytes, bytes + answered));
    bool moved = there.deliver([&](const Bytes& piece) {
      node.write(Span<const std::uint8_t>(piece.data(), piece.size()));
    });
    moved = back.deliver([&](const Bytes& piece) { sender.write(piece); }) || moved;
    if (!moved && sent.empty() && answered == 0) std::this_thread::sleep_for(milliseconds(1));
  }
  there.report("to the node", console.err);
  back.report("from the node", console.err);
}

}  // namespace whittle::cli
