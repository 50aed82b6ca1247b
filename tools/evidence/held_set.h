// The points that a memory of fixed size holds at the end of a stream.
#ifndef WHITTLE_TOOLS_EVIDENCE_HELD_SET_H_
#define WHITTLE_TOOLS_EVIDENCE_HELD_SET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/evidence/stream.h"

namespace whittle::evidence {

struct MemoryShape {
  std::uint32_t labelled = 0;  // L
  std::uint32_t window = 0;    // W
  std::uint32_t units = 0;     // K, of a codebook that is trained by all that leaves the memory
};

struct HeldPoint {
  std::vector<Real> x;
  SampleKind kind;
  std::uint32_t label;
};

// Prototypes first, as unlabelled points, then samples, oldest first.
std::vector<HeldPoint> held_after(const Stream& stream, const MemoryShape& shape);

// `count` samples of the stream picked at random, in its order.
std::vector<HeldPoint> picked_at_random(const Stream& stream, std::size_t count,
                                        std::uint64_t seed);

}  // namespace whittle::evidence

#endif  // WHITTLE_TOOLS_EVIDENCE_HELD_SET_H_
