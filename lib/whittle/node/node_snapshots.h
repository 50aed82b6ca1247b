// NodeSnapshots: keeps the whole state of a Node (ranker, session, statistics of the samples, and
// its Sensing role if it has one) in a Storage: when a message asks for it, every N samples if the
// config says so, and after a reset. In the sensing role samples are the node's own, and if the
// config says so it is saved too when a policy or costs have come and when it is started or
// stopped; and before the first sample after a restart in any case.
//
//   static NodeSnapshots snapshots(storage, {build_id(), port.board()});
//   static Node node(port, catalog, buffer, sizeof buffer, &snapshots);
//   (void)snapshots.restore(node);  // before the first poll; what is wrong, info tells
//
// Memory: sizeof(NodeSnapshots), about 700 bytes. Cost: see Snapshots.
#ifndef WHITTLE_NODE_NODE_SNAPSHOTS_H_
#define WHITTLE_NODE_NODE_SNAPSHOTS_H_

#include <cstdint>
#include <optional>

#include "whittle/node/node.h"
#include "whittle/node/snapshot_keeper.h"
#include "whittle/node/snapshots.h"
#include "whittle/node/storage.h"

namespace whittle {

class NodeSnapshots final : public SnapshotKeeper {
 public:
  // `storage` and what `identity` refers to must outlive this.
  NodeSnapshots(Storage& storage, const ProgramIdentity& identity)
      : snapshots_(storage, identity) {}

  // Puts a node that has not been used yet into the state of the newest snapshot. Errors: those of
  // Snapshots::restore. The node is then as new, but goes on counting from a snapshot that was
  // whole and refused, since its sender need not have kept what came before.
  Status restore(Node& node);

  // Snapshots that could not be taken since the start.
  std::uint32_t failed() const { return failed_; }

  // Why the node did not go on from its newest snapshot; "": it did, or there was none.
  const char* refusal() const { return snapshots_.refusal(); }

  Status applied(Node& node) override;
  void sampled(Node& node, std::uint64_t numbers) override;
  void changed(Node& node) override;
  void keep(Node& node) override;
  void describe(whittle_v1_Info& info) const override;

 private:
  struct State;  // what is saved beside the ranker
  Status configured(Node& node);
  Status role_changed(Node& node);
  // After a message that has been applied and not been counted, or between messages.
  enum class Moment : std::uint8_t { in_message, between_messages };
  Status save(Node& node, Moment moment);

  Snapshots snapshots_;
  std::optional<RankerConfig> config_;  // of the ranker
  std::uint32_t every_ = 0;
  std::uint64_t since_ = 0;  // numbers of own samples since the last snapshot
  std::uint32_t failed_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_NODE_SNAPSHOTS_H_
