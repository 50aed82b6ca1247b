// What the sensors of the fleet will read: twelve channels of a machine that is in one of two
// states. Channels 2, 5, 7 and 10 follow the state, the others are noise.
#ifndef WHITTLE_EXAMPLES_HOST_SIMULATION_SIGNAL_SOURCE_H_
#define WHITTLE_EXAMPLES_HOST_SIMULATION_SIGNAL_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "tools/simulate/readings.h"
#include "whittle/base/random.h"

inline constexpr std::uint32_t kChannels = 12;

inline whittle::simulate::Readings read_machine(std::size_t rows) {
  whittle::Random random(1);
  whittle::simulate::Readings readings;
  readings.name = "a machine";
  readings.classes = {"idle", "running"};
  for (std::uint32_t r = 0; r < kChannels; ++r) {
    readings.features.push_back("channel " + std::to_string(r));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t state = random.next() & 1U;
    readings.truth.push_back(state);
    for (std::uint32_t r = 0; r < kChannels; ++r) {
      const bool follows = r == 2 || r == 5 || r == 7 || r == 10;
      const whittle::Real noise = random.uniform();
      readings.values.push_back(follows ? noise + whittle::Real(state) / 2 : noise);
    }
  }
  return readings;
}

#endif  // WHITTLE_EXAMPLES_HOST_SIMULATION_SIGNAL_SOURCE_H_
