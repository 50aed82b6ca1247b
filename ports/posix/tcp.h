// TCP: a client's connection and a listener.
#ifndef WHITTLE_PORTS_POSIX_TCP_H_
#define WHITTLE_PORTS_POSIX_TCP_H_

#include <cstdint>
#include <memory>
#include <string>

#include "ports/posix/fd_stream.h"
#include "ports/posix/unique_fd.h"

namespace whittle::posix {

// Throws LineError: no such host, refused, ...
std::unique_ptr<FdStream> connect_tcp(const std::string& host, const std::string& port);

class TcpListener {
 public:
  // On this machine's loopback address only; port 0 takes a free one. Throws LineError.
  explicit TcpListener(std::uint16_t port);

  std::uint16_t port() const { return port_; }
  int fd() const { return fd_.get(); }
  // The connection that fd() is readable for; not valid if it has gone again.
  UniqueFd accept();

 private:
  UniqueFd fd_;
  std::uint16_t port_ = 0;
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_TCP_H_
