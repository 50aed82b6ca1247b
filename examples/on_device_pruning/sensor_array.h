// A simulated array of eight channels: 1, 4 and 6 follow what happens, the others only make noise.
#ifndef WHITTLE_EXAMPLES_ON_DEVICE_PRUNING_SENSOR_ARRAY_H_
#define WHITTLE_EXAMPLES_ON_DEVICE_PRUNING_SENSOR_ARRAY_H_

#include "whittle/base/random.h"
#include "whittle/memory/sample.h"

inline constexpr unsigned kChannels = 8;

class SensorArray {
 public:
  whittle::Sample read() {
    const unsigned state = random_.next() & 1U;
    for (unsigned channel = 0; channel < kChannels; ++channel) {
      const bool follows = channel == 1 || channel == 4 || channel == 6;
      reading_[channel] = random_.uniform();
      if (follows)
        reading_[channel] = reading_[channel] * whittle::Real(0.3) + whittle::Real(state);
    }
    whittle::Sample sample;
    sample.features = whittle::Span<const whittle::Real>(reading_, kChannels);
    if (count_++ % 8 == 0) {
      sample.kind = whittle::SampleKind::labelled;
      sample.label = state;
    }
    return sample;
  }

 private:
  whittle::Random random_{2024};
  whittle::Real reading_[kChannels] = {};
  unsigned count_ = 0;
};

#endif  // WHITTLE_EXAMPLES_ON_DEVICE_PRUNING_SENSOR_ARRAY_H_
