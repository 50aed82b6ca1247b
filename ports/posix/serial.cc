#include "ports/posix/serial.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <termios.h>

#include <cerrno>
#include <utility>

namespace whittle::posix {
namespace {

struct Speed {
  unsigned baud;
  speed_t code;
};

constexpr Speed kSpeeds[] = {{9600, B9600},       {19200, B19200},    {38400, B38400},
                             {57600, B57600},     {115200, B115200},  {230400, B230400},
#ifdef B460800
                             {460800, B460800},   {921600, B921600},  {1000000, B1000000},
                             {2000000, B2000000}, {3000000, B3000000}
#endif
};

const Speed* find_speed(unsigned baud) {
  for (const Speed& speed : kSpeeds) {
    if (speed.baud == baud) return &speed;
  }
  return nullptr;
}

void make_raw(int fd, const std::string& device, unsigned baud) {
  termios settings{};
  if (::tcgetattr(fd, &settings) != 0) throw_errno(device + ": not a serial device");
  ::cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 0;
  if (baud != 0) {
    const Speed* const speed = find_speed(baud);
    if (speed == nullptr) throw LineError(device + ": " + refusal_of_speed(baud));
    ::cfsetispeed(&settings, speed->code);
    ::cfsetospeed(&settings, speed->code);
  }
  if (::tcsetattr(fd, TCSANOW, &settings) != 0) throw_errno(device + ": cannot be set up");
}

// One reader at a time: two would take each other's bytes. Held until the descriptor is closed; as
// other programs for serial lines do it.
void lock(int fd, const std::string& device) {
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw LineError(device + ": is in use by another program, and a line has one reader at a time");
  }
}

}  // namespace

std::string refusal_of_speed(unsigned baud) {
  if (find_speed(baud) != nullptr) return "";
  std::string known;
  for (const Speed& speed : kSpeeds) {
    known += (known.empty() ? "" : ", ") + std::to_string(speed.baud);
  }
  return "no speed of " + std::to_string(baud) + " baud; there are " + known;
}

std::unique_ptr<FdStream> open_serial(const std::string& device, unsigned baud) {
  UniqueFd fd(::open(device.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) throw_errno(device + ": cannot be opened");
  lock(fd.get(), device);
  make_raw(fd.get(), device, baud);
  ::tcflush(fd.get(), TCIFLUSH);
  return std::make_unique<FdStream>(std::move(fd), device);
}

Pty open_pty() {
  Pty pty;
  pty.fd = UniqueFd(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!pty.fd.valid() || ::grantpt(pty.fd.get()) != 0 || ::unlockpt(pty.fd.get()) != 0) {
    throw_errno("pty: cannot be made");
  }
  char device[128];
  if (::ptsname_r(pty.fd.get(), device, sizeof device) != 0) throw_errno("pty: has no name");
  pty.device = device;
  pty.device_fd = UniqueFd(::open(device, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!pty.device_fd.valid()) throw_errno(pty.device + ": cannot be opened");
  make_raw(pty.device_fd.get(), pty.device, 0);
  return pty;
}

}  // namespace whittle::posix
