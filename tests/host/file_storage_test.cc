// Snapshots in files: the storage, and a node process that is killed and started again.
#include "ports/posix/file_storage.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "ports/posix/build_id.h"
#include "tests/host/cli_harness.h"
#include "tools/cli/snapshot_warnings.h"

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
    posix::FileStorage storage(state.path());
    ASSERT_TRUE(storage.erase(0, 1000).ok());
    ASSERT_TRUE(storage.write(0, 500, {bytes.data(), bytes.size()}).ok());
    ASSERT_TRUE(storage.flush().ok());
  }
  posix::FileStorage storage(state.path());
  std::uint8_t out[6] = {};
  ASSERT_TRUE(storage.read(0, 498, out).ok());
  EXPECT_EQ(std::vector<std::uint8_t>(out + 2, out + 6),
            (std::vector<std::uint8_t>{1, 2, 3, 0xFF}));
  ASSERT_TRUE(storage.read(0, 0, out).ok());
  EXPECT_EQ(out[0], 0xFF);
  ASSERT_TRUE(storage.read(1, 0, out).ok());
  EXPECT_EQ(out[5], 0xFF);
}

TEST(FileStorage, FileRemovedWhileItIsWrittenIsAnError) {
  const StatePath state;
  posix::FileStorage storage(state.path());
  ASSERT_TRUE(storage.flush().ok());
  ASSERT_TRUE(storage.erase(1, 1000).ok());
  EXPECT_EQ(storage.failure(), "");
  ASSERT_EQ(::unlink((state.path() + ".1").c_str()), 0);
  EXPECT_EQ(storage.flush().code(), StatusCode::data_loss);
  EXPECT_EQ(storage.failure(),
            state.path() + ".1: has been removed or replaced while it was written");
}

TEST(FileStorage, FileRemovedOrReplacedIsMadeAnewForTheNextSnapshot) {
  const StatePath state;
  const std::string file = state.path() + ".0";
  posix::FileStorage storage(state.path());
  for (const bool replaced : {false, true}) {
    ASSERT_EQ(::unlink(file.c_str()), 0);
    if (replaced) std::ofstream(file) << "something else";
    ASSERT_TRUE(storage.erase(0, 1000).ok());
    const std::uint8_t bytes[] = {1, 2, 3};
    ASSERT_TRUE(storage.write(0, 256, bytes).ok());
    ASSERT_TRUE(storage.flush().ok());
    const std::string content = content_of(file);
    EXPECT_EQ(content, std::string(256, '\xFF') + "\1\2\3");
  }
  EXPECT_EQ(storage.begun(), 2U);
}

TEST(FileStorage, FileThatCannotBeMadeAnewIsAnErrorWithItsName) {
  const StatePath state;
  const std::string file = state.path() + ".0";
  posix::FileStorage storage(state.path());
  ASSERT_EQ(::unlink(file.c_str()), 0);
  ASSERT_EQ(::mkdir(file.c_str(), 0700), 0);
  EXPECT_EQ(storage.erase(0, 1000).code(), StatusCode::data_loss);
  EXPECT_EQ(storage.failure(), file + ": cannot be opened: Is a directory");
  ASSERT_EQ(::rmdir(file.c_str()), 0);
  EXPECT_TRUE(storage.erase(0, 1000).ok());
  EXPECT_EQ(storage.failure(), "");
}

TEST(FileStorage, IsForOneAtATime) {
  const StatePath state;
  const posix::FileStorage storage(state.path());
  EXPECT_THROW(posix::FileStorage(state.path()), posix::StorageError);
  EXPECT_THROW(posix::FileStorage("/nonexistent/state"), posix::StorageError);
}

TEST(BuildId, IsThereAndStays) {
  EXPECT_EQ(posix::build_id().size(), 20U);
  EXPECT_EQ(posix::build_id().data(), posix::build_id().data());
}

using NodePtr = std::unique_ptr<NodeProcess>;

