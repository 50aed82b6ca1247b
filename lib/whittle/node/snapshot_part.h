// SnapshotPart: what a snapshot holds beside the ranker and the record when its size is known only
// while the application runs: the state of a node's role (Sensing).
#ifndef WHITTLE_NODE_SNAPSHOT_PART_H_
#define WHITTLE_NODE_SNAPSHOT_PART_H_

#include <cstddef>

#include "whittle/base/status.h"
#include "whittle/node/slot_stream.h"

namespace whittle {

class SnapshotPart {
 public:
  // How many bytes save() adds: more than 0.
  virtual std::size_t bytes() = 0;
  virtual Status save(SlotWriter& out) = 0;

  // Takes in what save() added: all that is left. Errors: those of reading, and whatever does not
  // fit; nothing is changed then.
  virtual Status load(SlotReader& in) = 0;

 protected:
  ~SnapshotPart() = default;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SNAPSHOT_PART_H_
