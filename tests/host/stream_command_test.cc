// whittle stream against `whittle node` processes and the firmware in QEMU: byte for byte the
// output of whittle rank.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "ports/posix/serial.h"
#include "ports/posix/tcp.h"
#include "tests/host/cli_harness.h"
#include "tools/cli/address.h"
#include "tools/cli/selectors.h"
#include "whittle/base/real.h"
#include "whittle/select/model_answers.h"

namespace whittle {
namespace {

Arguments joined(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const std::vector<Arguments>& every_way() {
  static const std::vector<Arguments> ways = {
      {"-s", "variance", "--format", "json"},
      {"-s", "variance", "--scale", "zscore", "--format", "table"},
      {"-s", "fisher", "--top", "2", "--format", "csv"},
      {"-s", "cs1", "--scale", "minmax", "--format", "json"},
      {"-s", "cs2", "--param", "nu=0.3", "--format", "json"},
      {"-s", "uvs", "--param", "universum_norm=printed", "--param", "alpha=0.1", "--format",
       "json"},
      {"-s", "ls", "--param", "k=3", "--param", "metric=cosine", "--format", "json"},
      {"-s", "ls", "--param", "lambda=12.5", "--param", "use_labels=0", "--format", "table"},
      {"-s", "cls", "--scale", "zscore", "--top", "3", "--format", "json"},
      {"-s", "cls", "--param", "window=9", "--param", "labelled=7", "--format", "json"},
      {"-s", "l2gfs", "--scale", "zscore", "--format", "json"},
      {"-s", "l2gfs", "--param", "seed=3", "--param", "max_iter=2", "--format", "json"},
      {"-s", "uls", "--format", "json"},
      {"-s", "relieff", "--param", "redundancy=tree", "--format", "json"},
      {"-s", "variance", "--param", "redundancy=tree", "--top", "2", "--format", "json"},
      {"-s", "csfsr", "--param", "k=4", "--format", "json"},
      {"-s", "fisher", "--param", "half_life=20", "--format", "json"},
      {"-s", "cls", "--scale", "zscore", "--param", "learn=12", "--format", "json"},
      {"-s", "ls", "--param", "codebook=6", "--param", "window=4", "--format", "json"},
      {"-s", "cls", "--param", "geometry=codebook", "--param", "codebook=5", "--format", "json"},
      {"-s", "cls", "--label-delay", "7", "--format", "json"},
      {"-s", "lsdf", "--label-delay", "9", "--param", "window=12", "--format", "json"},
      {"-s", "ls", "--scale", "minmax", "--param", "learn=12", "--rescale-every", "20", "--format",
       "json"},
  };
  return ways;
}

// A double build computes with doubles on both ends, but scale, parameters and scores travel as
// floats: close is what it can be.
void expect_close(const Outcome& rank, const Outcome& stream) {
  const auto a = nlohmann::json::parse(rank.out);
  const auto b = nlohmann::json::parse(stream.out);
  EXPECT_EQ(a["samples"], b["samples"]);
  for (std::size_t r = 0; r < a["features"].size(); ++r) {
    const auto& score = a["features"][r]["score"];
    if (score.is_number()) {
      const double value = score;
      EXPECT_NEAR(b["features"][r]["score"].get<double>(), value, 1e-3 * std::fabs(value));
    } else {
      EXPECT_EQ(score, b["features"][r]["score"]);
    }
  }
}

void expect_same_as_rank(const std::string& address, const std::string& csv,
                         const Arguments& options, const Arguments& how = {}) {
  const Outcome rank = run_whittle(joined({"rank", "-"}, options), csv);
  const Outcome stream =
      run_whittle(joined(joined({"stream", "-", "--to", address}, options), how), csv);
  EXPECT_EQ(rank.code, 0) << rank.err;
  EXPECT_EQ(stream.code, 0) << stream.err;
  EXPECT_EQ(stream.err, rank.err);
  if (sizeof(Real) == sizeof(float)) {
    EXPECT_EQ(stream.out, rank.out);
  } else if (options.back() == "json") {
    expect_close(rank, stream);
  }
}

TEST(Stream, OverTcpPrintsWhatRankPrints) {
  const NodeProcess node({"--listen", "tcp:0"});
  ASSERT_EQ(node.address().rfind("tcp:127.0.0.1:", 0), 0U) << node.address();
  for (const Arguments& way : every_way()) {
    expect_same_as_rank(node.address(), mixed_csv(7, 60, 21), way);
  }
}

// The same with every fifth cell missing; the label is the last column.
std::string with_gaps(const std::string& csv) {
  std::istringstream lines(csv);
  std::string out;
  std::getline(lines, out);
  out += '\n';
  std::size_t cell = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t label = line.rfind(',');
    std::istringstream cells(line.substr(0, label));
    for (std::string text; std::getline(cells, text, ',');) {
      out += cell++ % 5 == 0 ? "" : text;
      out += ',';
    }
    out += line.substr(label + 1) + '\n';
  }
  return out;
}

TEST(Stream, MissingValuesRankAlike) {
  const NodeProcess node({"--listen", "tcp:0"});
  const std::string csv = with_gaps(mixed_csv(7, 60, 31));
  for (const Arguments& way : every_way()) expect_same_as_rank(node.address(), csv, way);
}

TEST(Stream, PairsRankAlike) {
  const NodeProcess node({"--listen", "tcp:0"});
  // No universum row among them; the third contradicts, the last has left the window by then.
  std::string csv = "x,y,z,label\n";
  for (int i = 0; i < 30; ++i) {
    csv += std::to_string(i * 7 % 11) + ',' + std::to_string(i * 5 % 13) + ',' +
           std::to_string(i * 3 % 17) +
           (i == 4   ? ",a\n"
            : i == 9 ? ",b\n"
                     : ",\n");
  }
  const TempFile pairs(
      "first,second,link\n3,5,must\n8,3,cannot\n5,8,must\n7,10,cannot\n1,30,must\n");
  for (const char* selector : {"cs1", "cls", "sc4", "lsdf"}) {
    expect_same_as_rank(node.address(), csv,
                        {"-s", selector, "--pairs", pairs.path(), "--format", "json"});
    expect_same_as_rank(
        node.address(), csv,
        {"-s", selector, "--pairs", pairs.path(), "--param", "window=8", "--format", "json"});
  }
}

// Of every selector: all labels late, the last of them after the last row.
TEST(Stream, LateLabelsRankAlike) {
  const NodeProcess node({"--listen", "tcp:0"});
  const std::string csv = "a,b,label\n1,2,x\n2,3,y\n3,5,x\n7,1,y\n2,2,x\n3,8,y\n";
  const Catalog catalog = cli::all_selectors();
  for (std::size_t i = 0; i < catalog.size(); ++i) {
    expect_same_as_rank(node.address(), csv,
                        {"-s", catalog[i].id, "--label-delay", "1", "--format", "json"});
  }
}

// A value whose square is infinite, in a row that has left the window at the end.
TEST(Stream, OverflowThatHasLeftTheMemoryRanksAlike) {
  const NodeProcess node({"--listen", "tcp:0"});
  std::string csv = mixed_csv(7, 60, 21);
  csv.insert(csv.find('\n') + 1, "1,2e38,1,1,1,1,1,\n");
  for (const char* selector : {"wckm", "l2gfs", "fsmanifold", "senfs", "jsfs", "l0svm"}) {
    expect_same_as_rank(
        node.address(), csv,
        {"-s", selector, "--param", "window=10", "--param", "labelled=10", "--format", "json"});
  }
}

// Of every selector that the program has and that has a model.
TEST(Stream, ModelsAnswerAlike) {
  const NodeProcess node({"--listen", "tcp:0"});
  const std::string csv = mixed_csv(7, 60, 41);
  const TempFile test(mixed_csv(7, 20, 42));
  const Catalog catalog = cli::all_selectors();
  int asked = 0;
  for (std::size_t i = 0; i < catalog.size(); ++i) {
    const ModelAnswers* const answers = catalog[i].answers;
    if (answers == nullptr) continue;
    Arguments options = {"-s", catalog[i].id, "--scale", "zscore", "--top", "3"};
    if (answers->predict != nullptr) options = joined(options, {"--predict", test.path()});
    if (answers->memberships != nullptr) options.emplace_back("--memberships");
    expect_same_as_rank(node.address(), csv, joined(options, {"--format", "json"}));
    ++asked;
  }
  EXPECT_GT(asked, 0);
}

TEST(Stream, OverAPseudoTerminalPrintsWhatRankPrints) {
  const NodeProcess node({"--listen", "pty"});
  ASSERT_EQ(node.address().rfind("pty:/dev/", 0), 0U) << node.address();
  for (const Arguments& way : every_way()) {
    expect_same_as_rank(node.address(), mixed_csv(7, 60, 22), way);
  }
  // A pseudo-terminal is a serial device, too.
  expect_same_as_rank("serial:" + node.address().substr(4) + "@9600", mixed_csv(4, 10, 1),
                      {"-s", "variance", "--format", "json"});
}

TEST(Stream, PlainPtyMakesOneAndNamesIt) {
  std::ostringstream notes;
  const std::unique_ptr<posix::ByteStream> host = cli::open_address("pty", "", notes);
  const std::string said = notes.str();
  const std::size_t at = said.find("/dev/pts/");
  ASSERT_NE(at, std::string::npos) << said;
  const std::uint8_t sent[] = {1, 0, 255, 13, 10, 4};
  const std::unique_ptr<posix::ByteStream> node =
      posix::open_serial(said.substr(at, said.find('\n') - at), 0);
  host->write(Span<const std::uint8_t>(sent));
  std::uint8_t came[16];
  ASSERT_EQ(node->read(Span<std::uint8_t>(came), std::chrono::seconds(5)), sizeof sent);
  EXPECT_EQ(std::memcmp(came, sent, sizeof sent), 0);
  node->write(Span<const std::uint8_t>(sent));
  EXPECT_EQ(host->read(Span<std::uint8_t>(came), std::chrono::seconds(5)), sizeof sent);
}

TEST(Stream, ManyFeaturesComeInPages) {
  const NodeProcess node({"--listen", "tcp:0"});
  expect_same_as_rank(node.address(), mixed_csv(200, 30, 23), {"-s", "cls", "--format", "json"});
}

TEST(Stream, RefusedSamplesAreCountedAndNamedAlike) {
  const NodeProcess node({"--listen", "tcp:0"});
  const std::string csv = "x,y,label\n1,2,a\n3,,b\n4,inf,\n5,6,b\n0,1,a\n2,nan,\n3,1e999,\n";
  expect_same_as_rank(node.address(), csv, {"-s", "fisher", "--format", "json"});
  expect_same_as_rank(node.address(), csv + ",nan,a\n,,\n", {"-s", "ls", "--format", "json"});
}

TEST(Stream, RefusedSamplesAreNamedWhenNothingCanBeRanked) {
  const NodeProcess node({"--listen", "tcp:0"});
  const std::string csv = "x,label\ninf,a\n";
  const Outcome outcome =
      run_whittle({"stream", "-", "-s", "variance", "--to", node.address()}, csv);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("<stdin>:2:1"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("no sample yet"), std::string::npos) << outcome.err;
}

TEST(Stream, SmallArenaNeedsAWindow) {
  const std::string arena = std::to_string(2048 * sizeof(Real));
  const NodeProcess node({"--listen", "tcp:0", "--arena", arena});
  const std::string csv = mixed_csv(10, 200, 24);
  const Outcome refused = run_whittle({"stream", "-", "-s", "cls", "--to", node.address()}, csv);
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("arena too small: bytes needed: "), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("there are " + arena + "; --param "), std::string::npos)
      << refused.err;
  expect_same_as_rank(
      node.address(), csv,
      {"-s", "cls", "--param", "window=10", "--param", "labelled=10", "--format", "json"});
}

TEST(Stream, WhatTheSelectorLacksIsSaidByTheNode) {
  const NodeProcess node({"--listen", "tcp:0"});
  const Outcome outcome =
      run_whittle({"stream", "-", "-s", "fisher", "--to", node.address()}, "x,label\n1,a\n2,a\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("failed_precondition: "), std::string::npos) << outcome.err;
}

TEST(Stream, StatsAreOfThisRun) {
  const NodeProcess node({"--listen", "tcp:0"});
  const Outcome outcome = run_whittle(
      {"stream", "-", "-s", "variance", "--to", node.address(), "--stats"}, mixed_csv(5, 40, 1));
  EXPECT_EQ(outcome.err.rfind("samples 40\n", 0), 0U) << outcome.err;
  EXPECT_NE(outcome.err.find("crc_errors 0\n"), std::string::npos);
  EXPECT_NE(outcome.err.find("host_resent 0\n"), std::string::npos);
}

TEST(Stream, InfoAsksTheNode) {
  const NodeProcess node({"--listen", "tcp:0", "--arena", "64k"});
  const Outcome outcome = run_whittle({"info", "--to", node.address(), "--format", "json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\"board\":\"posix\""), std::string::npos);
  EXPECT_NE(outcome.out.find("\"arena_bytes\":65536"), std::string::npos);
}

TEST(Stream, PeerThatClosesIsAClearError) {
  posix::TcpListener listener(0);
  const pid_t peer = ::fork();
  if (peer == 0) {
    ::sleep(1);
    ::_exit(listener.accept().valid() ? 0 : 1);
  }
  const Outcome outcome = run_whittle(
      {"stream", "-", "-s", "variance", "--to", "tcp:127.0.0.1:" + std::to_string(listener.port())},
      "x\n1\n2\n");
  int status = 0;
  ::waitpid(peer, &status, 0);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("closed by the other side"), std::string::npos) << outcome.err;
}

TEST(Stream, SilentPeerIsAClearError) {
  posix::TcpListener listener(0);  // connects, and never says a word
  const Outcome outcome = run_whittle({"stream", "-", "-s", "variance", "--timeout", "1", "--to",
                                       "tcp:127.0.0.1:" + std::to_string(listener.port())},
                                      "x\n1\n2\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find(": no node has answered for 1 s; there may be none at the other end "
                             "(behind `whittle chaos`, too), or it is set to another baud rate, or "
                             "busy computing: a longer --timeout waits\n"),
            std::string::npos)
      << outcome.err;
}

