// examples/sensor_node/sensing on its boards in QEMU: it samples by its timer, prunes, and takes
// labels that come later.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "examples/sensor_node/sensing/replay_order.h"
#include "ports/posix/child_process.h"
#include "tests/host/sensing_messages.h"
#include "tests/host/stack_budgets.h"
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

// In a folder of its own, where the firmware keeps its snapshots.
class SensingFirmware : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    elf_ = std::string(WHITTLE_FIRMWARE_DIR) + "/" + GetParam() + "/sensing.elf";
    if (!std::filesystem::exists(elf_)) GTEST_SKIP() << elf_ << " is not built";
    ASSERT_EQ(rows_.size(), kReplayRows);
    std::string name = ::testing::TempDir() + "sensing.XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  std::unique_ptr<posix::ChildProcess> switch_on() const {
    const std::vector<std::string> qemu = posix::qemu_command(GetParam(), elf_);
    std::vector<std::string> command{"env", "-C", folder_};
    command.insert(command.end(), qemu.begin(), qemu.end());
    return std::make_unique<posix::ChildProcess>(command, std::string("qemu:") + GetParam());
  }

  static void set_up(SensorClient& client, std::uint32_t snapshot_every) {
    client.connect();
    client.send(configure_message("fisher", kReplayChannels, 40, 40, snapshot_every));
    ToSensor policy = policy_message(15, 120, 60);
    policy.body.policy.has_drift_block = true;  // none
    policy.body.policy.has_kept_readings = true;
    policy.body.policy.kept_readings = 100;  // for a host that is busy
    client.send(policy);
    client.start();
  }

  // False if the sample is not held any more, since this machine was busy for a second.
  bool label(SensorClient& client, std::uint64_t sample) const {
    try {
      client.label(sample, rows_[replay_row(sample)].label);
    } catch (const NodeRefusal& refusal) {
      EXPECT_EQ(refusal.error().code, StatusCode::not_found);
      return false;
    }
    return true;
  }

  // Expects what the sensors replay: the sample of this number.
  std::size_t expect_replayed(const SensedSample& sample) const {
    const DataRow& row = rows_[replay_row(sample.number)];
    std::size_t values = 0;
    for (std::size_t r = 0; r < kReplayChannels; ++r) {
      if (!sample.sensed[r]) continue;
      ++values;
      EXPECT_EQ(sample.values[r], row.values[r]) << sample.number << ' ' << r;
    }
    return values;
  }

  std::string elf_;
  std::string folder_;
  const std::vector<DataRow> rows_ = read_sonar();
};

TEST_P(SensingFirmware, SamplesPrunesAndTakesLateLabels) {
  const auto line = switch_on();
  SensorClient client(*line, kReplayChannels);
  set_up(client, 0);
  std::uint64_t last = 0;
  std::uint64_t left_out = 0;
  std::uint64_t next_label = 1;
  std::size_t values = 0;
  int labels = 0;
  while (last < 300) {
    for (const SensedSample& sample : client.poll(std::chrono::milliseconds(500))) {
      ASSERT_GT(sample.number, last);
      left_out += sample.number - last - 1;
      last = sample.number;
      values += expect_replayed(sample);
    }
    // Every fourth, ten samples late.
    for (; next_label + 10 < last; next_label += 4) {
      labels += label(client, next_label) ? 1 : 0;
    }
  }
  client.stop();
  EXPECT_GT(labels, 20);
  const whittle_v1_Sensing status = client.status();
  EXPECT_GE(status.mask_changes, 1U);
  EXPECT_LE(left_out, status.missed);  // none is lost otherwise
  EXPECT_EQ(status.dropped, 0U);
  EXPECT_EQ(status.refused, 0U);
  // A quarter of the channels, and one sample in sixteen of the others.
  EXPECT_LT(values, 300 * kReplayChannels * 3 / 4);
  std::size_t kept = 0;
  for (const bool on : client.receiver().mask()) kept += on ? 1 : 0;
  EXPECT_EQ(kept, 15U);
}

class RestartedFirmware : public SensingFirmware {};

// Nobody tells it anything after the power has come back.
TEST_P(RestartedFirmware, GoesOnByItselfAfterAPowerCut) {
  constexpr std::uint32_t kEvery = 25;
  std::uint64_t last = 0;
  {
    const auto line = switch_on();
    SensorClient client(*line, kReplayChannels);
    set_up(client, kEvery);
    while (last < 60) {
      for (const SensedSample& sample : client.poll(std::chrono::milliseconds(500))) {
        last = sample.number;
      }
    }
  }
  const auto line = switch_on();
  SensorClient client(*line, kReplayChannels);
  const whittle_v1_Info info = client.connect(last);
  EXPECT_TRUE(info.configured);
  EXPECT_STREQ(info.snapshot_refused, "");
  // First what the snapshot still held, at most as many as there are between two; then numbers are
  // left out.
  std::uint64_t left_out = 0;
  for (std::uint32_t taken = 0; taken < kEvery + 40;) {
    for (const SensedSample& sample : client.poll(std::chrono::milliseconds(500))) {
      ASSERT_GT(sample.number, last);
      left_out += sample.number - last - 1;
      last = sample.number;
      expect_replayed(sample);
      ++taken;
    }
  }
  const whittle_v1_Sensing status = client.status();
  EXPECT_GE(left_out, 1U);
  EXPECT_LT(left_out, 2 * kEvery + status.missed);
  EXPECT_TRUE(status.running);
  EXPECT_GE(status.samples + status.missed, 50U + 40U);  // it remembers those before
  const std::vector<StackBudget> budgets = stack_budgets("sensing");
  ASSERT_FALSE(budgets.empty());
  for (const auto& [board, budget] : budgets) {
    if (board != GetParam()) continue;
    const auto used = static_cast<long>(client.stats().stack_high_water);
    std::cout << "stack: " << board << " sensing " << used << '\n';
    EXPECT_GT(used, 200);
    EXPECT_LE(used, budget);
  }
}

std::string name_of(const testing::TestParamInfo<const char*>& board) {
  std::string name = board.param;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Boards, SensingFirmware, testing::Values("mps2-an385", "mps2-an386"),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Boards, RestartedFirmware, testing::Values("mps2-an386", "netduinoplus2"),
                         name_of);

}  // namespace
}  // namespace whittle
