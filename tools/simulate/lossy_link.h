// LossyLink: one direction of a line that loses whole frames.
#ifndef WHITTLE_TOOLS_SIMULATE_LOSSY_LINK_H_
#define WHITTLE_TOOLS_SIMULATE_LOSSY_LINK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "whittle/base/random.h"
#include "whittle/base/span.h"

namespace whittle::simulate {

struct LinkCounts {
  std::uint64_t frames = 0;  // written, again or not
  std::uint64_t lost = 0;    // of them
  std::uint64_t bytes = 0;   // of the frames, lost ones too
};

class LossyLink {
 public:
  // `loss`: the share of frames that get lost.
  LossyLink(double loss, std::uint64_t seed) : loss_(loss), random_(seed) {}

  // Bytes as they are sent, in pieces of any size; a zero ends a frame (whittle/wire/frame.h).
  void write(Span<const std::uint8_t> bytes);

  // The whole frames that have arrived since the last call.
  std::vector<std::uint8_t> take();

  const LinkCounts& counts() const { return counts_; }

 private:
  void end_frame();

  double loss_;
  Random random_;
  std::vector<std::uint8_t> arrived_;  // with the frame being written behind
  std::size_t frame_ = 0;              // where that starts
  LinkCounts counts_;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_LOSSY_LINK_H_
