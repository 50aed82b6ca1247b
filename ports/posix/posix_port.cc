#include "ports/posix/posix_port.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace whittle::posix {

void PosixPort::attach(UniqueFd fd) {
  fd_ = std::move(fd);
  const int flags = ::fcntl(fd_.get(), F_GETFL);
  ::fcntl(fd_.get(), F_SETFL, flags | O_NONBLOCK);
}

bool PosixPort::wait(std::chrono::milliseconds timeout) const {
  pollfd entry{fd_.get(), POLLIN, 0};
  return ::poll(&entry, 1, static_cast<int>(timeout.count())) > 0;
}

std::size_t PosixPort::read(Span<std::uint8_t> out) {
  if (!fd_.valid() || out.empty()) return 0;
  const ssize_t count = ::read(fd_.get(), out.data(), out.size());
  if (count > 0) return static_cast<std::size_t>(count);
  if (count == 0 || (errno != EAGAIN && errno != EINTR)) fd_.reset();
  return 0;
}

void PosixPort::write(Span<const std::uint8_t> bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size() && fd_.valid() && !stopped_) {
    const std::uint8_t* const rest = bytes.data() + sent;
    ssize_t count = ::send(fd_.get(), rest, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == ENOTSOCK) count = ::write(fd_.get(), rest, bytes.size() - sent);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      pollfd entries[] = {{fd_.get(), POLLOUT, 0}, {listener_, POLLIN, 0}};
      ::poll(entries, 2, 100);
      if (entries[0].revents == 0 && entries[1].revents != 0) fd_.reset();
    } else if (errno != EINTR) {
      fd_.reset();
    }
  }
}

std::uint64_t PosixPort::ticks() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace whittle::posix