NodePtr start(const StatePath& state, const std::string& errors = "") {
  return std::make_unique<NodeProcess>(
      std::vector<std::string>{"--listen", "tcp:0", "--state", state.path()}, "node", errors);
}

// For as long as it lives, files of processes that are started end at so many bytes.
class ShortFiles {
 public:
  explicit ShortFiles(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~ShortFiles() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
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

// A whole snapshot, as large as it may be beside an arena far too small for it, is not damaged.
TEST(NodeProcess, SaysHowLargeAnArenaItsSnapshotNeeds) {
  const StatePath state;
  NodePtr node = start(state);
  stream_to(node, mixed_csv(40, 500, 3));
  ASSERT_EQ(node->stop(SIGKILL), -1);
  const auto bytes = std::filesystem::file_size(state.path() + ".0");
  EXPECT_GT(bytes, 100000U);
  const TempFile errors("");
  node = std::make_unique<NodeProcess>(
      std::vector<std::string>{"--listen", "tcp:0", "--arena", "8k", "--state", state.path()},
      "node", errors.path());
  const std::string refused = info_of(node)["info"]["snapshot_refused"];
  const std::string reason = "arena too small: bytes needed: ";
  ASSERT_EQ(refused.substr(0, reason.size()), reason);
  EXPECT_LT(std::stoul(refused.substr(reason.size())), bytes);
  EXPECT_GT(std::stoul(refused.substr(reason.size())), bytes * 9 / 10);
  EXPECT_NE(content_of(errors.path())
                .find(refused + "; the node starts with nothing; start it again with a larger "
                                "--arena before its next snapshots take the place of that one\n"),
            std::string::npos)
      << content_of(errors.path());
  ASSERT_EQ(node->stop(SIGKILL), -1);
  node = std::make_unique<NodeProcess>(
      std::vector<std::string>{"--listen", "tcp:0", "--arena", refused.substr(reason.size()),
                               "--state", state.path()},
      "node", errors.path());
  EXPECT_EQ(info_of(node)["stats"]["samples"], 500);
}

TEST(NodeProcess, SaysOnceWhySnapshotsAreNotWrittenAndSoDoesTheSender) {
  const StatePath state;
  const TempFile errors("");
  NodePtr node;
  {
    const ShortFiles limit(1000);
    node = start(state, errors.path());
  }
  const Outcome outcome = run_whittle(
      {"stream", "-", "-s", "cls", "--to", node->address(), "--snapshot-every", "20", "--stats"},
      mixed_csv(4, 90, 3));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("warning: the node has no snapshot of this stream (4 failed): "),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("\nfailed_snapshots 4\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(node->stop(SIGTERM), 0);
  const std::string said = content_of(errors.path());
  EXPECT_EQ(count_of("warning: snapshot not written: ", said), 1U) << said;
  EXPECT_NE(said.find(state.path() + ".0: cannot be written: File too large; "), std::string::npos)
      << said;
}

TEST(NodeProcess, MakesItsFilesAnewWhenTheyAreRemoved) {
  const StatePath state;
  const TempFile errors("");
  NodePtr node = start(state, errors.path());
  stream_to(node, mixed_csv(4, 90, 3));
  for (const char* slot : {".0", ".1"}) ASSERT_EQ(::unlink((state.path() + slot).c_str()), 0);
  const Outcome outcome =
      run_whittle({"stream", "-", "-s", "cls", "--to", node->address(), "--snapshot-every", "20"},
                  mixed_csv(4, 90, 4));
  EXPECT_EQ(outcome.err, "");
  ASSERT_EQ(node->stop(SIGKILL), -1);
  node = start(state, errors.path());
  EXPECT_EQ(info_of(node)["stats"]["samples"], 80);
  EXPECT_EQ(content_of(errors.path()), "");
}

// What is at the start is said with the reason, unless there has never been a snapshot.
TEST(NodeProcess, SaysWhatIsWrongWithTheFilesItStartsFrom) {
  const StatePath state;
  const TempFile errors("");
  start(state, errors.path()).reset();
  NodePtr node = start(state, errors.path());
  EXPECT_EQ(content_of(errors.path()), "");
  stream_to(node, mixed_csv(4, 90, 3));
  node.reset();
  const std::string files[] = {state.path() + ".0", state.path() + ".1"};
  const std::string whole[] = {content_of(files[0]), content_of(files[1])};
  const std::string begun = std::string(256, '\xFF') + "body";
  const std::string left = "; the node goes on from the snapshot that is left\n";
  const std::string nothing = "; the node starts with nothing\n";
  struct Case {
    const char* what;
    std::string contents[2];  // "-": no file
    std::string said;
  };
  const Case cases[] = {
      {"whole", {whole[0], whole[1]}, ""},
      {"one missing", {"-", whole[1]}, files[0] + ": was missing, and has been made anew" + left},
      {"one empty", {whole[0], ""}, files[1] + ": is empty" + left},
      {"both empty", {"", ""}, files[0] + ": is empty; " + files[1] + ": is empty" + nothing},
      {"begun",
       {whole[0], begun},
       files[1] + ": holds a snapshot that was begun and not finished" + left},
      {"cut off",
       {whole[0].substr(0, 100), whole[1]},
       files[0] + ": has been cut off at 100 bytes" + left},
      {"another file",
       {whole[0], std::string(300, 'x')},
       files[1] + ": not a snapshot, or damaged" + left},
      {"both cut off",
       {whole[0].substr(0, 600), whole[1].substr(0, 700)},
       "newest snapshot not restored: snapshot damaged; " + files[0] +
           ": has been cut off at 600 bytes; " + files[1] + ": has been cut off at 700 bytes" +
           nothing},
      {"both missing", {"-", "-"}, ""},
  };
  for (const Case& one : cases) {
    for (int slot : {0, 1}) {
      ::unlink(files[slot].c_str());
      if (one.contents[slot] != "-") std::ofstream(files[slot]) << one.contents[slot];
    }
    std::ofstream(errors.path()) << "";
    EXPECT_NE(start(state, errors.path())->address(), "");
    const std::string said = one.said.empty() ? "" : "whittle: warning: " + one.said;
    EXPECT_EQ(content_of(errors.path()), said) << one.what;
  }
}

std::string warning_of(const cli::SnapshotsOfStream& snapshots) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  cli::warn_of_snapshots(snapshots, "tcp:h:1", cli::Console{in, out, err});
  const std::string said = err.str();
  return said.substr(0, said.find(';'));
}

TEST(SnapshotWarnings, SayWhatARestartWouldLose) {
  EXPECT_EQ(warning_of({0, 3, 12, 12, "f:13"}), "");
  EXPECT_EQ(warning_of({0, 3, 0, 0, ""}), "");  // none was due
  EXPECT_EQ(warning_of({2, 3, 12, 2, ""}),
            "whittle: warning: the node has no snapshot of this stream (2 failed): a restart loses "
            "all of it");
  EXPECT_EQ(warning_of({1, 3, 12, 7, "f:6"}),
            "whittle: warning: the node's last snapshots are missing (1 failed): a restart loses "
            "what came after f:6");
  EXPECT_EQ(warning_of({1, 3, 12, 12, "f:13"}),
            "whittle: warning: of the node's snapshots 1 failed, the last that was due did not");
}

TEST(SnapshotWarnings, CountAnewWhenTheNodeHasRestarted) {
  whittle_v1_Info before = whittle_v1_Info_init_zero;
  whittle_v1_Info after = whittle_v1_Info_init_zero;
  before.failed_snapshots = 3;
  after.failed_snapshots = 5;
  EXPECT_EQ(cli::failed_between(before, after, false), 2U);
  EXPECT_EQ(cli::failed_between(before, after, true), 5U);
  after.failed_snapshots = 1;
  EXPECT_EQ(cli::failed_between(before, after, false), 1U);
}

}  // namespace
}  // namespace whittle
