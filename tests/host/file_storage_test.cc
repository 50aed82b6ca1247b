// Snapshots in files: the storage, and a node process that is killed and started again.
#include "ports/posix/file_storage.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ports/posix/build_id.h"
#include "tests/host/cli_harness.h"

namespace whittle {
namespace {

// A path for two files, which go with the test.
class StatePath {
 public:
  ~StatePath() {
    for (const char* slot : {".0", ".1"}) ::unlink((path() + slot).c_str());
  }
  std::string path() const { return file_.path() + "_state"; }

 private:
  TempFile file_{""};
};

TEST(FileStorage, HoldsWhatIsWritten) {
  const StatePath state;
  const std::vector<std::uint8_t> bytes = {1, 2, 3};
  {
    posix::FileStorage storage(state.path(), 4096);
    ASSERT_TRUE(storage.erase(0, 1000).ok());
    ASSERT_TRUE(storage.write(0, 500, {bytes.data(), bytes.size()}).ok());
    ASSERT_TRUE(storage.flush().ok());
  }
  posix::FileStorage storage(state.path(), 4096);
  std::uint8_t out[6] = {};
  ASSERT_TRUE(storage.read(0, 498, out).ok());
  EXPECT_EQ(std::vector<std::uint8_t>(out + 2, out + 6),
            (std::vector<std::uint8_t>{1, 2, 3, 0xFF}));
  ASSERT_TRUE(storage.read(0, 0, out).ok());
  EXPECT_EQ(out[0], 0xFF);
  ASSERT_TRUE(storage.read(1, 0, out).ok());
  EXPECT_EQ(out[5], 0xFF);
}

TEST(FileStorage, ThatHasBeenRemovedHoldsNothing) {
  const StatePath state;
  posix::FileStorage storage(state.path(), 4096);
  ASSERT_TRUE(storage.flush().ok());
  ASSERT_EQ(::unlink((state.path() + ".1").c_str()), 0);
  EXPECT_EQ(storage.flush().code(), StatusCode::data_loss);
}

TEST(FileStorage, IsForOneAtATime) {
  const StatePath state;
  const posix::FileStorage storage(state.path(), 4096);
  EXPECT_THROW(posix::FileStorage(state.path(), 4096), posix::StorageError);
  EXPECT_THROW(posix::FileStorage("/nonexistent/state", 4096), posix::StorageError);
}

TEST(BuildId, IsThereAndStays) {
  EXPECT_EQ(posix::build_id().size(), 20U);
  EXPECT_EQ(posix::build_id().data(), posix::build_id().data());
}

using NodePtr = std::unique_ptr<NodeProcess>;

NodePtr start(const StatePath& state) {
  return std::make_unique<NodeProcess>(
      std::vector<std::string>{"--listen", "tcp:0", "--state", state.path()});
}

nlohmann::json info_of(const NodePtr& node) {
  const Outcome outcome = run_whittle({"info", "--to", node->address(), "--format", "json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

void stream_to(const NodePtr& node, const std::string& csv) {
  const Outcome outcome = run_whittle({"stream", "-", "-s", "cls", "--to", node->address(),
                                       "--snapshot-every", "20", "--format", "json"},
                                      csv);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
}

TEST(NodeProcess, GoesOnFromItsSnapshotWhenKilled) {
  const StatePath state;
  NodePtr node = start(state);
  stream_to(node, mixed_csv(4, 90, 3));
  const nlohmann::json before = info_of(node);
  EXPECT_GE(before["stats"]["samples"], 80);
  ASSERT_EQ(node->stop(SIGKILL), -1);
  node = start(state);
  const nlohmann::json after = info_of(node);
  EXPECT_EQ(after["info"]["configured"], true);
  EXPECT_GT(before["info"]["durable_seq"], 0);
  EXPECT_EQ(after["info"]["durable_seq"], before["info"]["durable_seq"]);
  EXPECT_EQ(after["info"]["last_seq"], before["info"]["durable_seq"]);
  EXPECT_EQ(after["stats"]["samples"].get<int>() % 20, 0);
}

TEST(NodeProcess, SaysWhyItDidNotStartFromADamagedSnapshot) {
  const StatePath state;
  NodePtr node = start(state);
  stream_to(node, mixed_csv(4, 90, 3));
  ASSERT_EQ(node->stop(SIGKILL), -1);
  for (const char* slot : {".0", ".1"}) {
    std::fstream file(state.path() + slot, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(400);
    file.put('x');
  }
  node = start(state);
  const nlohmann::json info = info_of(node)["info"];
  EXPECT_EQ(info["configured"], false);
  EXPECT_EQ(info["snapshot_refused"], "snapshot damaged");
  stream_to(node, mixed_csv(4, 30, 4));
}

}  // namespace
}  // namespace whittle
