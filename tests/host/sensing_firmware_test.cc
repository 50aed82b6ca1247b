// examples/sensor_node/sensing on its boards in QEMU: it samples by its timer, prunes, and takes
// labels that come later.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "examples/sensor_node/sensing/replay_order.h"
#include "ports/posix/child_process.h"
#include "tools/client/sensor_client.h"

namespace whittle {
namespace {

struct DataRow {
  std::vector<float> values;
  std::uint32_t label = 0;
};

std::vector<DataRow> read_sonar() {
  std::ifstream file(std::string(WHITTLE_SOURCE_DIR) + "/tests/data/sonar.csv");
  std::vector<DataRow> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell;
    DataRow row;
    for (std::size_t r = 0; r < kReplayChannels && std::getline(cells, cell, ','); ++r) {
      row.values.push_back(std::stof(cell));
    }
    row.label = line.find('M') != std::string::npos ? 1 : 0;
    rows.push_back(row);
  }
  return rows;
}

ToNode configure_message() {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_configure_tag;
  whittle_v1_Configure& configure = message.body.configure;
  std::strcpy(configure.selector, "fisher");
  configure.features = kReplayChannels;
  configure.classes = 2;
  configure.labelled = 40;
  configure.window = 40;
  return message;
}

ToSensor policy_message() {
  ToSensor message = whittle_v1_ToSensor_init_zero;
  message.which_body = whittle_v1_ToSensor_policy_tag;
  whittle_v1_Policy& policy = message.body.policy;
  policy.top = 15;
  policy.has_warm_up = policy.has_update_every = policy.has_drift_block = true;
  policy.warm_up = 120;
  policy.update_every = 60;
  return message;
}

class SensingFirmware : public testing::TestWithParam<const char*> {};

TEST_P(SensingFirmware, SamplesPrunesAndTakesLateLabels) {
  const std::string board = GetParam();
  const std::string elf = std::string(WHITTLE_FIRMWARE_DIR) + "/" + board + "/sensing.elf";
  if (!std::filesystem::exists(elf)) GTEST_SKIP() << elf << " is not built";
  const std::vector<DataRow> rows = read_sonar();
  ASSERT_EQ(rows.size(), kReplayRows);

  posix::ChildProcess line(posix::qemu_command(board, elf), "qemu:" + board);
  SensorClient client(line, kReplayChannels);
  client.connect();
  client.send(configure_message());
  client.send(policy_message());
  client.start();
  std::uint64_t last = 0;
  std::uint64_t next_label = 1;
  std::size_t values = 0;
  while (last < 300) {
    for (const SensedSample& sample : client.poll(std::chrono::milliseconds(500))) {
      ASSERT_EQ(sample.number, last + 1);  // none is lost
      last = sample.number;
      const DataRow& row = rows[replay_row(sample.number)];
      for (std::size_t r = 0; r < kReplayChannels; ++r) {
        if (!sample.sensed[r]) continue;
        ++values;
        ASSERT_EQ(sample.values[r], row.values[r]) << sample.number << ' ' << r;
      }
    }
    // Every fourth, ten samples late.
    for (; next_label + 10 < last; next_label += 4) {
      client.label(next_label, rows[replay_row(next_label)].label);
    }
  }
  client.stop();
  const whittle_v1_Sensing status = client.status();
  EXPECT_GE(status.mask_changes, 1U);
  EXPECT_EQ(status.dropped, 0U);
  EXPECT_EQ(status.refused, 0U);
  // A quarter of the channels, and one sample in sixteen of the others.
  EXPECT_LT(values, 300 * kReplayChannels * 3 / 4);
  std::size_t kept = 0;
  for (const bool on : client.receiver().mask()) kept += on ? 1 : 0;
  EXPECT_EQ(kept, 15U);
}

INSTANTIATE_TEST_SUITE_P(Boards, SensingFirmware, testing::Values("mps2-an385", "mps2-an386"),
                         [](const auto& board) {
                           std::string name = board.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace whittle
