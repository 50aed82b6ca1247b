// SensingPeer: a node that senses, on a FakePort, and the host at the other end of its line.
#ifndef WHITTLE_TESTS_SHARED_SENSING_PEER_H_
#define WHITTLE_TESTS_SHARED_SENSING_PEER_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/shared/node_peer.h"
#include "whittle/base/random.h"
#include "whittle/node/sensing.h"
#include "whittle/select/fisher.h"

namespace whittle::testing {

inline constexpr const SelectorType* kSensingTypes[] = {&kVariance, &kFisher};

// Feature r of sample n is n + r / 8; feature 0 varies most, so that variance ranks 0, 1, 2, ...
class CountingSensors final : public SensorDriver {
 public:
  explicit CountingSensors(std::size_t features) : features_(features) {}
  std::size_t features() const override { return features_; }
  void read(Span<const bool> mask, Span<Real> values) override {
    ++samples;
    for (std::size_t r = 0; r < features_; ++r) {
      if (!mask[r]) continue;
      values[r] = tell_number ? static_cast<Real>(samples) : value(samples, r);
      if (noisy) values[r] = shift + static_cast<Real>(Random(samples * 31 + r).below(1000)) / 100;
    }
  }
  static Real value(std::uint64_t sample, std::size_t r) {
    return static_cast<Real>(sample % 7) / static_cast<Real>(r + 1) + static_cast<Real>(r);
  }

  std::uint64_t samples = 0;
  bool tell_number = false;  // every value is the number of the sample instead,
  bool noisy = false;        // or noise, shifted
  Real shift = 0;

 private:
  std::size_t features_;
};

using SensorMessage = std::unique_ptr<ToSensor>;
using Upwards = std::vector<FromSensor>;

inline SensorMessage policy_message() {
  auto message = std::make_unique<ToSensor>();
  message->which_body = whittle_v1_ToSensor_policy_tag;
  whittle_v1_Policy& policy = message->body.policy;
  policy.has_warm_up = policy.has_update_every = policy.has_dwell = policy.has_drift_block = true;
  policy.warm_up = 4;
  policy.update_every = 4;
  policy.has_probe_every = true;
  return message;
}

inline SensorMessage readings_message(std::uint64_t acked = 0) {
  auto message = std::make_unique<ToSensor>();
  message->which_body = whittle_v1_ToSensor_readings_tag;
  message->body.readings.acked = acked;
  return message;
}

class SensingPeer {
 public:
  explicit SensingPeer(std::size_t features = 4, SnapshotKeeper* keeper = nullptr,
                       std::size_t sensing_bytes = sizeof sensing_buffer)
      : sensors(features),
        sensing(sensors, sensing_buffer, sensing_bytes),
        node(port, Catalog(kSensingTypes, kAllParts), buffer, sizeof buffer, keeper, &sensing) {}

  Replies send(const Message& message) { return send_bytes(NodePeer::frame(*message, ++seq)); }
  Replies send(const SensorMessage& message) {
    const bool counted = message->which_body != whittle_v1_ToSensor_readings_tag;
    message->seq = counted ? ++seq : 0;
    Bytes payload(kMaxPayload);
    payload.resize(encode(*message, Span<std::uint8_t>(payload.data(), payload.size())));
    return send_bytes(frame_of(payload));
  }
  Replies send_bytes(const Bytes& bytes) {
    append(port.to_node, bytes);
    node.poll();
    return collect();
  }

  // Configures, sets the policy and starts.
  void start(const SensorMessage& policy, const char* selector = "variance",
             std::uint32_t snapshot_every = 0) {
    const Message configure =
        configure_message(selector, static_cast<std::uint32_t>(sensors.features()), 2, 8, 8);
    configure->body.configure.snapshot_every = snapshot_every;
    ASSERT_EQ(kinds(send(configure)), "A");
    ASSERT_EQ(kinds(send(policy)), "A");
    const SensorMessage go = readings_message();
    go->body.readings.start = true;
    send(go);
    ASSERT_TRUE(sensing.running());
  }

  // One sample, after so many missed, and what comes of it.
  Upwards sample(std::uint32_t missed = 0) {
    sensing.sample(node, missed);
    return transmit();
  }
  Upwards transmit() {
    sensing.transmit(node);
    collect();
    return std::exchange(upwards, {});
  }

  whittle_v1_Sensing status() {
    const SensorMessage ask = readings_message();
    ask->body.readings.status = true;
    send(ask);
    const FromSensor answer = upwards.back();
    EXPECT_EQ(answer.which_body, whittle_v1_FromSensor_sensing_tag);
    upwards.pop_back();
    return answer.body.sensing;
  }

  CountingSensors sensors;
  FakePort port;
  Upwards upwards;  // not taken yet
  std::uint64_t seq = 0;
  alignas(kArenaAlignment) unsigned char sensing_buffer[8192] = {};
  alignas(kArenaAlignment) unsigned char buffer[16384] = {};
  Sensing sensing;
  Node node;

 private:
  // Answers; what goes up by itself is put into `upwards`.
  Replies collect() {
    Replies all;
    for (const std::uint8_t byte : port.from_node) {
      if (!deframer_.push(byte)) continue;
      upwards.emplace_back();
      if (decode(deframer_.payload(), upwards.back()) && upwards.back().which_body != 0) continue;
      upwards.pop_back();
      all.emplace_back();
      if (!decode(deframer_.payload(), all.back())) all.back().which_body = 0;
    }
    port.from_node.clear();
    return all;
  }

  std::uint8_t receive_buffer_[kMaxPayload + kCrcBytes];
  Deframer deframer_{Span<std::uint8_t>(receive_buffer_)};
};

// R7 a reading with seq 7, M8 a mask, S statistics.
inline std::string names(const Upwards& upwards) {
  std::string text;
  for (const FromSensor& message : upwards) {
    if (!text.empty()) text += ' ';
    if (message.which_body == whittle_v1_FromSensor_reading_tag) {
      text += "R" + std::to_string(message.body.reading.seq);
    } else if (message.which_body == whittle_v1_FromSensor_mask_tag) {
      text += "M" + std::to_string(message.body.mask.seq);
    } else {
      text += "S";
    }
  }
  return text;
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_SENSING_PEER_H_