TEST(NodeCommand, GarbageDoesNoHarm) {
  const NodeProcess node({"--listen", "tcp:0"});
  const std::size_t colon = node.address().rfind(':');
  std::mt19937 random(5);
  for (int round = 0; round < 3; ++round) {
    const auto line = posix::connect_tcp("127.0.0.1", node.address().substr(colon + 1));
    std::vector<std::uint8_t> garbage(50000);
    for (std::uint8_t& byte : garbage) byte = static_cast<std::uint8_t>(random());
    line->write(Span<const std::uint8_t>(garbage.data(), garbage.size()));
  }
  expect_same_as_rank(node.address(), mixed_csv(5, 40, 25), {"-s", "cls", "--format", "json"});
}

TEST(NodeCommand, EndsCleanlyAtASignal) {
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const char* listen : {"tcp:0", "pty"}) {
      NodeProcess node({"--listen", listen});
      ASSERT_NE(node.address(), "");
      EXPECT_EQ(node.stop(signal), 0) << listen;
    }
  }
}

TEST(NodeCommand, PortInUseIsAClearError) {
  const posix::TcpListener taken(0);
  const Outcome outcome = run_whittle({"node", "--listen", "tcp:" + std::to_string(taken.port())});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("cannot listen: Address already in use"), std::string::npos)
      << outcome.err;
}

