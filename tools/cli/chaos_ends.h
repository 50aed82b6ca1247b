// The two ends of whittle chaos: where the sender comes in, and where the node is.
#ifndef WHITTLE_TOOLS_CLI_CHAOS_ENDS_H_
#define WHITTLE_TOOLS_CLI_CHAOS_ENDS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "ports/posix/reopening_pace.h"
#include "ports/posix/serial.h"
#include "ports/posix/tcp.h"
#include "tools/cli/console.h"
#include "tools/cli/listen.h"

namespace whittle::cli {

// Where senders come in: one at a time, the newest.
class SenderEnd {
 public:
  // Prints the address. Throws Error, LineError.
  SenderEnd(const ListenAddress& address, const Console& console);

  // What has come. Lets in who waits, and notices who has gone.
  std::vector<std::uint8_t> read();
  bool present() const { return line_ != nullptr; }
  // Lost, if nobody is there.
  void write(const std::vector<std::uint8_t>& bytes);

 private:
  void let_in();

  std::unique_ptr<posix::TcpListener> listener_;  // none: a pseudo-terminal
  posix::UniqueFd pty_;
  std::unique_ptr<posix::ByteStream> line_;
};

// The line to the node: open only as long as it is wanted, so that other clients may have the node
// meanwhile. A node that is not there is tried again (ReopeningPace), and what is written is lost.
class NodeEnd {
 public:
  // A line that the node does not outlive is opened here, and stays. Throws Error, LineError.
  NodeEnd(std::string address, std::string firmware, const Console& console);

  // Opens the line, unless it is open or was tried just now.
  void open();
  void release();

  // What has come; nothing, if the line is not open.
  std::vector<std::uint8_t> read();
  void write(const std::vector<std::uint8_t>& bytes);

 private:
  void open_now();
  void broke();
  void note_once(const std::string& text);

  const std::string address_;
  const std::string firmware_;
  const Console& console_;
  const bool stays_;
  std::unique_ptr<posix::ByteStream> line_;
  posix::ReopeningPace pace_;
  bool noted_ = false;  // why there is no node, to this sender
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_CHAOS_ENDS_H_
