// Which row of the data set a sample is, for the sensors and for a host that labels them.
#ifndef WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_REPLAY_ORDER_H_
#define WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_REPLAY_ORDER_H_

#include <cstddef>
#include <cstdint>

inline constexpr std::size_t kReplayRows = 208;
inline constexpr std::size_t kReplayChannels = 60;

// Of sample 1, 2, ...; 89 and 208 have no common divisor, so every row has its turn.
constexpr std::size_t replay_row(std::uint64_t sample) {
  return static_cast<std::size_t>((sample - 1) % kReplayRows * 89 % kReplayRows);
}

#endif  // WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_REPLAY_ORDER_H_