class Firmware : public testing::TestWithParam<std::string> {};

TEST_P(Firmware, InQemuRanksLikeTheHost) {
  const std::string elf = std::string(WHITTLE_FIRMWARE_DIR) + "/" + GetParam() + "/node.elf";
  // tools/test builds Boards first, and then counts a skipped test of them as a failure.
  if (!std::filesystem::exists(elf)) GTEST_SKIP() << elf << " is not built";
  const std::string csv = mixed_csv(70, 40, 26);
  for (const Arguments& way : std::vector<Arguments>{
           {"-s", "cls", "--scale", "zscore", "--top", "5", "--format", "json"},
           {"-s", "l2gfs", "--scale", "minmax", "--format", "json"},
           {"-s", "uvs", "--format", "table"},
           {"-s", "ls", "--param", "window=6", "--param", "labelled=4", "--format", "json"}}) {
    expect_same_as_rank("qemu:" + GetParam(), csv, way, {"--firmware", elf});
  }
}

// The boards do not change with the compiler of this program: one build drives more than one.
#ifdef WHITTLE_DRIVES_BOARDS
INSTANTIATE_TEST_SUITE_P(Boards, Firmware,
                         testing::Values("mps2-an385", "mps2-an386", "mps3-an547",
                                         "netduinoplus2"));
