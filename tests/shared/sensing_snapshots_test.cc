// A node that senses and is restarted goes on by itself, and its host takes every reading once.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/shared/flash_model.h"
#include "tests/shared/sensing_peer.h"
#include "whittle/node/node_snapshots.h"

namespace whittle::testing {
namespace {

constexpr std::uint8_t kBuild[20] = {1};
constexpr ProgramIdentity kHere = {Span<const std::uint8_t>(kBuild), "fake"};
constexpr std::uint64_t kSkip = 1U << 16;  // of numbers, where snapshots come when asked only

FlashModel flash(std::size_t pages = 24) { return {512, pages, 8}; }

Message snapshot_message() { return make_message(whittle_v1_ToNode_snapshot_tag); }

// A node with its snapshots in flash, just started.
struct FlashSensor {
  explicit FlashSensor(Storage& storage, std::size_t features = 4, std::size_t buffer = 8192)
      : snapshots(storage, kHere),
        owned(std::make_unique<SensingPeer>(features, &snapshots, buffer)),
        peer(*owned) {
    status = snapshots.restore(peer.node);
    peer.seq = peer.node.session().last_seq();
  }
  std::uint64_t digest() const {
    Digest digest;
    peer.sensing.pruner().digest(digest);
    digest.add(peer.node.service().ranker().state_digest());
    digest.add(peer.sensing.samples());
    digest.add(peer.node.service().samples().taken);
    return digest.value();
  }

  NodeSnapshots snapshots;
  const std::unique_ptr<SensingPeer> owned;  // too large for the stack
  SensingPeer& peer;
  Status status;
};

// What a host takes note of.
struct Taken {
  std::uint64_t seq = 0;
  std::uint64_t sample = 0;
  std::uint64_t digest = 0;  // of all of it
  float value = 0;           // the first

  explicit Taken(const whittle_v1_Reading& reading)
      : seq(reading.seq), sample(reading.sample), value(reading.values[0]) {
    Digest all;
    all.add(reading.mask);
    all.add_all(reading.sensed.bytes, reading.sensed.size);
    all.add_all(reading.values, reading.values_count);
    digest = all.value();
  }
  bool operator==(const Taken& other) const = default;
};

// The host's end: what it has taken, each seq once and in order.
class Host {
 public:
  void take(const FromSensor& message) {
    if (message.which_body == whittle_v1_FromSensor_sensing_tag) {
      if (message.body.sensing.resumed) joining_ = true;
    } else if (message.which_body == whittle_v1_FromSensor_mask_tag) {
      const whittle_v1_Mask& mask = message.body.mask;
      if (joining_ && mask.seq == 0) {
        joining_ = false;
        taken_ = mask.after;
      } else if (!joining_ && mask.seq == taken_ + 1) {
        ++taken_;
      }
    } else if (!joining_ && message.body.reading.seq == taken_ + 1) {
      ++taken_;
      readings.emplace_back(message.body.reading);
    }
  }
  SensorMessage answer() const {
    SensorMessage message = readings_message(taken_);
    message->body.readings.missing = true;
    message->body.readings.mask = joining_;
    message->body.readings.sample = last_sample();
    return message;
  }
  std::uint64_t last_sample() const { return readings.empty() ? 0 : readings.back().sample; }

  std::vector<Taken> readings;

