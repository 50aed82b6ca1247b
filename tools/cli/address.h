// Addresses: where a node is, as --to says it.
#ifndef WHITTLE_TOOLS_CLI_ADDRESS_H_
#define WHITTLE_TOOLS_CLI_ADDRESS_H_

#include <iosfwd>
#include <memory>
#include <string>

#include "ports/posix/byte_stream.h"

namespace whittle::cli {

inline constexpr char kAddressHelp[] =
    "serial:DEVICE[@BAUD] (115200 baud unless said), tcp:HOST:PORT, pty:DEVICE, pty (makes one and "
    "names it) or qemu:BOARD";

// Throws UsageError: not an address; `firmware` is given and it is not qemu's. Throws Error: qemu's
// is missing, cannot be read or is none.
void check_address(const std::string& address, const std::string& firmware);

// Whether the node is there before the line is opened and after it is closed. Not in qemu, which is
// started with the line, nor on a pseudo-terminal of our own.
bool outlives_line(const std::string& address);

// Opens the line: serial:/dev/ttyUSB0@230400, tcp:localhost:4000, pty:/dev/pts/3, qemu:mps2-an386.
// Plain `pty` makes a pseudo-terminal and says on `notes` which device the node is to open.
// `firmware` is for qemu; empty: the one built with this program. Throws UsageError and
// Error as check_address() does, and LineError.
std::unique_ptr<posix::ByteStream> open_address(const std::string& address,
                                                const std::string& firmware, std::ostream& notes);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_ADDRESS_H_
