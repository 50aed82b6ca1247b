// SnapshotKeeper: what a Node calls to have its state kept. NodeSnapshots is one; a program that
// names none links nothing of it.
#ifndef WHITTLE_NODE_SNAPSHOT_KEEPER_H_
#define WHITTLE_NODE_SNAPSHOT_KEEPER_H_

#include <cstdint>

#include "whittle.pb.h"
#include "whittle/base/status.h"

namespace whittle {

class Node;

class SnapshotKeeper {
 public:
  // The node has applied the message it holds, but not counted it yet. Errors, which refuse the
  // message and leave the node as it was before: of a snapshot message those of Snapshots::save, of
  // a configure message, and of a policy, that its snapshots would not fit.
  virtual Status applied(Node& node) = 0;

  // Of a node in a role: it has taken a sample of its own, which used up so many numbers; it has
  // been started or stopped; it is to be saved in any case. What cannot be saved is counted.
  virtual void sampled(Node& node, std::uint64_t numbers) = 0;
  virtual void changed(Node& node) = 0;
  virtual void keep(Node& node) = 0;

  // Tells in info what it has to say.
  virtual void describe(whittle_v1_Info& info) const = 0;

 protected:
  ~SnapshotKeeper() = default;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SNAPSHOT_KEEPER_H_
