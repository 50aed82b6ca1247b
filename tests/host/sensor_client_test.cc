#include "tools/client/sensor_client.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/host/sensing_messages.h"
#include "tests/host/sensor_line.h"

namespace whittle {
namespace {

constexpr std::size_t kFeatures = KnownSensors::kFeatures;
constexpr ClientOptions kQuick{std::chrono::milliseconds(5), std::chrono::milliseconds(20000)};

// More are held than come before a lost label has come again.
ToNode configure(const char* selector, std::uint32_t snapshot_every = 0) {
  return configure_message(selector, kFeatures, 64, 65536, snapshot_every);
}

ToSensor policy() { return policy_message(2, 200, 50); }

// What a sensed sample must be, unless values have been filled in.
void expect_known(const SensedSample& sample) {
  for (std::size_t r = 0; r < kFeatures; ++r) {
    if (sample.sensed[r]) {
      ASSERT_EQ(sample.values[r], KnownSensors::value(sample.number, r)) << sample.number;
    } else {
      ASSERT_TRUE(std::isnan(sample.values[r])) << sample.number;
    }
  }
}

void start(SensorClient& client, const ToNode& config) {
  client.connect();
  client.send(config);
  client.send(policy());
  client.start();
}

// Over a line that loses frames both ways: every reading that the node has kept comes once, in
// order, and whole.
TEST(SensorClient, TakesEveryReadingOnceOverANoisyLine) {
  SensorLine line(0.15, 0.001);
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  start(client, configure("variance"));
  std::uint64_t last = 0;
  std::uint64_t taken = 0;
  std::uint64_t left_out = 0;
  while (taken < 2500) {
    for (const SensedSample& sample : client.poll(std::chrono::milliseconds(0))) {
      ASSERT_GT(sample.number, last);
      left_out += sample.number - last - 1;
      last = sample.number;
      ++taken;
      expect_known(sample);
    }
  }
  EXPECT_GT(client.receiver().gaps(), 50U);
  const whittle_v1_Sensing status = client.status();
  EXPECT_GT(status.resent, 50U);
  EXPECT_LE(left_out, status.dropped);
  EXPECT_EQ(status.mask_changes, 1U);
  EXPECT_EQ(last - left_out, taken);
}

// A late label, and the sample may be one that a restarted node does not know any more.
void label_if_held(SensorClient& client, std::uint64_t sample) {
  try {
    client.label(sample, KnownSensors::label(sample));
  } catch (const NodeRefusal& refusal) {
    EXPECT_EQ(refusal.error().code, StatusCode::not_found);
  }
}

TEST(SensorClient, TakesEveryReadingOnceThoughTheNodeRestarts) {
  SensorLine line(0.1, 0.0005, true);
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  start(client, configure_message("fisher", kFeatures, 64, 64, 20));
  std::uint64_t last = 0;
  std::uint64_t last_sensed = 0;
  std::uint64_t lost = 0;
  for (unsigned polls = 1; polls <= 6000; ++polls) {
    if (polls % 173 == 0) line.restart();
    for (const SensedSample& sample : client.poll(std::chrono::milliseconds(0))) {
      ASSERT_EQ(line.sensed(sample.number).size(), 1U);  // no number is given twice
      const std::uint64_t sensed = line.sensed(sample.number).front();
      ASSERT_GT(sensed, last_sensed);
      ASSERT_GE(sample.number - last, sensed - last_sensed);  // what is lost shows
      lost += sensed - last_sensed - 1;
      last = sample.number;
      last_sensed = sensed;
      for (std::size_t r = 0; r < kFeatures; ++r) {
        if (!sample.sensed[r]) continue;
        ASSERT_EQ(sample.values[r], KnownSensors::value(sensed, r));
      }
    }
    if (polls % 97 == 0 && last > 10) label_if_held(client, last - 5);
  }
  const whittle_v1_Sensing status = client.status();
  EXPECT_TRUE(status.running);
  EXPECT_GT(client.receiver().taken(), 2000U);
  EXPECT_LE(lost, status.dropped + (6000 / 173 + 1) * 20);
}

// A client that comes after another is given what that had not taken, and no more.
TEST(SensorClient, AClientThatKnowsWhatWasTakenGoesOnAfterIt) {
  SensorLine line(0, 0, true);
  std::uint64_t last = 0;
  {
    SensorClient first(line, kFeatures, Fill::missing, kQuick);
    first.connect();
    first.send(configure_message("variance", kFeatures, 64, 64, 10));
    first.send(policy());
    first.start();
    while (last < 55) {
      for (const SensedSample& sample : first.poll(std::chrono::milliseconds(0))) {
        last = sample.number;
      }
    }
  }
  line.restart();
  SensorClient second(line, kFeatures, Fill::missing, kQuick);
  second.connect(last);
  std::vector<SensedSample> samples;
  while (samples.empty()) samples = second.poll(std::chrono::milliseconds(0));
  EXPECT_GT(samples.front().number, last);
  EXPECT_LE(samples.front().number, last + 20);
}

TEST(SensorClient, SaysThatANodeHasForgotten) {
  SensorLine line;
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  client.connect();
  client.send(configure("variance"));
  client.send(policy());
  line.restart();
  EXPECT_THROW(client.label(1, 0), posix::LineError);
  EXPECT_FALSE(client.connect().configured);
}

TEST(SensorClient, LabelsThatComeLaterChooseTheMask) {
  SensorLine line(0.05);
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  start(client, configure("fisher"));
  const std::vector<bool> told{true, true, false, false, false, false};
  std::uint64_t labels = 0;
  while (labels < 100 || (client.receiver().mask() != told && labels < 400)) {
    std::uint64_t newest = 0;
    for (const SensedSample& sample : client.poll(std::chrono::milliseconds(0))) {
      newest = sample.number;
    }
    if (newest < 20) continue;
    client.label(newest - 10, KnownSensors::label(newest - 10));
    ++labels;
  }
  EXPECT_EQ(client.receiver().mask(), told);
  const whittle_v1_Ranking page = client.query({0, 0, 0});
  EXPECT_EQ(page.labelled, labels);
  EXPECT_THROW(client.label(1'000'000, 0), NodeRefusal);
}

TEST(SensorClient, AHostThatComesLaterGoesOn) {
  SensorLine line;
  std::uint64_t last = 0;
  {
    SensorClient first(line, kFeatures, Fill::missing, kQuick);
    first.connect();
    first.send(configure("variance"));
    first.send(policy());
    first.start();
    while (last < 300) {
      for (const SensedSample& sample : first.poll(std::chrono::milliseconds(0))) {
        last = sample.number;
      }
    }
  }
  SensorClient second(line, kFeatures, Fill::missing, kQuick);
  EXPECT_TRUE(second.connect().configured);
  int taken = 0;
  while (taken < 200) {
    for (const SensedSample& sample : second.poll(std::chrono::milliseconds(0))) {
      expect_known(sample);
      if (taken == 0) {
        EXPECT_LE(sample.number, last + 40);
        EXPECT_GE(sample.number, last - 8);
      }
      ++taken;
    }
  }
  second.stop();
  EXPECT_FALSE(line.sensing().running());
}

TEST(SensorClient, FillsInTheMeanOfWhatWasSensed) {
  SensorLine line;
  SensorClient client(line, kFeatures, Fill::baseline, kQuick);
  start(client, configure("variance"));
  int filled = 0;
  while (filled < 500) {
    for (const SensedSample& sample : client.poll(std::chrono::milliseconds(0))) {
      for (std::size_t r = 0; r < kFeatures; ++r) {
        if (sample.sensed[r]) continue;
        ++filled;
        const double mean = 0.5 + static_cast<double>(r) + (r < 2 ? 1.0 / 3 : 0);
        ASSERT_NEAR(static_cast<double>(sample.values[r]), mean, 0.1);
      }
    }
  }
}

// Each time the line loses the error alone, and then the acknowledgement too.
TEST(SensorClient, NoticesARefusalThatTheLineLoses) {
  SensorLine line;
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  start(client, configure("fisher"));
  int left = 0;
  bool acks_too = false;
  line.lose([&](const FromNode& answer) {
    return (is_error(answer) || (acks_too && is_ack(answer))) && left-- > 0;
  });
  for (const bool too : {false, true}) {
    acks_too = too;
    left = 4;
    try {
      client.label(1'000'000, 0);
      ADD_FAILURE() << "taken";
    } catch (const NodeRefusal& refusal) {
      EXPECT_EQ(refusal.error().code, StatusCode::not_found);
    }
    EXPECT_LT(left, 0);
  }
  EXPECT_EQ(client.stats().refused, 2U);
}

TEST(SensorClient, AnOrdinaryPolicyIsRefusedByName) {
  SensorLine line;
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  client.connect();
  client.send(configure("variance"));
  try {
    client.send(policy_message(7, 200, 50));
    FAIL() << "it should have been refused";
  } catch (const NodeRefusal& refusal) {
    EXPECT_EQ(refusal.error().code, StatusCode::out_of_range);
    EXPECT_NE(refusal.error().text.find("top"), std::string::npos);
  }
}

}  // namespace
}  // namespace whittle