 private:
  std::uint64_t taken_ = 0;
  bool joining_ = false;
};

// Takes what comes up, and answers.
void exchange(SensingPeer& peer, Host& host) {
  for (const FromSensor& message : peer.transmit()) host.take(message);
  peer.send(host.answer());
}

void sense(SensingPeer& peer, Host& host, int samples) {
  for (int i = 0; i < samples; ++i) {
    peer.sensing.sample(peer.node);
    exchange(peer, host);
  }
}

// Every fourth gets a label late.
void sense_and_label(SensingPeer& peer, Host& host, int samples) {
  for (int i = 0; i < samples; ++i) {
    sense(peer, host, 1);
    const std::uint64_t sensed = peer.sensors.samples;
    if (sensed % 4 != 0) continue;
    ASSERT_EQ(kinds(peer.send(label_message(peer.sensing.samples() - 2, sensed % 8 == 0 ? 1 : 0))),
              "A");
  }
}

SensorMessage drifting_policy() {
  SensorMessage message = policy_message();
  whittle_v1_Policy& policy = message->body.policy;
  policy.top = 2;
  policy.warm_up = 20;
  policy.update_every = 10;
  policy.dwell = 100;
  policy.probe_every = 4;
  policy.drift_block = 32;
  policy.has_recovery = policy.has_false_alarm_every = true;
  policy.recovery = 120;
  policy.false_alarm_every = 1000;
  return message;
}

// A snapshot after so many samples, the last of them not seen by the host; the sensors have changed
// before so many of them.
struct Moment {
  int samples;
  int unseen = 0;
  int shifted = 0;
};

void come_to(const Moment& moment, FlashSensor& sensor, Host& host) {
  sensor.peer.sensors.noisy = true;
  sensor.peer.start(drifting_policy(), "fisher");
  sense_and_label(sensor.peer, host, moment.samples - moment.unseen - moment.shifted);
  sensor.peer.sensors.shift = moment.shifted > 0 ? Real(50) : Real(0);
  sense_and_label(sensor.peer, host, moment.shifted);
  for (int i = 0; i < moment.unseen; ++i) sensor.peer.sample();
  ASSERT_EQ(kinds(sensor.peer.send(snapshot_message())), "A");
}

// The bytes of the role's status, but for what has been sent again: that is the line's doing.
Bytes statistics_of(SensingPeer& peer) {
  const SensorMessage ask = readings_message();
  ask->body.readings.status = true;
  peer.send(ask);
  FromSensor& status = peer.upwards.back();
  status.body.sensing.resent = 0;
  Bytes payload(kMaxPayload);
  payload.resize(encode(status, Span<std::uint8_t>(payload.data(), payload.size())));
  return payload;
}

void expect_to_go_on(const Moment& moment) {
  FlashModel storage = flash();
  FlashSensor steady(storage);
  Host steady_host;
  come_to(moment, steady, steady_host);
  ASSERT_EQ(steady.peer.sensing.pruner().recovering(), moment.shifted > 0);
  ASSERT_EQ(steady.peer.sensing.pruner().mask_id() > 0, moment.samples > 40);

  FlashSensor restored(storage);
  ASSERT_TRUE(restored.status.ok()) << restored.status.reason();
  Host restored_host = steady_host;
  restored.peer.sensors.noisy = true;
  restored.peer.sensors.samples = steady.peer.sensors.samples;
  restored.peer.sensors.shift = steady.peer.sensors.shift;
  // The steady one leaves out as many numbers as the restart did.
  const SensorMessage skip = steady_host.answer();
  skip->body.readings.start = true;
  skip->body.readings.sample = steady.peer.sensing.samples() + kSkip;
  steady.peer.send(skip);
  exchange(restored.peer, restored_host);
  // The first two are numbered past what was left out, so they have no label yet.
  sense(steady.peer, steady_host, 2);
  sense(restored.peer, restored_host, 2);
  for (int i = 2; i < 90; ++i) {
    sense_and_label(steady.peer, steady_host, 1);
    sense_and_label(restored.peer, restored_host, 1);
    ASSERT_EQ(steady.digest(), restored.digest()) << i;
  }
  ASSERT_EQ(steady_host.readings.size(), static_cast<std::size_t>(moment.samples + 90));
  ASSERT_EQ(restored_host.readings, steady_host.readings);
  const Bytes statistics = statistics_of(steady.peer);
  EXPECT_EQ(statistics, statistics_of(restored.peer));
  EXPECT_EQ(storage.misuses(), 0U);
}

TEST(SensingSnapshots, GoOnToTheSameBitsInTheWarmUp) { expect_to_go_on({7}); }
TEST(SensingSnapshots, GoOnToTheSameBitsWhileProbing) { expect_to_go_on({57}); }
TEST(SensingSnapshots, GoOnToTheSameBitsAfterAnAlarm) { expect_to_go_on({330, 0, 80}); }
TEST(SensingSnapshots, GoOnToTheSameBitsWithReadingsOnTheirWay) { expect_to_go_on({50, 17}); }

// A node that loses its power again and again, and its host, over a line that loses messages. Every
// value tells how many samples were taken before, in all lives.
class Lives {
 public:
  static constexpr std::uint32_t kEvery = 8;

