#include "tools/cli/address.h"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <ostream>

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

std::unique_ptr<posix::ByteStream> open_serial(const std::string& address, std::string device) {
  unsigned baud = 115200;
  if (const std::size_t at = device.rfind('@'); at != std::string::npos) {
    const auto number = parse_whole(device.substr(at + 1), std::numeric_limits<unsigned>::max());
    if (!number || *number == 0)
      refuse(address, in_quotes(device.substr(at + 1)) + " is not a number of baud");
    baud = static_cast<unsigned>(*number);
    device.resize(at);
  }
  return posix::open_serial(device, baud);
}

std::unique_ptr<posix::ByteStream> open_tcp(const std::string& address, const std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) refuse(address, "the port is missing");
  std::string host = place.substr(0, colon);
  const std::string port = place.substr(colon + 1);
  if (!parse_whole(port, 65535)) refuse(address, in_quotes(port) + " is not a port");
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);  // [::1]
  }
  return posix::connect_tcp(host, port);
}

// Where builds put the firmware of a board: beside the host's build folder, which holds this
// program.
fs::path default_firmware(const std::string& board) {
  if (const char* folder = std::getenv("WHITTLE_FIRMWARE_DIR")) {
    return fs::path(folder) / board / "node.elf";
  }
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / board / "node.elf";
}

std::unique_ptr<posix::ByteStream> open_qemu(const std::string& address, const std::string& board,
                                             const std::string& firmware) {
  const fs::path path = firmware.empty() ? default_firmware(board) : fs::path(firmware);
  if (!fs::exists(path)) {
    throw Error(address + ": there is no firmware " + path.string() +
                "; build it (cmake --preset " + board + " && cmake --build --preset " + board +
                "), or name another with --firmware");
  }
  return std::make_unique<posix::ChildProcess>(posix::qemu_command(board, path.string()), address);
}

}  // namespace

std::unique_ptr<posix::ByteStream> open_address(const std::string& address,
                                                const std::string& firmware, std::ostream& notes) {
  const std::size_t colon = address.find(':');
  const std::string kind = address.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : address.substr(colon + 1);
  if (address == "pty" && firmware.empty()) {
    auto line = std::make_unique<posix::PtyStream>();
    notes << "whittle: waiting for a node on " << line->name() << std::endl;
    return line;
  }
  if (rest.empty()) refuse(address, "not the address of a node");
  if (!firmware.empty() && kind != "qemu") refuse(address, "--firmware is for qemu only");
  if (kind == "serial") return open_serial(address, rest);
  if (kind == "pty") return posix::open_serial(rest, 0);
  if (kind == "tcp") return open_tcp(address, rest);
  if (kind == "qemu") return open_qemu(address, rest, firmware);
  refuse(address, in_quotes(kind) + " is no kind of line");
}

}  // namespace whittle::cli
