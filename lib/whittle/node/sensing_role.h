// SensingRole: what a Node calls when it is told something that only a node which samples its own
// sensors knows. Sensing (sensing.h) is one; a program that names none links nothing of it.
#ifndef WHITTLE_NODE_SENSING_ROLE_H_
#define WHITTLE_NODE_SENSING_ROLE_H_

#include <cstdint>

#include "whittle/base/span.h"
#include "whittle/base/status.h"

namespace whittle {

class Node;
class SnapshotPart;

class SensingRole {
 public:
  // A message with no body that the node knows has come. Whether it was one without a seq, and is
  // done with.
  virtual bool take(Node& node, Span<const std::uint8_t> payload) = 0;

  // It is the next by its seq. Errors: unimplemented (the role does not know it either), those of
  // what it asks for; nothing changes then.
  virtual Status apply(Node& node, Span<const std::uint8_t> payload) = 0;

  // What a snapshot of the node is to hold of the role.
  virtual SnapshotPart& part(const Node& node) = 0;
  // It has been restored from a snapshot. `skip`: how many samples may have been numbered since
  // that was taken; their numbers are not to be given again.
  virtual void resumed(std::uint64_t skip) = 0;
  // Undoes a policy, for want of room for its snapshots.
  virtual void withdraw() = 0;

 protected:
  ~SensingRole() = default;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SENSING_ROLE_H_
