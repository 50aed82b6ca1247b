#include "tools/client/reading_receiver.h"

#include <limits>

namespace whittle {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

template <typename Bytes>
std::vector<bool> bits_of(const Bytes& bytes, std::size_t features) {
  std::vector<bool> bits(features);
  for (std::size_t r = 0; r < features && r / 8 < bytes.size; ++r) {
    bits[r] = (bytes.bytes[r / 8] >> (r % 8) & 1U) != 0;
  }
  return bits;
}

}  // namespace

void ReadingReceiver::restart() {
  taken_ = 0;
  mask_id_ = 0;
  mask_.assign(mask_.size(), true);
  in_gap_ = joining_ = has_answer_ = tell_gap_ = false;
}

void ReadingReceiver::join() {
  restart();
  joining_ = has_answer_ = true;
}

whittle_v1_Readings ReadingReceiver::answer() {
  whittle_v1_Readings readings = whittle_v1_Readings_init_zero;
  readings.acked = taken_;
  readings.missing = tell_gap_;
  readings.mask = joining_;
  if (joining_) readings.sample = last_sample_;
  has_answer_ = tell_gap_ = false;
  return readings;
}

bool ReadingReceiver::is_next(std::uint64_t seq) {
  has_answer_ = true;
  if (seq == taken_ + 1) {
    ++taken_;
    in_gap_ = false;
    return true;
  }
  if (seq <= taken_) {
    ++duplicates_;
    return false;
  }
  if (!in_gap_) ++gaps_;
  // Once each time the node goes back: if what was missing is lost again, it is told again.
  if (!in_gap_ || seq <= last_ahead_) tell_gap_ = true;
  in_gap_ = true;
  last_ahead_ = seq;
  return false;
}

std::optional<SensedSample> ReadingReceiver::take(const FromSensor& message) {
  if (message.which_body == whittle_v1_FromSensor_sensing_tag) {
    // Its seqs may have gone back, so those that come next are no measure of what was taken.
    if (message.body.sensing.resumed) joining_ = has_answer_ = true;
    return std::nullopt;
  }
  if (message.which_body == whittle_v1_FromSensor_mask_tag) {
    take_mask(message.body.mask);
  } else if (message.which_body == whittle_v1_FromSensor_reading_tag && !joining_) {
    return take_reading(message.body.reading);
  } else if (joining_) {
    has_answer_ = true;  // asks again: the answer may have been lost
  }
  return std::nullopt;
}

void ReadingReceiver::take_mask(const whittle_v1_Mask& mask) {
  if (mask.features != mask_.size()) return;
  if (mask.seq == 0) {
    if (!joining_) return;
    joining_ = false;
    taken_ = mask.after;
    in_gap_ = tell_gap_ = false;
  } else if (joining_ || !is_next(mask.seq)) {
    return;
  }
  mask_id_ = mask.id;
  mask_ = bits_of(mask.mask, mask_.size());
}

std::vector<bool> ReadingReceiver::sensed_in(const whittle_v1_Reading& reading) const {
  if (reading.sensed.size > 0) return bits_of(reading.sensed, mask_.size());
  return reading.mask == 0 ? std::vector<bool>(mask_.size(), true) : mask_;
}

std::optional<SensedSample> ReadingReceiver::take_reading(const whittle_v1_Reading& reading) {
  if (!is_next(reading.seq)) return std::nullopt;
  last_sample_ = reading.sample;
  SensedSample sample{reading.sample, reading.mask, sensed_in(reading), {}};
  sample.values.assign(mask_.size(), kMissing);
  std::size_t next = 0;
  for (std::size_t r = 0; r < mask_.size(); ++r) {
    if (sample.sensed[r] && next < reading.values_count) sample.values[r] = reading.values[next++];
    const double value = static_cast<double>(sample.values[r]);
    if (value == value) {
      counts_[r] += 1;
      means_[r] += (value - means_[r]) / counts_[r];
    } else if (fill_ == Fill::baseline && counts_[r] > 0) {
      sample.values[r] = static_cast<float>(means_[r]);
    }
  }
  return sample;
}

}  // namespace whittle