INSTANTIATE_TEST_SUITE_P(MoreBoards, Firmware, testing::Values("mps2-an500", "mps2-an505"));

// 16 KiB of RAM: the scores from moments, and ls with a small window.
TEST(SmallestBoard, RanksLikeTheHost) {
  const std::string csv = mixed_csv(8, 60, 27);
  for (const auto& [image, way] : std::vector<std::pair<std::string, Arguments>>{
           {"node_e1_Os", {"-s", "variance", "--format", "json"}},
           {"node_e1_Os", {"-s", "fisher", "--scale", "zscore", "--format", "json"}},
           {"node_e1_Os", {"-s", "cs1", "--format", "json"}},
           {"node_e1_Os", {"-s", "cs2", "--scale", "minmax", "--format", "json"}},
           {"node_e1_Os", {"-s", "uvs", "--format", "table"}},
           {"node_graph_Os",
            {"-s", "ls", "--param", "window=16", "--param", "labelled=4", "--scale", "zscore",
             "--format", "json"}}}) {
    const std::string elf = WHITTLE_FIRMWARE_DIR "/microbit/" + image + ".elf";
    if (!std::filesystem::exists(elf)) GTEST_SKIP() << elf << " is not built";
    expect_same_as_rank("qemu:microbit", csv, way, {"--firmware", elf});
  }
}
#else
INSTANTIATE_TEST_SUITE_P(Boards, Firmware, testing::Values("mps2-an386"));
#endif

