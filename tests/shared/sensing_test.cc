// The sensing role: policies over the line, readings and masks up, labels down.
#include "whittle/node/sensing.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/shared/sensing_peer.h"

namespace whittle::testing {
namespace {

TEST(Sensing, AnOrdinaryNodeRefusesAPolicy) {
  NodePeer peer;
  const auto send = [&](const SensorMessage& message, std::uint64_t seq) {
    message->seq = seq;
    Bytes payload(kMaxPayload);
    payload.resize(encode(*message, Span<std::uint8_t>(payload.data(), payload.size())));
    return peer.send_bytes(frame_of(payload));
  };
  const Replies replies = send(policy_message(), 1);
  EXPECT_EQ(kinds(replies), "EA");
  EXPECT_EQ(error_code(replies), StatusCode::unimplemented);
  EXPECT_EQ(kinds(send(readings_message(), 0)), "E");
}

TEST(Sensing, RefusesPoliciesThatMakeNoSense) {
  SensingPeer peer;
  EXPECT_EQ(error_code(peer.send(policy_message())), StatusCode::failed_precondition);
  peer.send(configure_message("variance", 4));
  SensorMessage costs = std::make_unique<ToSensor>();
  costs->which_body = whittle_v1_ToSensor_costs_tag;
  EXPECT_EQ(error_code(peer.send(costs)), StatusCode::failed_precondition);
  const auto refused = [&](auto change) {
    SensorMessage message = policy_message();
    change(message->body.policy);
    return error_code(peer.send(message));
  };
  using P = whittle_v1_Policy;
  EXPECT_EQ(refused([](P& p) {
              const std::uint32_t rule = 9;
              std::memcpy(&p.rule, &rule, sizeof p.rule);
            }),
            StatusCode::invalid_argument);
  EXPECT_EQ(refused([](P& p) { p.top = 5; }), StatusCode::out_of_range);
  EXPECT_EQ(refused([](P& p) {
              p.has_kept_readings = true;
              p.kept_readings = 1;
            }),
            StatusCode::out_of_range);
  EXPECT_EQ(refused([](P& p) {
              p.has_kept_readings = true;
              p.kept_readings = 60000;
            }),
            StatusCode::resource_exhausted);
  EXPECT_EQ(refused([](P&) {}), StatusCode::ok);
  EXPECT_EQ(refused([](P&) {}), StatusCode::failed_precondition);  // there is one

  SensingPeer other(4);
  other.send(configure_message("variance", 3));
  EXPECT_EQ(error_code(other.send(policy_message())), StatusCode::invalid_argument);
}

TEST(Sensing, SensesNothingUntilItIsStarted) {
  SensingPeer peer;
  EXPECT_EQ(names(peer.sample()), "");
  peer.start(policy_message());
  EXPECT_EQ(names(peer.sample()), "R1");
  const SensorMessage stop = readings_message(1);
  stop->body.readings.stop = true;
  peer.send(stop);
  EXPECT_EQ(names(peer.sample()), "");
  EXPECT_EQ(peer.sensors.samples, 1U);
}

TEST(Sensing, SendsOnlyWhatWasSensedAfterItsMask) {
  SensingPeer peer;
  const SensorMessage policy = policy_message();
  policy->body.policy.top = 2;
  policy->body.policy.probe_every = 4;
  policy->body.policy.has_learn_from_every_sample = true;
  policy->body.policy.learn_from_every_sample = true;
  peer.start(policy);
  Upwards all;
  for (std::uint64_t i = 1; i <= 40; ++i) {
    for (const FromSensor& message : peer.sample()) all.push_back(message);
    peer.send(readings_message(all.size()));
  }
  std::size_t masks = 0;
  std::size_t beside = 0;
  std::uint64_t seq = 0;
  std::uint64_t sample = 0;
  for (const FromSensor& message : all) {
    if (message.which_body == whittle_v1_FromSensor_mask_tag) {
      ++masks;
      EXPECT_EQ(message.body.mask.seq, ++seq);
      EXPECT_EQ(message.body.mask.id, 1U);
      EXPECT_EQ(message.body.mask.mask.bytes[0], 3);
      EXPECT_EQ(sample, 4U);  // after the warm-up
      continue;
    }
    const whittle_v1_Reading& reading = message.body.reading;
    EXPECT_EQ(reading.seq, ++seq);
    EXPECT_EQ(reading.sample, ++sample);
    EXPECT_EQ(reading.mask, sample <= 4 ? 0U : 1U);
    unsigned sensed = sample <= 4 ? 15 : 3;
    if (reading.sensed.size > 0) {
      ++beside;
      sensed = reading.sensed.bytes[0];
      EXPECT_EQ(sensed & 3U, 3U);
      EXPECT_GT(sensed, 3U);
    }
    std::size_t next = 0;
    for (std::size_t r = 0; r < 4; ++r) {
      if ((sensed >> r & 1U) == 0) continue;
      ASSERT_LT(next, reading.values_count);
      EXPECT_EQ(reading.values[next++], static_cast<float>(CountingSensors::value(sample, r)));
    }
    EXPECT_EQ(next, reading.values_count);
  }
  EXPECT_EQ(masks, 1U);
  EXPECT_EQ(sample, 40U);
  EXPECT_EQ(beside, 2U * 9U);  // two pruned features, nine periods
}

TEST(Sensing, SendsAgainWhatIsNotAcknowledged) {
  SensingPeer peer;
  peer.start(policy_message());
  for (int i = 0; i < 3; ++i) peer.sample();
  EXPECT_EQ(names(peer.transmit()), "");
  const SensorMessage gap = readings_message(1);
  gap->body.readings.missing = true;
  peer.send(gap);
  EXPECT_EQ(names(peer.transmit()), "R2 R3");
  peer.send(readings_message(2));
  EXPECT_EQ(names(peer.transmit()), "");
  std::string later;
  for (int look = 0; look < 120 && later.empty(); ++look) later = names(peer.transmit());
  EXPECT_EQ(later, "R3");
  peer.send(readings_message(3));
  for (int look = 0; look < 300; ++look) EXPECT_EQ(names(peer.transmit()), "");
  peer.send(readings_message(9));  // was never sent
  EXPECT_EQ(names(peer.sample()), "R4");
}

TEST(Sensing, NeverSendsMoreThanTheCredits) {
  SensingPeer peer;
  peer.start(policy_message());
  const SensorMessage slow = readings_message();
  slow->body.readings.credits = 2;
  peer.send(slow);
  EXPECT_EQ(names(peer.sample()), "R1");
  EXPECT_EQ(names(peer.sample()), "R2");
  EXPECT_EQ(names(peer.sample()), "");
  peer.send(readings_message(1));
  EXPECT_EQ(names(peer.transmit()), "R3");
}

TEST(Sensing, AFullRingDropsTheNewestAndCountsIt) {
  SensingPeer peer;
  const SensorMessage policy = policy_message();
  policy->body.policy.has_kept_readings = true;
  policy->body.policy.kept_readings = 4;
  policy->body.policy.warm_up = 100;
  peer.start(policy);
  for (int i = 0; i < 10; ++i) peer.sample();
  EXPECT_EQ(peer.sensing.pruner().statistics().samples, 10U);
  peer.send(readings_message(4));
  const Upwards next = peer.sample();
  ASSERT_EQ(names(next), "R5");  // no seq is left out
  EXPECT_EQ(next[0].body.reading.sample, 11U);
  const SensorMessage ask = readings_message(4);
  ask->body.readings.status = true;
  peer.send(ask);
  ASSERT_EQ(names(peer.upwards), "S");
  const whittle_v1_Sensing& status = peer.upwards[0].body.sensing;
  EXPECT_EQ(status.dropped, 6U);
  EXPECT_EQ(status.waiting, 1U);
  EXPECT_EQ(status.samples, 11U);
  EXPECT_EQ(status.cells, 44U);
}

// What was due while the node was busy shows in the numbers, and is counted.
TEST(Sensing, LeavesOutTheNumbersOfSamplesMissed) {
  SensingPeer peer;
  EXPECT_EQ(names(peer.sample(7)), "");
  peer.start(policy_message(), "fisher");
  EXPECT_EQ(peer.sample()[0].body.reading.sample, 1U);  // before the start none is missed
  const Upwards next = peer.sample(3);
  ASSERT_EQ(names(next), "R2");  // no seq is left out
  EXPECT_EQ(next[0].body.reading.sample, 5U);
  EXPECT_EQ(peer.sample()[0].body.reading.sample, 6U);
  EXPECT_EQ(kinds(peer.send(label_message(5, 1))), "A");
  EXPECT_EQ(error_code(peer.send(label_message(4, 1))), StatusCode::not_found);
  EXPECT_EQ(peer.status().missed, 3U);
  EXPECT_EQ(peer.status().samples, 3U);
  EXPECT_EQ(peer.sensors.samples, 3U);

  const SensorMessage stop = readings_message(3);
  stop->body.readings.stop = true;
  peer.send(stop);
  peer.sample(9);
  EXPECT_EQ(peer.status().missed, 3U);
  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  peer.start(policy_message());
  EXPECT_EQ(peer.status().missed, 0U);
  constexpr std::uint32_t kMost = ~0U;
  EXPECT_EQ(peer.sample(kMost)[0].body.reading.sample, std::uint64_t{6} + kMost + 1);
  EXPECT_EQ(peer.status().missed, kMost);
}

TEST(Sensing, TellsAHostThatComesLaterWhereThingsAre) {
  SensingPeer peer;
  const SensorMessage policy = policy_message();
  policy->body.policy.top = 1;
  peer.start(policy);
  std::uint64_t seen = 0;
  for (int i = 0; i < 10; ++i) seen += peer.sample().size();
  EXPECT_EQ(seen, 8U);  // the credits
  peer.send(readings_message(7));
  peer.transmit();
  const SensorMessage ask = readings_message();
  ask->body.readings.mask = true;
  peer.send(ask);
  ASSERT_EQ(names(peer.upwards), "M0");
  const whittle_v1_Mask& mask = peer.upwards[0].body.mask;
  EXPECT_EQ(mask.id, 1U);
  EXPECT_EQ(mask.mask.bytes[0], 1);
  EXPECT_EQ(mask.after, 7U);
}

// A late label names the number of the sample, and counts.
TEST(Sensing, LabelsComeLater) {
  SensingPeer peer;
  peer.start(policy_message(), "fisher");
  for (int i = 0; i < 4; ++i) peer.sample();
  EXPECT_EQ(kinds(peer.send(label_message(2, 1))), "A");
  EXPECT_EQ(kinds(peer.send(label_message(3, 0))), "A");
  EXPECT_EQ(error_code(peer.send(label_message(2, 0))), StatusCode::failed_precondition);
  EXPECT_EQ(error_code(peer.send(label_message(9, 0))), StatusCode::not_found);
  const SampleCounts& counts = peer.node.service().ranker().memory().counts();
  EXPECT_EQ(counts.labelled, 2U);
  EXPECT_EQ(counts.total(), 4U);
}

TEST(Sensing, ResetEndsIt) {
  SensingPeer peer;
  peer.start(policy_message());
  peer.sample();
  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  EXPECT_EQ(names(peer.sample()), "");
  EXPECT_FALSE(peer.sensing.running());
  peer.start(policy_message());
  const Upwards first = peer.sample();
  ASSERT_EQ(names(first), "R1");
  EXPECT_EQ(first[0].body.reading.sample, 2U);  // numbers of samples go on
}

TEST(Sensing, CostsAndGroupsComeOverTheLine) {
  SensingPeer peer;
  peer.send(configure_message("variance", 4));
  const SensorMessage policy = policy_message();
  policy->body.policy.rule = whittle_v1_Rule_BUDGET;
  policy->body.policy.budget = 5;
  policy->body.policy.groups = 1;
  policy->body.policy.probe_every = 0;
  ASSERT_EQ(kinds(peer.send(policy)), "A");
  SensorMessage costs = std::make_unique<ToSensor>();
  costs->which_body = whittle_v1_ToSensor_costs_tag;
  whittle_v1_Costs& body = costs->body.costs;
  body.features_count = body.groups_count = 4;
  for (int r = 0; r < 4; ++r) body.features[r] = 1;
  body.groups[0] = body.groups[3] = 2;
  EXPECT_EQ(error_code(peer.send(costs)), StatusCode::out_of_range);  // there is one group
  body.groups[0] = body.groups[3] = 1;
  EXPECT_EQ(kinds(peer.send(costs)), "A");
  SensorMessage group = std::make_unique<ToSensor>();
  group->which_body = whittle_v1_ToSensor_costs_tag;
  group->body.costs.group_costs_count = 1;
  group->body.costs.group_costs[0] = 3;
  EXPECT_EQ(kinds(peer.send(group)), "A");
  const SensorMessage go = readings_message();
  go->body.readings.start = true;
  peer.send(go);
  for (int i = 0; i < 20; ++i) peer.sample();
  // The group is worth most, and costs all there is.
  EXPECT_EQ(peer.sensing.pruner().mask_cost(), Real(5));
  EXPECT_EQ(peer.sensing.pruner().full_cost(), Real(7));
  EXPECT_TRUE(peer.sensing.pruner().mask()[0] && peer.sensing.pruner().mask()[3]);
  EXPECT_EQ(error_code(peer.send(costs)), StatusCode::failed_precondition);
}

// What is no message of the role, and rubbish, changes nothing.
TEST(Sensing, OutlivesRubbish) {
  SensingPeer peer;
  peer.start(policy_message());
  peer.sample();
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    Bytes payload(random.below(40));
    for (std::uint8_t& byte : payload) byte = static_cast<std::uint8_t>(random.next());
    if (i % 2 == 0) append(payload, {0x8A, 0x01, 0x02, 0x08, 0x00});  // readings, cut or not
    peer.send_bytes(frame_of(payload));
  }
  EXPECT_TRUE(peer.sensing.pruner().created());
  EXPECT_EQ(peer.sensing.samples(), 1U);
}

}  // namespace
}  // namespace whittle::testing
