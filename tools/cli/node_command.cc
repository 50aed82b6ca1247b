#include "tools/cli/node_command.h"

#include <poll.h>
#include <signal.h>

#include <atomic>
#include <memory>
#include <ostream>
#include <utility>

#include "ports/posix/posix_port.h"
#include "ports/posix/serial.h"
#include "ports/posix/tcp.h"
#include "tools/cli/error.h"
#include "tools/cli/number.h"
#include "tools/cli/selectors.h"
#include "whittle/base/arena.h"
#include "whittle/node/node.h"

namespace whittle::cli {
namespace {

using std::chrono::milliseconds;

// How soon a signal that came between two waits is noticed.
constexpr milliseconds kNap{100};

std::atomic<bool> stopped{false};

void stop_at_signal(int) { stopped = true; }

// SIGINT and SIGTERM end the node, for as long as this lives.
class SignalGuard {
 public:
  SignalGuard() {
    stopped = false;
    struct sigaction action {};
    action.sa_handler = stop_at_signal;  // no SA_RESTART: waits end
    ::sigaction(SIGINT, &action, &old_interrupt_);
    ::sigaction(SIGTERM, &action, &old_terminate_);
  }
  ~SignalGuard() {
    ::sigaction(SIGINT, &old_interrupt_, nullptr);
    ::sigaction(SIGTERM, &old_terminate_, nullptr);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

void serve(posix::PosixPort& port, Node& node) {
  while (port.attached() && !stopped) {
    if (port.wait(kNap)) node.poll();
  }
}

void serve_pty(posix::PosixPort& port, Node& node, const Console& console) {
  posix::Pty pty = posix::open_pty();
  console.out << "pty:" << pty.device << '\n' << std::flush;
  port.attach(std::move(pty.fd));
  serve(port, node);
}

void serve_tcp(std::uint16_t number, posix::PosixPort& port, Node& node, const Console& console) {
  posix::TcpListener listener(number);
  console.out << "tcp:127.0.0.1:" << listener.port() << '\n' << std::flush;
  while (!stopped) {
    pollfd entry{listener.fd(), POLLIN, 0};
    if (::poll(&entry, 1, static_cast<int>(kNap.count())) <= 0) continue;
    posix::UniqueFd connection = listener.accept();
    if (!connection.valid()) continue;
    port.attach(std::move(connection));
    serve(port, node);
  }
}

}  // namespace

void node_command(const NodeOptions& options, const Console& console) {
  const bool pty = options.listen == "pty";
  const bool tcp = options.listen.rfind("tcp:", 0) == 0;
  const auto number = tcp ? parse_whole(options.listen.substr(4), 65535) : std::nullopt;
  if (!pty && !number) {
    throw UsageError("--listen " + options.listen + ": write tcp:PORT (0 takes a free one) or pty");
  }
  const std::size_t bytes = options.arena_bytes + kArenaAlignment;
  const std::unique_ptr<unsigned char[]> buffer(new unsigned char[bytes]);
  const SignalGuard guard;
  posix::PosixPort port(stopped);
  const Catalog catalog = all_selectors();
  const auto node = std::make_unique<Node>(port, catalog, buffer.get(), options.arena_bytes);
  if (pty) {
    serve_pty(port, *node, console);
  } else {
    serve_tcp(static_cast<std::uint16_t>(*number), port, *node, console);
  }
}

}  // namespace whittle::cli
