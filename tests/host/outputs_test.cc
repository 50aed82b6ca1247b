// Files that commands write: never those they read, refused before the work begins, whole or
// untouched in the end.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/host/simulation_harness.h"

namespace whittle {
namespace {

namespace fs = std::filesystem;

// A folder that is gone after the test.
class TempFolder {
 public:
  TempFolder() : path_(::testing::TempDir() + "whittle_folderXXXXXX") {
    EXPECT_NE(::mkdtemp(path_.data()), nullptr);
  }
  ~TempFolder() { fs::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  std::string path_;
};

void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

Arguments simulation(const std::string& file, const Arguments& more) {
  return with({"simulate", file, "--nodes", "2", "--policy", "all"}, more);
}

void expect_refused(const Outcome& outcome, int code, const Arguments& said) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const std::string& text : said) {
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << '\n' << outcome.err;
  }
}

TEST(Outputs, AreNoFilesThatAreRead) {
  const TempFolder folder;
  const std::string data = folder / "data.csv", costs = folder / "series.csv";
  const std::string rows = readings_csv(40), prices = "feature,cost\na,3\n";
  put(data, rows);
  put(costs, prices);
  fs::create_symlink("data.csv", folder / "soft");
  fs::create_hard_link(data, folder / "hard");
  fs::create_directory_symlink(".", folder / "here");
  for (const char* const name : {"data.csv", "soft", "hard", "here/data.csv", "here/./soft"}) {
    const std::string path = folder / name;
    expect_refused(run_whittle(simulation(data, {"--report", path})), 2,
                   {"--report " + path, "the same file as FILE.csv " + data, "another path"});
  }
  expect_refused(run_whittle(simulation(data, {"--costs", costs, "--report", costs})), 2,
                 {"--report " + costs, "--costs " + costs});
  expect_refused(run_whittle(simulation(data, {"--costs", costs, "--csv", folder / ""})), 2,
                 {"--csv " + (folder / ""), "--costs " + costs});
  expect_refused(run_whittle({"report", data, "-o", folder / "soft"}), 2,
                 {"--output " + (folder / "soft"), "RUN.json " + data});
  expect_refused(run_whittle({"stream", data, "-s", "variance", "--to", "tcp:localhost:1",
                              "--predict", costs, "--stats-file", costs}),
                 2, {"--stats-file " + costs, "--predict " + costs});
  EXPECT_EQ(content_of(data), rows);
  EXPECT_EQ(content_of(costs), prices);
}

// Where a shell has put the standard streams.
TEST(Outputs, AreNotTheFilesOfTheStandardStreams) {
  const TempFolder folder;
  const std::string rows = readings_csv(40), data = folder / "data.csv", page = folder / "page";
  put(data, rows);
  const auto run = [&](const std::string& words) {
    const std::string command =
        WHITTLE_PROGRAM " simulate --nodes 2 --policy all " + words + " 2>" + (folder / "err");
    return WEXITSTATUS(std::system(command.c_str()));
  };
  EXPECT_EQ(run("- --report " + data + " <" + data + " >/dev/null"), 2);
  EXPECT_NE(content_of(folder / "err").find("--report " + data + ": the same file as FILE.csv -,"),
            std::string::npos)
      << content_of(folder / "err");
  EXPECT_EQ(content_of(data), rows);
  EXPECT_EQ(run(data + " --report " + page + " >" + page), 2);
  EXPECT_NE(
      content_of(folder / "err").find("--report " + page + ": the same file as standard output:"),
      std::string::npos)
      << content_of(folder / "err");
  EXPECT_EQ(content_of(page), "");
}

// Nor are the files of a node's snapshots.
TEST(Outputs, OfANodeAreNotItsStandardOutputNorEachOther) {
  const TempFolder folder;
  const std::string state = folder / "state";
  const std::string command = "timeout 20 " WHITTLE_PROGRAM " node --listen tcp:0 --state " +
                              state + " >" + state + ".1 2>" + (folder / "err");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
  EXPECT_NE(
      content_of(folder / "err").find("--state " + state + ".1: the same file as standard output:"),
      std::string::npos)
      << content_of(folder / "err");
  EXPECT_EQ(folder.files(), 2U);
  put(state + ".1", "kept");
  fs::create_symlink("state.1", state + ".0");
  expect_refused(run_whittle({"node", "--listen", "tcp:0", "--state", state}), 2,
                 {"--state " + state + ".1: the same file as --state " + state + ".0:"});
  EXPECT_EQ(content_of(state + ".1"), "kept");
}

TEST(Outputs, AreOneFileEach) {
  const TempFolder folder;
  put(folder / "data.csv", readings_csv(40));
  fs::create_symlink("page", folder / "soft");  // to nothing
  fs::create_directory(folder / "d");
  const auto refused = [&](const Arguments& outputs, const Arguments& said) {
    expect_refused(run_whittle(simulation(folder / "data.csv", outputs)), 2, said);
  };
  const std::string made = folder / "d/nodes.csv", new_one = folder / "new/nodes.csv";
  refused({"--report", made, "--csv", folder / "d"}, {"--csv " + made, "--report " + made});
  refused({"--report", new_one, "--csv", folder / "d/../new"}, {"--csv ", "--report " + new_one});
  refused({"--report", folder / "page", "--csv", folder / "soft"}, {"--csv ", "--report "});
  EXPECT_EQ(folder.files(), 3U);
  // A device may be named twice.
  const Outcome twice = run_whittle({"report", "/dev/null", "-o", "/dev/null"});
  EXPECT_EQ(twice.code, 1) << twice.err;
  EXPECT_EQ(twice.err.find("the same file"), std::string::npos) << twice.err;
}

// The file that is read is wrong, too: what is said first was found first.
TEST(Outputs, ThatCannotBeWrittenAreRefusedBeforeTheWork) {
  const TempFolder folder;
  put(folder / "file", "old");
  fs::create_directory(folder / "d");
  fs::create_directories(folder / "taken/series.csv");
  const struct {
    const char* option;
    std::string path;
    const char* why;
  } wrong[] = {
      {"--report", folder / "none/page.html", "No such file or directory"},
      {"--report", folder / "file/page.html", "Not a directory"},
      {"--report", folder / "d", "Is a directory"},
      {"--report", folder / "new/", "Is a directory"},
      {"--report", folder / std::string(300, 'x'), "File name too long"},
      {"--csv", folder / "file", "Not a directory"},
      {"--csv", folder / "file/d", "Not a directory"},
      {"--csv", folder / "taken", "series.csv: cannot be written: Is a directory"},
      {"--csv", "/proc/whittle/none", "cannot be written: "},
  };
  for (const auto& [option, path, why] : wrong) {
    const std::string said = std::string(path) + (option[2] == 'r' ? ": cannot be written: " : "");
    expect_refused(run_whittle(simulation("-", {option, path}), "a\nwrong\n"), 1, {said, why});
  }
  const std::string none = folder / "none/page.html";
  expect_refused(run_whittle({"report", "-", "-o", none}, "wrong"), 1,
                 {none + ": cannot be written: No such file or directory"});
  expect_refused(run_whittle({"stream", "-", "-s", "variance", "--to", "tcp:localhost:1",
                              "--stats-file", none},
                             "a\nwrong\n"),
                 1, {none + ": cannot be written: No such file or directory"});
  EXPECT_EQ(folder.files(), 3U);
}

TEST(Outputs, AreLeftAloneByARunThatFails) {
  const TempFolder folder;
  put(folder / "page", "old");
  const Arguments outputs = {"--report", folder / "page", "--csv", folder / "d/e"};
  EXPECT_EQ(run_whittle(simulation("-", outputs), "a\nwrong\n").code, 1);
  EXPECT_EQ(content_of(folder / "page"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Outputs, ReplaceWhatIsThere) {
  const TempFolder folder;
  put(folder / "page", "old");
  put(folder / "old", "old");
  ASSERT_EQ(::chmod((folder / "page").c_str(), 0640), 0);
  fs::create_symlink("page", folder / "soft");
  fs::create_symlink("made", folder / "to_nothing");
  fs::create_hard_link(folder / "old", folder / "hard");
  const Arguments data = simulation("-", {});
  const std::size_t before = folder.files();
  for (const char* const name : {"soft", "hard", "to_nothing"}) {
    const Outcome outcome = run_whittle(with(data, {"--report", folder / name}), readings_csv(40));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(content_of(folder / name).substr(0, 9), "<!DOCTYPE");
  }
  EXPECT_TRUE(fs::is_symlink(folder / "soft"));
  EXPECT_TRUE(fs::is_symlink(folder / "to_nothing"));
  EXPECT_EQ(content_of(folder / "page"), content_of(folder / "soft"));
  EXPECT_EQ(content_of(folder / "made"), content_of(folder / "soft"));
  EXPECT_EQ(content_of(folder / "old"), content_of(folder / "hard"));
  EXPECT_EQ(fs::status(folder / "page").permissions(), static_cast<fs::perms>(0640));
  EXPECT_EQ(folder.files(), before + 1);  // "made"
}

TEST(Outputs, ThatDoNotFitTheDiskSayWhyAndKeepWhatWasThere) {
  const TempFolder folder;
  put(folder / "page", "old");
  put(folder / "data.csv", readings_csv(40));
  const Outcome full = run_whittle(simulation(folder / "data.csv", {"--report", "/dev/full"}));
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("/dev/full: cannot be written: No space left on device"),
            std::string::npos)
      << full.err;
  // Files of 512 bytes, and no more.
  const std::string command = "ulimit -f 1; " WHITTLE_PROGRAM " simulate " + (folder / "data.csv") +
                              " --nodes 2 --policy all --label-rate 1 --label-delay 0 --report " +
                              (folder / "page") + " 2>" + (folder / "err") + " >/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_EQ(content_of(folder / "err"),
            "whittle: " + (folder / "page") + ": cannot be written: File too large\n");
  EXPECT_EQ(content_of(folder / "page"), "old");
  EXPECT_EQ(folder.files(), 3U);
}

}  // namespace
}  // namespace whittle
