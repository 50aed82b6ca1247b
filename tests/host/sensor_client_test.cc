#include "tools/client/sensor_client.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/host/sensor_line.h"

namespace whittle {
namespace {

constexpr std::size_t kFeatures = KnownSensors::kFeatures;
constexpr ClientOptions kQuick{std::chrono::milliseconds(5), std::chrono::milliseconds(20000)};

ToNode configure_message(const char* selector) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_configure_tag;
  std::strcpy(message.body.configure.selector, selector);
  message.body.configure.features = kFeatures;
  message.body.configure.classes = 2;
  message.body.configure.labelled = 64;
  message.body.configure.window = 65536;  // more than come before a lost label has come again
  return message;
}

ToSensor policy_message() {
  ToSensor message = whittle_v1_ToSensor_init_zero;
  message.which_body = whittle_v1_ToSensor_policy_tag;
  whittle_v1_Policy& policy = message.body.policy;
  policy.top = 2;
  policy.has_warm_up = policy.has_update_every = policy.has_dwell = true;
  policy.warm_up = 200;
  policy.update_every = 50;
  policy.dwell = 100;
  return message;
}

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

// Over a line that loses frames both ways: every reading that the node has kept comes once, in
// order, and whole.
TEST(SensorClient, TakesEveryReadingOnceOverANoisyLine) {
  SensorLine line(0.15, 0.001);
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  client.connect();
  client.send(configure_message("variance"));
  client.send(policy_message());
  client.start();
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

TEST(SensorClient, LabelsThatComeLaterChooseTheMask) {
  SensorLine line(0.05);
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  client.connect();
  client.send(configure_message("fisher"));
  client.send(policy_message());
  client.start();
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
    first.send(configure_message("variance"));
    first.send(policy_message());
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
  client.connect();
  client.send(configure_message("variance"));
  client.send(policy_message());
  client.start();
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

TEST(SensorClient, AnOrdinaryPolicyIsRefusedByName) {
  SensorLine line;
  SensorClient client(line, kFeatures, Fill::missing, kQuick);
  client.connect();
  client.send(configure_message("variance"));
  ToSensor policy = policy_message();
  policy.body.policy.top = 7;
  try {
    client.send(policy);
    FAIL() << "it should have been refused";
  } catch (const NodeRefusal& refusal) {
    EXPECT_EQ(refusal.error().code, StatusCode::out_of_range);
    EXPECT_NE(refusal.error().text.find("top"), std::string::npos);
  }
}

}  // namespace
}  // namespace whittle