  // `storage_fails`: in a quarter of the lives no snapshot can be written.
  explicit Lives(bool storage_fails) : storage_fails_(storage_fails) {
    FlashSensor first(storage);
    const SensorMessage policy = policy_message();
    policy->body.policy.top = 2;
    first.peer.start(policy, "variance", kEvery);
  }

  // Up to so many samples, unless the power goes before while a snapshot is written.
  void live(std::uint32_t samples) {
    FlashSensor sensor(storage);
    SensingPeer& peer = sensor.peer;
    ASSERT_TRUE(peer.sensing.running());
    peer.sensors.samples = sensed;
    peer.sensors.tell_number = true;
    const bool flash_works = !storage_fails_ || random.below(4) > 0;
    storage.cut_after(flash_works ? random.below(40000) : 0);
    for (std::uint32_t i = 0; i < samples; ++i) {
      peer.sensing.sample(peer.node, random.below(4) == 0 ? random.below(5) : 0);
      // The first is preceded by a snapshot.
      if (i > 0 || !flash_works || storage.powered()) sensed = peer.sensors.samples;
      if (flash_works && !storage.powered()) break;
      for (int turn = 0; turn < 3; ++turn) pass(peer);
    }
    cuts += storage.powered() ? 0 : 1;
    storage.power_up();
  }

  FlashModel storage = flash();
  TestRandom random{17};
  Host host;
  std::uint64_t sensed = 0;
  int cuts = 0;

 private:
  const bool storage_fails_;

