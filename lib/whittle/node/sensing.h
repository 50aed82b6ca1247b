// Sensing: the role of a node that samples its own sensors: it senses what the mask says, learns
// from it, and sends the readings up, each exactly once (whittle.proto, ToSensor and FromSensor).
//
//   static Sensing sensing(sensors, buffer, sizeof buffer);
//   static Node node(port, catalog, arena, sizeof arena, nullptr, &sensing);
//   for (;;) {
//     node.poll();
//     // How many have become due since the last time.
//     if (const std::uint32_t due = timer.take_due(); due > 0) sensing.sample(node, due - 1);
//     sensing.transmit(node);
//   }
//
// A host configures the node, sends a policy and, if there are any, costs, and starts it. Samples
// are numbered from 1 on; labels and constraints name a sample by that number while it is held. A
// node that senses takes no samples from the host: their seqs would get in the way of those.
//
// Readings are kept in a ring of fixed size until the host acknowledges them. If it is full, the
// node goes on sensing and learning, and drops the newest reading (statistics: dropped). If it was
// too busy to sense in time (a snapshot, a slow ranking), numbers are left out for the samples that
// it missed (statistics: missed). Sample numbers show which are missing.
//
// A node that keeps snapshots (NodeSnapshots) keeps all of this in them: restarted, it goes on
// sensing by itself, with the mask, the probes, the detector and the readings that it had. What it
// sends waits until the host has told by readings.mask how far it had come, since that may be
// further than the snapshot: readings that the host has are let go, and seqs go on from the host's.
// Samples taken meanwhile have numbers that were not given before: see SensingRole::resumed.
//
// Memory: sizeof(Sensing), about 2.6 KiB with a payload of 1024 bytes, and in the buffer what
// FeaturePruner and ReadingRing take and 2 m Reals.
#ifndef WHITTLE_NODE_SENSING_H_
#define WHITTLE_NODE_SENSING_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/node/node.h"
#include "whittle/node/pruning_service.h"
#include "whittle/node/sensing_driver.h"
#include "whittle/node/sensing_ring.h"
#include "whittle/node/sensing_role.h"
#include "whittle/node/snapshot_part.h"
#include "whittle/wire/codec_sensing.h"

namespace whittle {

class Sensing final : public SensingRole, private SnapshotPart {
 public:
  // The driver and the buffer must outlive it.
  Sensing(SensorDriver& driver, void* buffer, std::size_t size)
      : driver_(driver), service_(buffer, size) {}
  Sensing(const Sensing&) = delete;
  Sensing& operator=(const Sensing&) = delete;

  // Takes one sample, if it has been started. `missed`: how many more have been due since the call
  // before, running or not; the number is higher by so many. Never waits.
  void sample(Node& node, std::uint32_t missed = 0);

  // Sends what the host's credits allow; what has not been acknowledged in time again.
  void transmit(Node& node);

  bool running() const { return state_.running; }
  const FeaturePruner& pruner() const { return service_.pruner(); }
  std::uint64_t samples() const { return state_.samples; }  // number of the last

  bool take(Node& node, Span<const std::uint8_t> payload) override;
  Status apply(Node& node, Span<const std::uint8_t> payload) override;
  SnapshotPart& part(const Node& node) override;
  void resumed(std::uint64_t skip) override;
  void withdraw() override;

 private:
  // What is saved as it is.
  struct State {
    bool running = false;
    std::uint32_t refine_iterations = 0;  // before an update
    std::uint32_t announced = 0;          // the last mask that has a seq
    std::uint32_t credits = 0;
    std::uint64_t configured_seq = 0;  // of the node's session, as the policy came
    std::uint64_t samples = 0;
    std::uint64_t dropped = 0;
    std::uint64_t missed = 0;
    std::uint64_t refused = 0;
    std::uint64_t resent = 0;
    DriftAlarm last_alarm;
  };
  struct Saved;

  // Whether there is a policy; it goes when the node has been reset since.
  bool ready(const Node& node);
  Status apply_policy(const whittle_v1_Policy& policy, const Node& node);
  Status place(std::uint32_t kept);
  void sense();
  void learn(Node& node);
  void keep();
  void apply_readings(Node& node, const whittle_v1_Readings& readings);
  void take_acknowledgement(Node& node, const whittle_v1_Readings& readings);
  void go_back();
  void announce(Node& node, std::uint64_t now);
  void send(Node& node);  // out_
  void send_status(Node& node);

  // sensing_snapshot.cc
  std::size_t bytes() override;
  Status save(SlotWriter& out) override;
  Status load(SlotReader& in) override;
  Status load_pruner(SlotReader& in, const Saved& saved);
  void let_go(const whittle_v1_Readings& readings);
  std::uint64_t digest() const;

  SensorDriver& driver_;
  PruningService service_;
  ReadingRing ring_;
  Span<Real> values_;  // m
  State state_;
  bool alarm_ = false;               // of the last sample
  bool resumed_ = false;             // and not heard since how far the host had come
  bool unsaved_ = false;             // no sample has been taken since
  std::uint64_t first_new_ = 0;      // samples past this one are
  std::uint32_t patience_ = 1;       // seconds until things are sent again
  std::uint64_t waiting_since_ = 0;  // ticks
  std::uint64_t sent_ = 0;           // seq
  ToSensor in_;
  FromSensor out_;
  std::uint8_t buffer_[kMaxPayload];
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SENSING_H_
