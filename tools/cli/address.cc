#include "tools/cli/address.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <ostream>
#include <string_view>

#include "ports/posix/child_process.h"
#include "ports/posix/serial.h"
#include "ports/posix/tcp.h"
#include "tools/cli/error.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& address, const std::string& why) {
  throw UsageError("--to " + address + ": " + why + "; write " + kAddressHelp);
}

constexpr std::string_view kElf =
    "\x7f"
    "ELF";  // how such a file starts

enum class Kind { serial, own_pty, pty, tcp, qemu };

struct Address {
  Kind kind = Kind::serial;
  std::string place;  // device, host or board
  unsigned baud = 0;
  std::string port;
};

void set_serial(const std::string& text, Address* address) {
  address->baud = 115200;
  const std::size_t at = address->place.rfind('@');
  if (at == std::string::npos) return;
  const std::string baud = address->place.substr(at + 1);
  const auto number = parse_whole(baud, std::numeric_limits<unsigned>::max());
  if (!number || *number == 0) refuse(text, in_quotes(baud) + " is not a number of baud");
  address->baud = static_cast<unsigned>(*number);
  const std::string refusal = posix::refusal_of_speed(address->baud);
  if (!refusal.empty()) refuse(text, refusal);
  address->place.resize(at);
}

void set_tcp(const std::string& text, Address* address) {
  std::string& host = address->place;
  const std::size_t colon = host.rfind(':');
  if (colon == std::string::npos) refuse(text, "the port is missing");
  address->port = host.substr(colon + 1);
  if (!parse_whole(address->port, 65535)) refuse(text, in_quotes(address->port) + " is not a port");
  host.resize(colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);  // [::1]
  }
}

Address parse_address(const std::string& text, const std::string& firmware) {
  Address address;
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (!firmware.empty() && kind != "qemu") refuse(text, "--firmware is for qemu only");
  if (text == "pty") {
    address.kind = Kind::own_pty;
    return address;
  }
  if (colon != std::string::npos) address.place = text.substr(colon + 1);
  if (address.place.empty()) refuse(text, "not the address of a node");
  if (kind == "serial") {
    set_serial(text, &address);
  } else if (kind == "pty") {
    address.kind = Kind::pty;
  } else if (kind == "tcp") {
    address.kind = Kind::tcp;
    set_tcp(text, &address);
  } else if (kind == "qemu") {
    address.kind = Kind::qemu;
  } else {
    refuse(text, in_quotes(kind) + " is no kind of line");
  }
  return address;
}

// Where builds put the firmware of a board: beside the host's build folder, which holds this
// program.
fs::path default_firmware(const std::string& board) {
  if (const char* folder = std::getenv("WHITTLE_FIRMWARE_DIR")) {
    return fs::path(folder) / board / "node.elf";
  }
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / board / "node.elf";
}

// The file that is to run on the board. Throws Error if that cannot be, and why.
fs::path firmware_of(const std::string& address, const std::string& board,
                     const std::string& firmware) {
  fs::path path = firmware.empty() ? default_firmware(board) : fs::path(firmware);
  if (!fs::exists(path)) {
    throw Error(address + ": there is no firmware " + path.string() +
                "; build it (cmake --preset " + board + " && cmake --build --preset " + board +
                "), or name another with --firmware");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  char start[4] = {};
  file.read(start, sizeof start);
  const std::string named = address + ": firmware " + path.string() + ": ";
  if (!file.is_open() || file.bad()) throw Error(named + "cannot be read: " + std::strerror(errno));
  if (std::string_view(start, sizeof start) != kElf) {
    throw Error(named + "is no ELF file; name another with --firmware");
  }
  return path;
}

std::unique_ptr<posix::ByteStream> open_qemu(const std::string& address, const std::string& board,
                                             const std::string& firmware) {
  const std::string path = firmware_of(address, board, firmware).string();
  return std::make_unique<posix::ChildProcess>(posix::qemu_command(board, path), address);
}

}  // namespace

void check_address(const std::string& address, const std::string& firmware) {
  const Address parsed = parse_address(address, firmware);
  if (parsed.kind == Kind::qemu) firmware_of(address, parsed.place, firmware);
}

bool outlives_line(const std::string& address) {
  const Kind kind = parse_address(address, "").kind;
  return kind != Kind::qemu && kind != Kind::own_pty;
}

std::unique_ptr<posix::ByteStream> open_address(const std::string& text,
                                                const std::string& firmware, std::ostream& notes) {
  const Address address = parse_address(text, firmware);
  switch (address.kind) {
    case Kind::own_pty: {
      auto line = std::make_unique<posix::PtyStream>();
      notes << "whittle: waiting for a node on " << line->name() << std::endl;
      return line;
    }
    case Kind::serial:
    case Kind::pty:
      return posix::open_serial(address.place, address.baud);
    case Kind::tcp:
      return posix::connect_tcp(address.place, address.port);
    case Kind::qemu:
      break;
  }
  return open_qemu(text, address.place, firmware);
}

}  // namespace whittle::cli
