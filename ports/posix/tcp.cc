#include "ports/posix/tcp.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace whittle::posix {
namespace {

// Messages are small and each is wanted at once.
void send_without_delay(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

std::unique_ptr<FdStream> connect_tcp(const std::string& host, const std::string& port) {
  const std::string name = "tcp:" + host + ":" + port;
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0) {
    throw LineError(name + ": " + ::gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, ::freeaddrinfo);
  int error = 0;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    UniqueFd fd(
        ::socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol));
    if (fd.valid() && ::connect(fd.get(), address->ai_addr, address->ai_addrlen) == 0) {
      send_without_delay(fd.get());
      return std::make_unique<FdStream>(std::move(fd), name);
    }
    error = errno;
  }
  throw LineError(name + ": cannot connect: " + std::strerror(error));
}

TcpListener::TcpListener(std::uint16_t port) {
  const std::string name = "tcp:" + std::to_string(port);
  fd_ = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd_.valid()) throw_errno(name);
  const int on = 1;
  ::setsockopt(fd_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(fd_.get(), any, size) != 0 || ::listen(fd_.get(), 1) != 0 ||
      ::getsockname(fd_.get(), any, &size) != 0) {
    throw_errno(name + ": cannot listen");
  }
  port_ = ntohs(address.sin_port);
}

UniqueFd TcpListener::accept() {
  UniqueFd fd(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (fd.valid()) send_without_delay(fd.get());
  return fd;
}

}  // namespace whittle::posix
