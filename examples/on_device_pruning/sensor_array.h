// A simulated array of three chips: an accelerometer (channels 0 to 2), a microphone (3, 4) and a
// climate sensor (5 to 7). A machine runs well or badly; at first the accelerometer tells, after
// the machine has been moved the microphone does. Someone says how it ran, one time in twenty.
#ifndef WHITTLE_EXAMPLES_ON_DEVICE_PRUNING_SENSOR_ARRAY_H_
#define WHITTLE_EXAMPLES_ON_DEVICE_PRUNING_SENSOR_ARRAY_H_

#include <cstdint>

#include "whittle/base/random.h"
#include "whittle/memory/sample.h"

inline constexpr std::uint32_t kChannels = 8;
inline constexpr std::uint32_t kChips = 3;
inline constexpr std::uint32_t kChip[kChannels] = {0, 0, 0, 1, 1, 2, 2, 2};
inline constexpr whittle::Real kMicrojoules[kChannels] = {2, 2, 2, 4, 4, 1, 1, 1};  // to read, send
inline constexpr whittle::Real kChipMicrojoules[kChips] = {20, 35, 15};             // to wake it

class SensorArray {
 public:
  // Reads the channels of the mask; the others stay missing, and their chips asleep.
  whittle::Sample read(whittle::Span<const bool> mask) {
    const std::uint32_t state = random_.next() & 1U;
    const std::uint32_t telling = moved_ ? 1 : 0;
    for (std::uint32_t channel = 0; channel < kChannels; ++channel) {
      reading_[channel] = random_.uniform() + random_.uniform();
      if (kChip[channel] == telling) reading_[channel] += whittle::Real(state);
      if (!mask[channel]) reading_[channel] = whittle::kNoScore;
    }
    whittle::Sample sample;
    sample.features = whittle::Span<const whittle::Real>(reading_);
    if (random_.below(20) == 0) {
      sample.kind = whittle::SampleKind::labelled;
      sample.label = state;
    }
    return sample;
  }

  void move() { moved_ = true; }

 private:
  whittle::Random random_{2024};
  whittle::Real reading_[kChannels] = {};
  bool moved_ = false;
};

#endif  // WHITTLE_EXAMPLES_ON_DEVICE_PRUNING_SENSOR_ARRAY_H_
