// UniqueFd: owns a file descriptor.
#ifndef WHITTLE_PORTS_POSIX_UNIQUE_FD_H_
#define WHITTLE_PORTS_POSIX_UNIQUE_FD_H_

#include <unistd.h>

#include <utility>

namespace whittle::posix {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_UNIQUE_FD_H_
