// Statistics: what a node counts beside the frames (FrameCounts) and the bytes (Link).
#ifndef WHITTLE_NODE_STATISTICS_H_
#define WHITTLE_NODE_STATISTICS_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "whittle/base/status.h"

namespace whittle {

inline constexpr std::size_t kStatusCodes = static_cast<std::size_t>(StatusCode::data_loss) + 1;

struct MessageCounts {
  std::uint64_t undecodable = 0;
  std::uint64_t gaps = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t refused = 0;
  std::uint64_t resets = 0;
};

// Of the samples since the last reset.
struct SampleStatistics {
  std::uint64_t taken = 0;
  std::uint64_t refused = 0;
  std::uint64_t refused_by_code[kStatusCodes] = {};  // by StatusCode
  std::uint64_t observe_ticks = 0;                   // sum over those taken
  std::uint32_t slowest_observe = 0;                 // ticks

  std::uint64_t refused_for(StatusCode code) const {
    return refused_by_code[static_cast<std::size_t>(code)];
  }
  void add_refused(StatusCode code) {
    ++refused;
    ++refused_by_code[static_cast<std::size_t>(code)];
  }
  void add_taken(std::uint64_t ticks) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    ++taken;
    observe_ticks += ticks;
    if (ticks > slowest_observe) {
      slowest_observe = ticks < most ? static_cast<std::uint32_t>(ticks) : most;
    }
  }
};

}  // namespace whittle

#endif  // WHITTLE_NODE_STATISTICS_H_
