// ReadingReceiver: the host's end of the readings of a node in the sensing role (whittle.proto,
// FromSensor): each taken once, in order, whatever the line does, and made whole again.
//
//   ReadingReceiver receiver(features);
//   for each FromSensor message:
//     if (const auto sample = receiver.take(message)) use(sample->values);
//     if (receiver.has_answer()) send(receiver.answer());    // ToSensor.readings, seq 0
#ifndef WHITTLE_TOOLS_CLIENT_READING_RECEIVER_H_
#define WHITTLE_TOOLS_CLIENT_READING_RECEIVER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "whittle/wire/codec_sensing.h"

namespace whittle {

struct SensedSample {
  std::uint64_t number = 0;   // as labels name it
  std::uint32_t mask = 0;     // id; 0: every feature
  std::vector<bool> sensed;   // by feature
  std::vector<float> values;  // by feature; what was not sensed as Fill says
};

// What stands for a value that was not sensed, or that the sensor did not have.
enum class Fill {
  missing,   // NaN
  baseline,  // the mean of the feature's values so far; NaN before the first
};

class ReadingReceiver {
 public:
  explicit ReadingReceiver(std::size_t features, Fill fill = Fill::missing)
      : fill_(fill), mask_(features, true), counts_(features), means_(features) {}

  // The sample, if the message is the reading that comes next. A node that has been restarted, and
  // says so, is told where things are (join).
  std::optional<SensedSample> take(const FromSensor& message);

  // Whether there is something to tell the node, and what. One answer does for all messages taken
  // since the last.
  bool has_answer() const { return has_answer_; }
  whittle_v1_Readings answer();

  // A new policy has been acknowledged: the node counts from 1 again.
  void restart();
  // Another host has listened before: asks where things are.
  void join();
  // It took the samples up to this number.
  void took(std::uint64_t sample) { last_sample_ = sample; }

  std::uint64_t taken() const { return taken_; }              // seq of the last
  std::uint64_t last_sample() const { return last_sample_; }  // number of the last; 0: none yet
  std::uint64_t duplicates() const { return duplicates_; }    // readings and masks
  std::uint64_t gaps() const { return gaps_; }
  const std::vector<bool>& mask() const { return mask_; }

 private:
  bool is_next(std::uint64_t seq);
  void take_mask(const whittle_v1_Mask& mask);
  std::optional<SensedSample> take_reading(const whittle_v1_Reading& reading);
  std::vector<bool> sensed_in(const whittle_v1_Reading& reading) const;

  Fill fill_;
  std::vector<bool> mask_;
  std::uint32_t mask_id_ = 0;
  std::vector<double> counts_;
  std::vector<double> means_;
  std::uint64_t taken_ = 0;
  std::uint64_t last_sample_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t gaps_ = 0;
  std::uint64_t last_ahead_ = 0;  // seq, of the gap
  bool in_gap_ = false;           // told of it already
  bool joining_ = false;
  bool has_answer_ = false;
  bool tell_gap_ = false;
};

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_READING_RECEIVER_H_
