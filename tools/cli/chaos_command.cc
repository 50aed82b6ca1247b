#include "tools/cli/chaos_command.h"

#include <atomic>
#include <ostream>
#include <thread>
#include <vector>

#include "tools/cli/address.h"
#include "tools/cli/chaos_ends.h"
#include "tools/cli/listen.h"
#include "tools/cli/signals.h"

namespace whittle::cli {
namespace {

using Bytes = std::vector<std::uint8_t>;

// One way of the line.
class Way {
 public:
  Way(const ChaosOptions& options, std::uint64_t seed)
      : faults_(options.rates, seed), pace_(options.pace, seed) {}

  void send(const Bytes& bytes) {
    pace_.send(faults_.pass(Span<const std::uint8_t>(bytes.data(), bytes.size())),
               LinePace::Clock::now());
  }
  template <typename Write>
  bool deliver(Write write) {
    bool any = false;
    for (;;) {
      const Bytes bytes = pace_.arrived(LinePace::Clock::now());
      if (bytes.empty()) return any;
      write(bytes);
      any = true;
    }
  }
  bool empty() const { return pace_.empty(); }
  void report(const char* which, std::ostream& out) const {
    const FaultCounts& counts = faults_.counts();
    out << which << ": " << counts.bytes << " bytes; flipped " << counts.flipped << ", inserted "
        << counts.inserted << ", deleted " << counts.removed << "; frames dropped "
        << counts.dropped << ", duplicated " << counts.duplicated << '\n';
  }

 private:
  LineFaults faults_;
  LinePace pace_;
};

}  // namespace

void chaos_command(const ChaosOptions& options, const Console& console) {
  const ListenAddress listen = parse_listen(options.listen);
  check_address(options.address, options.firmware);
  const SignalGuard guard;
  SenderEnd sender(listen, console);
  NodeEnd node(options.address, options.firmware, console);
  Way there(options, 2 * options.seed);
  Way back(options, 2 * options.seed + 1);
  while (!guard.stopped()) {
    const Bytes sent = sender.read();
    if (sender.present()) {
      node.open();
    } else if (there.empty()) {
      node.release();
    }
    const Bytes answered = node.read();
    there.send(sent);
    back.send(answered);
    bool moved = there.deliver([&](const Bytes& piece) { node.write(piece); });
    moved = back.deliver([&](const Bytes& piece) { sender.write(piece); }) || moved;
    if (!moved && sent.empty() && answered.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  there.report("to the node", console.err);
  back.report("from the node", console.err);
}

}  // namespace whittle::cli