  void pass(SensingPeer& peer) {
    for (const FromSensor& message : peer.transmit()) {
      if (random.below(5) > 0) host.take(message);
    }
    if (random.below(5) > 0) peer.send(host.answer());
  }
};

std::uint64_t value_of(const Taken& reading) { return static_cast<std::uint64_t>(reading.value); }

void expect_each_once(Lives& lives) {
  for (int life = 0; life < 40; ++life) lives.live(lives.random.below(50));
  ASSERT_GT(lives.cuts, 10);
  const std::vector<Taken>& taken = lives.host.readings;
  EXPECT_GT(taken.size(), lives.sensed / 2);
  for (std::size_t i = 1; i < taken.size(); ++i) {
    ASSERT_GT(value_of(taken[i]), value_of(taken[i - 1])) << i;
    ASSERT_GT(taken[i].sample, taken[i - 1].sample) << i;
  }
  EXPECT_EQ(lives.storage.misuses(), 0U);
}

TEST(SensingSnapshots, PowerCutsNeverMakeTheHostTakeAReadingTwice) {
  Lives lives(false);
  expect_each_once(lives);
  const std::vector<Taken>& taken = lives.host.readings;
  for (std::size_t i = 1; i < taken.size(); ++i) {  // what is missing shows in the numbers
    ASSERT_GE(taken[i].sample - taken[i - 1].sample, value_of(taken[i]) - value_of(taken[i - 1]));
  }
}

TEST(SensingSnapshots, NorDoesStorageThatFails) {
  Lives lives(true);
  expect_each_once(lives);
}

// At most what came after the last snapshot and was not sent is lost.
TEST(SensingSnapshots, LoseNoMoreThanCameSinceTheLast) {
  FlashModel storage = flash();
  Host host;
  std::uint64_t sensed = 0;
  {
    FlashSensor first(storage);
    first.peer.sensors.tell_number = true;
    first.peer.start(policy_message(), "variance", 8);
    sense(first.peer, host, 5);
    for (int i = 5; i < 20; ++i) first.peer.sample();  // the host is away
    sensed = first.peer.sensors.samples;
  }
  FlashSensor second(storage);
  second.peer.sensors.samples = sensed;
  second.peer.sensors.tell_number = true;
  sense(second.peer, host, 3);
  // 6 to 16 were in the snapshot; 17 to 20 are lost, and so many numbers left out as may be.
  ASSERT_EQ(host.readings.size(), 16U + 3U);
  for (std::size_t i = 0; i < host.readings.size(); ++i) {
    EXPECT_EQ(host.readings[i].sample, i < 16 ? i + 1 : 16 + 8 + i - 15);
    EXPECT_EQ(host.readings[i].value, static_cast<float>(i < 16 ? i + 1 : i + 5));
  }
}

TEST(SensingSnapshots, AreTakenWhenTheRoleIsSetUpAndEverySoManySamples) {
  FlashModel storage = flash();
  FlashSensor node(storage);
  node.peer.start(policy_message(), "variance", 8);
  EXPECT_EQ(node.peer.node.session().durable_seq(), 2U);  // the policy's
  const auto saves = [&] { return storage.wear(0, 0) + storage.wear(1, 0); };
  EXPECT_EQ(saves(), 2U);  // and the start
  for (int i = 0; i < 17; ++i) node.peer.sample();
  EXPECT_EQ(saves(), 4U);
  storage.cut_after(0);
  for (int i = 0; i < 8; ++i) node.peer.sample();
  EXPECT_EQ(node.snapshots.failed(), 1U);
  EXPECT_EQ(node.peer.sensing.samples(), 25U);
  storage.power_up();
  const SensorMessage stop = readings_message();
  stop->body.readings.stop = true;
  node.peer.send(stop);
  EXPECT_EQ(saves(), 5U);
  const FlashSensor stopped(storage);
  EXPECT_FALSE(stopped.peer.sensing.running());
  EXPECT_TRUE(stopped.peer.sensing.pruner().created());
}

TEST(SensingSnapshots, CountWhatWasMissed) {
  FlashModel storage = flash();
  FlashSensor first(storage);
  first.peer.start(policy_message());
  for (const std::uint32_t missed : {0U, 4U, 1U}) first.peer.sample(missed);
  ASSERT_EQ(kinds(first.peer.send(snapshot_message())), "A");
  first.peer.sample(2);
  FlashSensor second(storage);
  ASSERT_TRUE(second.status.ok()) << second.status.reason();
  EXPECT_EQ(second.peer.sensing.samples(), 8U + kSkip);
  EXPECT_EQ(second.peer.status().missed, 5U);
  second.peer.sample(1);
  EXPECT_EQ(second.peer.sensing.samples(), 10U + kSkip);
  EXPECT_EQ(second.peer.status().missed, 6U);
}

// A restart leaves out as many numbers as are given between two snapshots, missed ones too.
TEST(SensingSnapshots, ComeEarlierWhereSamplesAreMissed) {
  FlashModel storage = flash();
  FlashSensor first(storage);
  first.peer.start(policy_message(), "variance", 8);
  const auto saves = [&] { return storage.wear(0, 0) + storage.wear(1, 0); };
  EXPECT_EQ(saves(), 2U);
  for (const std::uint32_t missed : {0U, 0U, 4U}) first.peer.sample(missed);
  EXPECT_EQ(saves(), 2U);
  first.peer.sample();  // number 8
  EXPECT_EQ(saves(), 3U);
  first.peer.sample(~0U);
  EXPECT_EQ(saves(), 4U);
  first.peer.sample(6);
  EXPECT_EQ(saves(), 4U);
  const std::uint64_t last = first.peer.sensing.samples();
  FlashSensor second(storage);
  second.peer.sample();
  EXPECT_GT(second.peer.sensing.samples(), last);
}

// A host that does not know of the restart yet.
TEST(SensingSnapshots, NothingGoesUpAndNoAcknowledgementCountsBeforeTheHostIsAsked) {
  FlashModel storage = flash();
  {
    FlashSensor first(storage);
    first.peer.start(policy_message(), "variance", 4);
    first.peer.send(readings_message());
    for (int i = 0; i < 8; ++i) first.peer.sample();
  }
  FlashSensor second(storage);
  EXPECT_EQ(names(second.peer.transmit()), "S");
  int announced = 0;
  for (int look = 0; look < 500; ++look) {
    const std::string up = names(second.peer.transmit());
    ASSERT_TRUE(up.empty() || up == "S") << up;
    announced += up.empty() ? 0 : 1;
  }
  EXPECT_EQ(announced, 2);  // after one second, and two more
  second.peer.send(readings_message(9));
  EXPECT_EQ(names(std::exchange(second.peer.upwards, {})), "S");
  second.peer.sample();
  const SensorMessage there = readings_message(20);
  there->body.readings.mask = true;
  there->body.readings.sample = 7;
  second.peer.send(there);
  // From the seq that the host had come to on, so that none of before means one of these.
  const Upwards up = second.peer.transmit();
  ASSERT_EQ(names(up), "M0 R21 R22");
  EXPECT_EQ(up[0].body.mask.after, 20U);
  EXPECT_EQ(up[0].body.mask.id, 1U);
  EXPECT_EQ(up[1].body.reading.sample, 8U);
  EXPECT_EQ(up[2].body.reading.sample, 13U);
}

// A node that was reset has forgotten its policy, and goes on numbering.
TEST(SensingSnapshots, AResetIsDurable) {
  FlashModel storage = flash();
  {
    FlashSensor node(storage);
    node.peer.start(policy_message(), "variance", 4);
    for (int i = 0; i < 6; ++i) node.peer.sample();
    node.peer.send(make_message(whittle_v1_ToNode_reset_tag));
  }
  FlashSensor again(storage);
  EXPECT_FALSE(again.peer.sensing.pruner().created());
  EXPECT_EQ(names(again.peer.sample()), "");
  again.peer.start(policy_message());
  const Upwards first = again.peer.sample();
  ASSERT_EQ(names(first), "R1");
  EXPECT_GT(first[0].body.reading.sample, 6U);
}

TEST(SensingSnapshots, WhatDoesNotFitIsRefusedWithThePolicy) {
  FlashModel storage = flash(12);
  FlashSensor node(storage);
  const Message configure = configure_message("variance", 4, 2, 8, 8);
  configure->body.configure.snapshot_every = 8;
  ASSERT_EQ(kinds(node.peer.send(configure)), "A");
  const SensorMessage large = policy_message();
  large->body.policy.has_kept_readings = true;
  large->body.policy.kept_readings = 150;
  EXPECT_EQ(error_code(node.peer.send(large)), StatusCode::out_of_range);
  EXPECT_FALSE(node.peer.sensing.pruner().created());
  large->body.policy.kept_readings = 4;
  EXPECT_EQ(kinds(node.peer.send(large)), "A");
}

// Refused snapshots leave a node as new.
TEST(SensingSnapshots, OfOtherNodesOrDamagedAreRefused) {
  FlashModel storage = flash();
  {
    FlashSensor node(storage);
    node.peer.start(policy_message());
    for (int i = 0; i < 30; ++i) node.peer.sample();
    node.peer.send(snapshot_message());
  }
  const auto expect_new = [](const FlashSensor& node, StatusCode code, const std::string& text) {
    EXPECT_EQ(node.status.code(), code);
    EXPECT_EQ(std::string(node.snapshots.refusal()).substr(0, text.size()), text);
    EXPECT_FALSE(node.peer.sensing.pruner().created());
    EXPECT_FALSE(node.peer.sensing.running());
    EXPECT_FALSE(node.peer.node.service().configured());
    EXPECT_EQ(node.peer.node.service().arena().used(), 0U);
    EXPECT_EQ(node.peer.sensing.samples(), 0U);
  };
  expect_new(FlashSensor(storage, 5), StatusCode::invalid_argument, "snapshot of other sensors");
  expect_new(FlashSensor(storage, 4, 1000), StatusCode::resource_exhausted,
             "buffer for sensing too small");
  NodeSnapshots snapshots(storage, kHere);
  NodePeer ordinary(Catalog(kSensingTypes, kAllParts), &snapshots);
  EXPECT_EQ(snapshots.restore(ordinary.node).code(), StatusCode::invalid_argument);
  EXPECT_STREQ(snapshots.refusal(), "snapshot of another application");
  EXPECT_TRUE(FlashSensor(storage).status.ok());
  SnapshotHeader header;
  std::memcpy(&header, storage.bytes(0).data(), sizeof header);
  ASSERT_GT(header.part_bytes, 1000U);
  const std::size_t end = kSnapshotHeaderBytes + header.body_bytes;
  for (std::size_t at = end - header.part_bytes; at < end; at += 97) {
    storage.bytes(0)[at] ^= 4;
    expect_new(FlashSensor(storage), StatusCode::data_loss, "snapshot damaged");
    storage.bytes(0)[at] ^= 4;
  }
}

}  // namespace
}  // namespace whittle::testing
