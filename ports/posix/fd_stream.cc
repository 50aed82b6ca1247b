#include "ports/posix/fd_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace whittle::posix {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::milliseconds left_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

bool would_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

void throw_errno(const std::string& what) { throw LineError(what + ": " + std::strerror(errno)); }

short wait_for(int fd, short events, std::chrono::milliseconds timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  pollfd entry{fd, events, 0};
  for (;;) {
    const int ready = ::poll(&entry, 1, static_cast<int>(left_until(deadline).count()));
    if (ready > 0) return entry.revents;
    if (ready == 0) return 0;
    if (errno != EINTR) throw_errno("poll");
  }
}

FdStream::FdStream(UniqueFd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {
  const int flags = ::fcntl(fd_.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd_.get(), F_SETFL, flags | O_NONBLOCK) < 0) throw_errno(name_);
}

std::size_t FdStream::read(Span<std::uint8_t> out, std::chrono::milliseconds timeout) {
  if (!inbox_.empty()) {
    const std::size_t count = std::min(out.size(), inbox_.size());
    std::copy_n(inbox_.begin(), count, out.begin());
    inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  const Clock::time_point deadline = Clock::now() + timeout;
  for (;;) {
    if (wait_for(fd_.get(), POLLIN, left_until(deadline)) == 0) return 0;
    if (const std::size_t count = read_some(out); count > 0) return count;
    if (Clock::now() >= deadline) return 0;
  }
}

// 0 when nothing is there after all.
std::size_t FdStream::read_some(Span<std::uint8_t> out) {
  const ssize_t count = ::read(fd_.get(), out.data(), out.size());
  if (count > 0) return static_cast<std::size_t>(count);
  // A pseudo-terminal whose other side is closed reads as an error.
  if (count == 0 || errno == EIO || errno == ECONNRESET) fail_closed();
  if (!would_wait(errno)) fail(std::string("cannot be read: ") + std::strerror(errno));
  return 0;
}

void FdStream::write(Span<const std::uint8_t> bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const std::size_t count = write_some(bytes.subspan(sent, bytes.size() - sent));
    sent += count;
    if (count == 0) wait_for_room();
  }
}

std::size_t FdStream::write_some(Span<const std::uint8_t> bytes) {
  // A broken socket must be an error here, not a signal that ends the process.
  ssize_t count = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (count < 0 && errno == ENOTSOCK) count = ::write(fd_.get(), bytes.data(), bytes.size());
  if (count >= 0) return static_cast<std::size_t>(count);
  if (errno == EPIPE || errno == EIO || errno == ECONNRESET) fail_closed();
  if (!would_wait(errno)) fail(std::string("cannot be written: ") + std::strerror(errno));
  return 0;
}

void FdStream::wait_for_room() {
  const short events = wait_for(fd_.get(), POLLIN | POLLOUT, kWritePatience);
  if (events == 0) fail("the other side does not read what it is sent");
  if ((events & POLLIN) == 0) return;
  std::uint8_t bytes[4096];
  const std::size_t count = read_some(Span<std::uint8_t>(bytes));
  inbox_.insert(inbox_.end(), bytes, bytes + count);
}

void FdStream::fail_closed() const { throw LineClosed(name_ + ": closed by the other side"); }

void FdStream::fail(const std::string& what) const { throw LineError(name_ + ": " + what); }

}  // namespace whittle::posix
