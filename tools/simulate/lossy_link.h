// LossyLink: one direction of a line that loses frames, with the rules of the wire: in order, each
// once, sent again until it is acknowledged.
#ifndef WHITTLE_TOOLS_SIMULATE_LOSSY_LINK_H_
#define WHITTLE_TOOLS_SIMULATE_LOSSY_LINK_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "whittle/base/random.h"

namespace whittle::simulate {

struct LinkCounts {
  std::uint64_t frames = 0;      // sent, again or not
  std::uint64_t lost = 0;        // of them
  std::uint64_t resent = 0;      // of them: sent before
  std::uint64_t duplicates = 0;  // that had come already, their acknowledgement lost
  std::uint64_t bytes = 0;       // of the frames
  std::uint64_t ack_bytes = 0;   // of the acknowledgements, the other way
};

class LossyLink {
 public:
  // `loss`: the share of frames, and of acknowledgements, that get lost.
  LossyLink(double loss, std::uint64_t seed) : loss_(loss), random_(seed) {}

  void send(std::size_t bytes, std::uint64_t what) { waiting_.push_back({bytes, what}); }

  // What a period of sampling leaves time for: a window of frames, up to the first that is lost or
  // whose acknowledgement is. Returns what arrived, each once and in order.
  std::vector<std::uint64_t> step();

  const LinkCounts& counts() const { return counts_; }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  struct Frame {
    std::size_t bytes;
    std::uint64_t what;
    bool sent = false;
    bool arrived = false;
  };
  bool lost() { return static_cast<double>(random_.uniform()) < loss_; }

  double loss_;
  Random random_;
  std::deque<Frame> waiting_;  // not acknowledged
  LinkCounts counts_;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_LOSSY_LINK_H_