// Found before the file of samples is read, which is wrong, too.
TEST(Qemu, FirmwareThatIsNoneIsNamedWithTheReason) {
  const TempFile not_elf("this is not firmware");
  const std::string folder = testing::TempDir();
  const struct {
    std::string path, said;
  } wrong[] = {
      {not_elf.path(), "firmware " + not_elf.path() + ": is no ELF file"},
      {folder, "firmware " + folder + ": cannot be read: Is a directory"},
      {"/nowhere.elf", "there is no firmware /nowhere.elf"},
  };
  for (const auto& [path, said] : wrong) {
    const Arguments to = {"--to", "qemu:no-board", "--firmware", path};
    for (const Arguments& command : {Arguments{"stream", "-", "-s", "variance"}, {"info"}}) {
      const Outcome outcome = run_whittle(with(command, to), "x\nwrong\n");
      EXPECT_EQ(outcome.code, 1);
      EXPECT_EQ(outcome.err.rfind("whittle: qemu:no-board: " + said, 0), 0U) << outcome.err;
    }
  }
}

TEST(Qemu, ProgramThatCannotRunSaysWhy) {
  const TempFile elf(
      "\x7f"
      "ELF");  // no more of it
  const Outcome outcome = run_whittle({"stream", "-", "-s", "variance", "--to", "qemu:no-board",
                                       "--firmware", elf.path(), "--timeout", "20"},
                                      "x\n1\n2\n");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("closed by the other side\nqemu-system-arm: "), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace whittle
