// Firmware of a node that samples its own sensors: at a fixed rate, only what the mask says, and
// learns which of them are worth it. Readings go up the board's serial line, each exactly once;
// labels may come down later. A host configures it, sends a policy and starts it: SensorClient
// (tools/client) is one. If the host configures snapshots, it goes on by itself after a power cut.
#include "ports/cortex_m/board_port.h"
#include "ports/cortex_m/runtime.h"
#include "replay_sensors.h"
#include "sample_timer.h"
#include "snapshots.h"
#include "whittle/node/node.h"
#include "whittle/node/sensing.h"
#include "whittle/select/catalog.h"
#include "whittle/select/fisher.h"
#include "whittle/select/variance.h"

namespace {

constexpr std::uint32_t kSamplesPerSecond = 40;  // whole readings nearly fill the line then

// What it links: scores from moments, and samples held so that labels can come late.
constexpr const whittle::SelectorType* kTypes[] = {&whittle::kVariance, &whittle::kFisher};
constexpr whittle::Catalog kCatalog(kTypes, {&whittle::kFullMemory});

// For the policy, its detector of drift, and the readings on their way.
alignas(whittle::kArenaAlignment) unsigned char sensing_memory[40 * 1024];

// Sleeps until there is a sample to take or a byte to read.
void wait(whittle::ports::BoardPort& port) {
  // An interrupt that comes from here on is still pending when the sleep begins, and ends it.
  const whittle::ports::InterruptLock lock;
  if (!sample_is_due()) port.wait_for_event();
}

}  // namespace

int main() {
  whittle::ports::BoardPort& port = whittle::ports::board_port();
  static ReplaySensors sensors;
  static whittle::Sensing sensing(sensors, sensing_memory, sizeof sensing_memory);
  const whittle::Span<unsigned char> memory = whittle::ports::free_memory();
  whittle::NodeSnapshots* const snapshots = node_snapshots(port.board());
  static whittle::Node node(port, kCatalog, memory.data(), memory.size(), snapshots, &sensing);
  // What is wrong with a snapshot, if anything, the host is told; the node is then as new.
  if (snapshots != nullptr) (void)snapshots->restore(node);
  start_sample_timer(kSamplesPerSecond);
  for (;;) {
    node.poll();
    if (const std::uint32_t due = take_due_samples(); due > 0) {
      sensors.show(sensing.samples() + due);
      sensing.sample(node, due - 1);
    }
    sensing.transmit(node);
    wait(port);
  }
}
