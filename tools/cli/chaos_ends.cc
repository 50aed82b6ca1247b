#include "tools/cli/chaos_ends.h"

#include <fcntl.h>
#include <poll.h>

#include <chrono>
#include <utility>

#include "tools/cli/address.h"

namespace whittle::cli {
namespace {

using std::chrono::milliseconds;
using Bytes = std::vector<std::uint8_t>;

constexpr unsigned kContested = 3;  // so often in a row, it is no accident

Bytes read_from(posix::ByteStream& line) {
  Bytes bytes(4096);
  bytes.resize(line.read(Span<std::uint8_t>(bytes.data(), bytes.size()), milliseconds(0)));
  return bytes;
}

void write_to(posix::ByteStream& line, const Bytes& bytes) {
  line.write(Span<const std::uint8_t>(bytes.data(), bytes.size()));
}

short events_of(int fd) {
  pollfd entry{fd, POLLIN, 0};
  return ::poll(&entry, 1, 0) > 0 ? entry.revents : short{0};
}

}  // namespace

SenderEnd::SenderEnd(const ListenAddress& address, const Console& console) {
  if (address.pty) {
    // The device is not kept open here: so it is seen when the sender closes it.
    posix::Pty pty = posix::open_pty();
    pty_ = std::move(pty.fd);
    tell_address("pty:" + pty.device, console);
  } else {
    listener_ = std::make_unique<posix::TcpListener>(address.port);
    tell_address("tcp:127.0.0.1:" + std::to_string(listener_->port()), console);
  }
}

Bytes SenderEnd::read() {
  let_in();
  if (!line_) return {};
  try {
    return read_from(*line_);
  } catch (const posix::LineError&) {
    line_.reset();  // it has gone
    return {};
  }
}

void SenderEnd::write(const Bytes& bytes) {
  if (!line_) return;
  try {
    write_to(*line_, bytes);
  } catch (const posix::LineError&) {
    line_.reset();
  }
}

void SenderEnd::let_in() {
  posix::UniqueFd newest;
  if (listener_) {
    if (events_of(listener_->fd()) != 0) newest = listener_->accept();
  } else if (!line_ && (events_of(pty_.get()) & POLLHUP) == 0) {
    newest = posix::UniqueFd(::fcntl(pty_.get(), F_DUPFD_CLOEXEC, 0));
  }
  if (newest.valid()) line_ = std::make_unique<posix::FdStream>(std::move(newest), "sender");
}

NodeEnd::NodeEnd(std::string address, std::string firmware, const Console& console)
    : address_(std::move(address)),
      firmware_(std::move(firmware)),
      console_(console),
      stays_(!outlives_line(address_)) {
  if (stays_) {
    open_now();
  } else {
    note(console_, "opens " + address_ + " when a sender comes, and closes it when it goes");
  }
}

void NodeEnd::open() {
  if (line_ || posix::ReopeningPace::Clock::now() < pace_.next_try()) return;
  try {
    open_now();
  } catch (const posix::LineError& error) {
    pace_.cannot_open(posix::ReopeningPace::Clock::now());
    note_once(std::string(error.what()) + "; it is tried again while a sender is there");
  }
}

void NodeEnd::open_now() {
  line_ = open_address(address_, firmware_, console_.err);
  pace_.opened(posix::ReopeningPace::Clock::now());
}

void NodeEnd::release() {
  if (!stays_) line_.reset();
  noted_ = false;
}

Bytes NodeEnd::read() {
  if (!line_) return {};
  try {
    return read_from(*line_);
  } catch (const posix::LineError&) {
    broke();
    return {};
  }
}

void NodeEnd::write(const Bytes& bytes) {
  if (!line_) return;
  try {
    write_to(*line_, bytes);
  } catch (const posix::LineError&) {
    broke();
  }
}

void NodeEnd::broke() {
  line_.reset();
  pace_.broke(posix::ReopeningPace::Clock::now());
  if (pace_.broke_soon() < kContested) return;
  note_once(address_ +
            ": closes soon after it is opened, each time; probably another client takes " +
            "the node, which serves whoever connected last");
}

void NodeEnd::note_once(const std::string& text) {
  if (!std::exchange(noted_, true)) note(console_, text);
}

}  // namespace whittle::cli
