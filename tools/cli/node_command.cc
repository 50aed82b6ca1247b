#include "tools/cli/node_command.h"

#include <poll.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "ports/posix/build_id.h"
#include "ports/posix/file_storage.h"
#include "ports/posix/posix_port.h"
#include "ports/posix/serial.h"
#include "ports/posix/tcp.h"
#include "tools/cli/listen.h"
#include "tools/cli/memory_need.h"
#include "tools/cli/outputs.h"
#include "tools/cli/selectors.h"
#include "tools/cli/signals.h"
#include "tools/cli/state_warnings.h"
#include "whittle/node/node.h"
#include "whittle/node/node_snapshots.h"

namespace whittle::cli {
namespace {

using std::chrono::milliseconds;

// How soon a signal that came between two waits is noticed.
constexpr milliseconds kNap{100};

// Where the node's snapshots are; the node goes on from the newest.
class State {
 public:
  State(const NodeOptions& options, const ProgramIdentity& identity, const Console& console)
      : storage_(options.state),
        snapshots_(storage_, identity),
        warnings_(storage_, snapshots_, identity, console) {}

  NodeSnapshots& snapshots() { return snapshots_; }
  void restore(Node& node) { warnings_.restored(snapshots_.restore(node)); }
  void look() { warnings_.look(); }

 private:
  posix::FileStorage storage_;
  NodeSnapshots snapshots_;
  StateWarnings warnings_;
};

// What serves: the node, and its snapshots if it keeps any.
struct Served {
  Node& node;
  State* state;

  void look() const {
    if (state != nullptr) state->look();
  }
};

void serve_pty(posix::PosixPort& port, const Served& served, const Console& console,
               const std::atomic<bool>& stopped) {
  posix::Pty pty = posix::open_pty();
  tell_address("pty:" + pty.device, console);
  port.attach(std::move(pty.fd));
  while (port.attached() && !stopped) {
    if (port.wait(kNap)) served.node.poll();
    served.look();
  }
}

// The newest client has the node: one that has died or fallen silent must not keep others away.
void serve_tcp(std::uint16_t number, posix::PosixPort& port, const Served& served,
               const Console& console, const std::atomic<bool>& stopped) {
  posix::TcpListener listener(number);
  tell_address("tcp:127.0.0.1:" + std::to_string(listener.port()), console);
  port.give_way_to(listener.fd());
  while (!stopped) {
    pollfd entries[] = {{listener.fd(), POLLIN, 0}, {port.fd(), POLLIN, 0}};
    if (::poll(entries, 2, static_cast<int>(kNap.count())) <= 0) continue;
    if (entries[0].revents != 0) {
      if (posix::UniqueFd newest = listener.accept(); newest.valid())
        port.attach(std::move(newest));
    }
    // Not all there is, as node.poll() would: a client that never stops must not hold the node.
    std::uint8_t bytes[4096];
    served.node.receive(Span<const std::uint8_t>(bytes, port.read(Span<std::uint8_t>(bytes))));
    served.look();
  }
}

}  // namespace

void node_command(const NodeOptions& options, const Console& console) {
  const ListenAddress address = parse_listen(options.listen);
  if (!options.state.empty()) {
    check_different_files({}, {{"--state", posix::slot_path(options.state, 0)},
                               {"--state", posix::slot_path(options.state, 1)}});
  }
  const auto buffer =
      allocate({"the node's arena", options.arena_bytes, 0, "; give a smaller --arena"});
  const SignalGuard guard;
  posix::PosixPort port(guard.stopped());
  const Catalog catalog = all_selectors();
  const auto state = options.state.empty()
                         ? nullptr
                         : std::make_unique<State>(
                               options, ProgramIdentity{posix::build_id(), port.board()}, console);
  const auto node = std::make_unique<Node>(port, catalog, buffer.get(), options.arena_bytes,
                                           state ? &state->snapshots() : nullptr);
  if (state) state->restore(*node);
  const Served served{*node, state.get()};
  if (address.pty) {
    serve_pty(port, served, console, guard.stopped());
  } else {
    serve_tcp(address.port, port, served, console, guard.stopped());
  }
}

}  // namespace whittle::cli
