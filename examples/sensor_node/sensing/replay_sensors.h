// Sensors that replay a data set: 60 channels, the readings of tests/data/sonar.csv, one after the
// other in an order that mixes its classes, over and over. A driver for real sensors stands in its
// place in a product.
#ifndef WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_REPLAY_SENSORS_H_
#define WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_REPLAY_SENSORS_H_

#include <cstddef>
#include <cstdint>

#include "replay_order.h"
#include "whittle/node/sensing_driver.h"

class ReplaySensors final : public whittle::SensorDriver {
 public:
  std::size_t features() const override { return kReplayChannels; }
  // The sample that is read next, by its number: samples missed are rows left out.
  void show(std::uint64_t sample) { sample_ = sample; }
  void read(whittle::Span<const bool> mask, whittle::Span<whittle::Real> values) override {
    const std::size_t row = replay_row(sample_);
    for (std::size_t r = 0; r < kReplayChannels; ++r) {
      if (mask[r]) values[r] = kReplay[row][r];
    }
  }

 private:
  // Made from the CSV file when the firmware is built.
  static const float kReplay[kReplayRows][kReplayChannels];

  std::uint64_t sample_ = 1;
};

#endif  // WHITTLE_EXAMPLES_SENSOR_NODE_SENSING_REPLAY_SENSORS_H_
