// A signal with two states. Features 2, 5, 7 and 10 follow the state, the others are noise; one
// reading in ten is labelled.
#ifndef WHITTLE_EXAMPLES_HOST_SIMULATION_SIGNAL_SOURCE_H_
#define WHITTLE_EXAMPLES_HOST_SIMULATION_SIGNAL_SOURCE_H_

#include <cstdint>
#include <vector>

#include "whittle/base/random.h"

struct Reading {
  std::vector<float> values;
  std::uint32_t state = 0;
  bool labelled = false;
};

class SignalSource {
 public:
  SignalSource(std::uint64_t seed, std::uint32_t features) : random_(seed), features_(features) {}

  Reading read() {
    Reading reading;
    reading.state = random_.next() & 1U;
    reading.labelled = count_++ % 10 == 0;
    for (std::uint32_t i = 0; i < features_; ++i) {
      const bool follows = i == 2 || i == 5 || i == 7 || i == 10;
      const auto noise = static_cast<float>(random_.uniform());
      reading.values.push_back(follows ? 0.4F * noise + static_cast<float>(reading.state) : noise);
    }
    return reading;
  }

 private:
  whittle::Random random_;
  std::uint32_t features_;
  unsigned count_ = 0;
};

#endif  // WHITTLE_EXAMPLES_HOST_SIMULATION_SIGNAL_SOURCE_H_
