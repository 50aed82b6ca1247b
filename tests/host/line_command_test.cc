// whittle stream --resume, whittle chaos, whittle info --to, and nodes with more than one client.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "ports/posix/tcp.h"
#include "tests/host/cli_harness.h"
#include "tools/cli/address.h"
#include "tools/cli/error.h"
#include "tools/cli/remote_ranker.h"
#include "tools/client/message_frame.h"

namespace whittle {
namespace {

Outcome stream(const std::string& address, const std::string& csv, Arguments more = {}) {
  Arguments arguments = {"stream",    "-",        "-s",   "ls",   "--param",
                         "window=20", "--format", "json", "--to", address};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_whittle(arguments, csv);
}

// What a node of its own answers, over a clean line, to a sender that is left in peace.
std::string clean(const std::string& csv) {
  const NodeProcess node({"--listen", "tcp:0"});
  return stream(node.address(), csv).out;
}

nlohmann::json info_of(const std::string& address) {
  const Outcome outcome = run_whittle({"info", "--to", address, "--format", "json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

std::string port_of(const std::string& address) { return address.substr(address.rfind(':') + 1); }

std::string free_port() { return std::to_string(posix::TcpListener(0).port()); }

void wait_for_text(const std::string& path, const std::string& text) {
  for (int i = 0; i < 2000; ++i) {
    if (content_of(path).find(text) != std::string::npos) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "nobody says: " << text << "; but: " << content_of(path);
}

TEST(Chaos, BetweenSenderAndNodeChangesNothing) {
  const std::string csv = mixed_csv(6, 300, 31);
  const NodeProcess node({"--listen", "tcp:0"});
  ASSERT_EQ(stream(node.address(), csv).code, 0);
  const auto digest = info_of(node.address())["stats"]["state_digest"];
  ASSERT_TRUE(digest.is_string());
  for (const char* listen : {"tcp:0", "pty"}) {
    NodeProcess line({"--listen", listen, "--to", node.address(), "--flip", "3e-4", "--insert",
                      "3e-4", "--delete", "3e-4", "--drop", "0.01", "--duplicate", "0.01",
                      "--piece", "50", "--seed", "5"},
                     "chaos");
    const Outcome outcome = stream(line.address(), csv);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, clean(csv));
    const auto stats = info_of(node.address())["stats"];
    EXPECT_EQ(stats["state_digest"], digest);
    EXPECT_GT(stats["crc_errors"].get<int>() + stats["framing_errors"].get<int>(), 0);
    EXPECT_EQ(line.stop(SIGTERM), 0);
  }
}

// Before a sender comes, and after it has gone.
TEST(Chaos, IdleLeavesTheNodeToOthers) {
  const NodeProcess node({"--listen", "tcp:0"});
  for (const char* listen : {"tcp:0", "pty"}) {
    const NodeProcess line({"--listen", listen, "--to", node.address()}, "chaos");
    for (int round = 0; round < 2; ++round) {
      const auto direct = posix::connect_tcp("127.0.0.1", port_of(node.address()));
      NodeClient client(*direct);
      client.connect();
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      EXPECT_NO_THROW(client.hello()) << listen << ", round " << round;
      const Outcome outcome = stream(line.address(), mixed_csv(4, 20, 5));
      EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
  }
}

TEST(Chaos, ClosesTheNodesLineWhenTheSenderGoes) {
  for (const char* listen : {"tcp:0", "pty"}) {
    posix::TcpListener node(0);
    const NodeProcess line(
        {"--listen", listen, "--to", "tcp:127.0.0.1:" + std::to_string(node.port())}, "chaos");
    std::ostringstream unused;
    auto sender = cli::open_address(line.address(), "", unused);
    ASSERT_NE(posix::wait_for(node.fd(), POLLIN, std::chrono::seconds(20)), 0) << listen;
    posix::FdStream came(node.accept(), "came");
    std::uint8_t bytes[4] = {1, 2, 3, 0};
    sender->write(Span<const std::uint8_t>(bytes));
    EXPECT_GT(came.read(Span<std::uint8_t>(bytes), std::chrono::seconds(20)), 0U) << listen;
    sender.reset();
    EXPECT_THROW(came.read(Span<std::uint8_t>(bytes), std::chrono::seconds(20)), posix::LineClosed)
        << listen;
  }
}

TEST(Chaos, WaitsForANodeThatIsNotThere) {
  const std::string port = free_port();
  const TempFile errors("");
  const auto started = std::chrono::steady_clock::now();
  NodeProcess line({"--listen", "tcp:0", "--to", "tcp:127.0.0.1:" + port}, "chaos", errors.path());
  ASSERT_EQ(line.address().rfind("tcp:127.0.0.1:", 0), 0U) << line.address();
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(20));
  const std::string csv = mixed_csv(4, 20, 5);
  Outcome outcome;
  std::thread sender([&] { outcome = stream(line.address(), csv); });
  wait_for_text(errors.path(), "it is tried again while a sender is there");
  const NodeProcess node({"--listen", "tcp:" + port});
  sender.join();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, clean(csv));
  EXPECT_EQ(line.stop(SIGTERM), 0);
  const std::string said = content_of(errors.path());
  EXPECT_EQ(said.rfind("whittle: note: opens tcp:127.0.0.1:" + port + " when a sender comes", 0),
            0U)
      << said;
  EXPECT_NE(said.find("whittle: note: tcp:127.0.0.1:" + port + ": cannot connect: "),
            std::string::npos)
      << said;
}

// A node that closes each connection as soon as it is open: as if another client took it.
class Closing {
 public:
  Closing() : listener_(0) {
    thread_ = std::thread([this] {
      while (!done_) {
        if (posix::wait_for(listener_.fd(), POLLIN, std::chrono::milliseconds(20)) == 0) continue;
        if (listener_.accept().valid()) ++closed_;
      }
    });
  }
  ~Closing() {
    done_ = true;
    thread_.join();
  }
  std::string address() const { return "tcp:127.0.0.1:" + std::to_string(listener_.port()); }
  int closed() const { return closed_; }

 private:
  posix::TcpListener listener_;
  std::atomic<bool> done_{false};
  std::atomic<int> closed_{0};
  std::thread thread_;
};

TEST(Chaos, NodeThatAnotherClientTakesIsOpenedRarely) {
  const Closing node;
  const TempFile errors("");
  NodeProcess line({"--listen", "tcp:0", "--to", node.address()}, "chaos", errors.path());
  const auto sender = posix::connect_tcp("127.0.0.1", port_of(line.address()));
  wait_for_text(errors.path(), "probably another client takes the node");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_GE(node.closed(), 3);
  EXPECT_LE(node.closed(), 20);
}

TEST(Chaos, WrongAddressOfTheNodeIsAUsageError) {
  const Outcome outcome = run_whittle({"chaos", "--listen", "tcp:0", "--to", "nowhere"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
}

TEST(Chaos, WrongRatesAreUsageErrors) {
  const Outcome outcome =
      run_whittle({"chaos", "--listen", "pty", "--to", "tcp:localhost:1", "--flip", "1.5"});
  EXPECT_EQ(outcome.code, 2);
}

TEST(Resume, StartsWhereThereIsNothingAndRepeatsNothing) {
  const std::string csv = mixed_csv(5, 60, 3);
  const NodeProcess node({"--listen", "tcp:0"});
  const Outcome first = stream(node.address(), csv, {"--resume"});
  EXPECT_EQ(first.out, clean(csv));
  EXPECT_NE(first.err.find("the node holds nothing of this stream"), std::string::npos)
      << first.err;
  const Outcome again = stream(node.address(), csv, {"--resume"});
  EXPECT_EQ(again.out, first.out);
  EXPECT_NE(again.err.find("the node holds 60 of the 60 messages"), std::string::npos) << again.err;
  EXPECT_EQ(info_of(node.address())["stats"]["samples"], 60);
  // Another stream is not taken for it.
  const std::string other = mixed_csv(5, 60, 4);
  EXPECT_EQ(stream(node.address(), other, {"--resume"}).out, clean(other));
}

// Of labels that come too late for their samples the sender knows those it has sent itself.
TEST(Resume, SaysSinceWhereItCountsWhatWasRefused) {
  std::string csv = "a,b,label\n";
  for (int row = 0; row < 20; ++row) {
    csv += std::to_string(row * row % 7) + "," + std::to_string(row % 5) + (row < 4 ? ",x" : ",y") +
           "\n";
  }
  const TempFile file(csv);
  const NodeProcess node({"--listen", "tcp:0"});
  const Arguments options = {"stream",        file.path(),  "-s",      "ls",
                             "--label-delay", "3",          "--param", "window=2",
                             "--param",       "labelled=2", "--to",    node.address()};
  {
    std::ostringstream unused;
    std::istringstream nothing;
    const cli::Console console{nothing, unused, unused};
    cli::RankOptions rank;
    rank.file = file.path();
    rank.selector = "ls";
    rank.label_delay = 3;
    rank.parameters = {"window=2", "labelled=2"};
    const cli::Plan plan = cli::make_plan(rank, console);
    const auto line = posix::connect_tcp("127.0.0.1", port_of(node.address()));
    NodeClient client(*line);
    cli::RemoteRanker ranker(client, plan);
    ranker.configure(client.connect());
    for (std::uint32_t row = 0; row < 3; ++row) {  // as stream sends them
      ToNode message = whittle_v1_ToNode_init_zero;
      message.which_body = whittle_v1_ToNode_sample_tag;
      message.body.sample.count = message.body.sample.features_count = 2;
      message.body.sample.features[0] = static_cast<float>(row * row % 7);
      message.body.sample.features[1] = static_cast<float>(row % 5);
      message.body.sample.kind = whittle_v1_Kind_UNLABELLED;
      client.send(message);
    }
    client.flush();
  }
  const Outcome resumed = run_whittle(with(options, {"--resume"}));
  EXPECT_NE(resumed.err.find("the node holds 3 of the 40 messages"), std::string::npos)
      << resumed.err;
  EXPECT_NE(resumed.err.find(" labels refused since the stream went on after " + file.path() +
                             ":4; the ranking is without them\n"),
            std::string::npos)
      << resumed.err;
  const Outcome whole = run_whittle(with(options, {"--resume"}));
  EXPECT_EQ(whole.err.find("label"), std::string::npos) << whole.err;
  const Outcome fresh = run_whittle(options);
  EXPECT_NE(fresh.err.find(" labels refused in all; the ranking is of the others\n"),
            std::string::npos)
      << fresh.err;
}

TEST(Resume, SnapshotsOfANodeThatKeepsNoneAreRefusedBeforeItIsReset) {
  const NodeProcess node({"--listen", "tcp:0"});
  const std::string csv = mixed_csv(4, 20, 5);
  ASSERT_EQ(stream(node.address(), csv).code, 0);
  const Outcome outcome = stream(node.address(), csv, {"--snapshot-every", "5"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err.rfind("whittle: the node (", 0), 0U) << outcome.err;
  EXPECT_NE(outcome.err.find(") keeps no snapshots: start it with --state, or leave "
                             "--snapshot-every out\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(info_of(node.address())["stats"]["samples"], 20);
}

// Senders that are killed at random moments, over and over, until one gets to the end.
TEST(Resume, KilledSendersEndInTheSameState) {
  const TempFile file(mixed_csv(5, 3000, 8));
  const TempFile result("");
  NodeProcess node({"--listen", "tcp:0"});
  // As slow as a serial line, so that a kill finds it at work.
  NodeProcess line({"--listen", "tcp:0", "--to", node.address(), "--rate", "150000"}, "chaos");
  unsigned kills = 0;
  std::mt19937 random(1);
  for (;;) {
    const pid_t sender = ::fork();
    if (sender == 0) {
      ::dup2(::open(result.path().c_str(), O_WRONLY | O_TRUNC), STDOUT_FILENO);
      ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
      ::execl(WHITTLE_PROGRAM, WHITTLE_PROGRAM, "stream", file.path().c_str(), "-s", "ls",
              "--param", "window=20", "--format", "json", "--to", line.address().c_str(),
              "--resume", nullptr);
      ::_exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 150));
    int status = 0;
    if (kills < 12 && ::waitpid(sender, &status, WNOHANG) == 0) {
      ::kill(sender, SIGKILL);
      ++kills;
    } else if (kills < 12) {
      break;  // done already
    }
    ::waitpid(sender, &status, 0);
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      break;
    }
  }
  EXPECT_GT(kills, 2U);
  EXPECT_EQ(content_of(result.path()), clean(content_of(file.path())));
  EXPECT_EQ(info_of(node.address())["stats"]["samples"], 3000);
}

// A node that is killed and comes back with its snapshots, while the stream goes on.
TEST(Resume, KilledNodesEndInTheSameState) {
  const std::string csv = mixed_csv(5, 3000, 9);
  const TempFile state("");
  auto node =
      std::make_unique<NodeProcess>(Arguments{"--listen", "tcp:0", "--state", state.path()});
  const std::string address = node->address();
  NodeProcess line({"--listen", "tcp:0", "--to", address, "--rate", "150000"}, "chaos");
  Outcome outcome;
  std::atomic<bool> done{false};
  std::thread sender([&] {
    outcome = stream(line.address(), csv, {"--resume", "--snapshot-every", "50"});
    done = true;
  });
  unsigned kills = 0;
  while (!done && kills < 8) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    node = nullptr;  // SIGKILL
    node = std::make_unique<NodeProcess>(
        Arguments{"--listen", "tcp:" + port_of(address), "--state", state.path()});
    ++kills;
  }
  sender.join();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, clean(csv));
  EXPECT_GT(kills, 2U);
  ::unlink((state.path() + ".0").c_str());
  ::unlink((state.path() + ".1").c_str());
}

// Without snapshots: exit code 3, and what is lost.
TEST(Resume, NodeThatLosesRowsIsReported) {
  const std::string csv = mixed_csv(5, 3000, 9);
  auto node = std::make_unique<NodeProcess>(Arguments{"--listen", "tcp:0"});
  const std::string address = node->address();
  NodeProcess line({"--listen", "tcp:0", "--to", address, "--rate", "100000"}, "chaos");
  Outcome outcome;
  std::thread sender([&] { outcome = stream(line.address(), csv, {"--resume"}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  node = nullptr;
  node = std::make_unique<NodeProcess>(Arguments{"--listen", "tcp:" + port_of(address)});
  sender.join();
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("the node has restarted and lost messages 1 to "), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find(" rows (the last is "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("; it keeps no snapshots"), std::string::npos) << outcome.err;
  EXPECT_EQ(stream(address, csv, {"--resume"}).out, clean(csv));
}

TEST(Resume, NodeThatAnotherClientTakesIsOpenedRarelyAndSaid) {
  const Closing node;
  const Outcome outcome =
      stream(node.address(), mixed_csv(4, 20, 5), {"--resume", "--timeout", "1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("probably another client takes it"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("silent"), std::string::npos) << outcome.err;
  EXPECT_LE(node.closed(), 20);
}

// One gets to the end, the other is told why it does not.
TEST(Resume, TwoSendersDoNotKeepTheNodeFromEachOther) {
  const NodeProcess node({"--listen", "tcp:0"});
  const std::string csv[] = {mixed_csv(4, 8000, 5), mixed_csv(4, 8000, 6)};
  Outcome outcomes[2];
  const auto send = [&](int which) {
    outcomes[which] = stream(node.address(), csv[which], {"--resume", "--timeout", "20"});
  };
  std::thread first([&] { send(0); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  send(1);
  first.join();
  EXPECT_TRUE(outcomes[0].code == 0 || outcomes[1].code == 0) << outcomes[0].err << outcomes[1].err;
  for (int i = 0; i < 2; ++i) {
    if (outcomes[i].code == 0) {
      EXPECT_EQ(outcomes[i].out, clean(csv[i]));
    } else {
      EXPECT_NE(outcomes[i].err.find("another "), std::string::npos) << outcomes[i].err;
    }
  }
}

TEST(NodeCommand, ClientThatLosesTheNodeIsToldOfAnother) {
  for (const Arguments& command :
       {Arguments{"info"}, Arguments{"stream", "-", "--selector", "variance"}}) {
    const Closing node;
    const Outcome outcome = run_whittle(with(command, {"--to", node.address()}), "x\n1\n2\n");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(
        outcome.err.find("closed by the other side: the node has ended, or another client has "
                         "taken it"),
        std::string::npos)
        << outcome.err;
  }
}

// Nobody would find it.
TEST(NodeCommand, EndsIfItsAddressCannotBeWritten) {
  const TempFile errors("");
  const std::string more[] = {"node", "chaos --to tcp:localhost:1"};
  for (const std::string& command : more) {
    for (const char* listen : {"tcp:0", "pty"}) {
      for (const auto& [output, why] : {std::pair{">/dev/full", "No space left on device"},
                                        std::pair{">&-", "Bad file descriptor"}}) {
        const std::string line = std::string("timeout 20 ") + WHITTLE_PROGRAM + " " + command +
                                 " --listen " + listen + " " + output + " 2>" + errors.path();
        const int status = std::system(line.c_str());
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << line << ": " << status;
        const std::string said = content_of(errors.path());
        EXPECT_EQ(said.rfind("whittle: cannot write the address, ", 0), 0U) << line << said;
        EXPECT_NE(said.find(std::string(": ") + why + "\n"), std::string::npos) << line << said;
      }
    }
  }
}

TEST(NodeCommand, NewestClientHasTheNode) {
  const NodeProcess node({"--listen", "tcp:0"});
  const auto idle = posix::connect_tcp("127.0.0.1", port_of(node.address()));
  const std::string csv = mixed_csv(5, 40, 2);
  EXPECT_EQ(stream(node.address(), csv).out, clean(csv));
  // One that asks and asks and never reads the answers.
  const auto deaf = posix::connect_tcp("127.0.0.1", port_of(node.address()));
  ToNode hello = whittle_v1_ToNode_init_zero;
  hello.which_body = whittle_v1_ToNode_hello_tag;
  const std::vector<std::uint8_t> frame = frame_of(hello);
  std::vector<std::uint8_t> many;
  for (int i = 0; i < 30000; ++i) many.insert(many.end(), frame.begin(), frame.end());
  deaf->write(Span<const std::uint8_t>(many.data(), many.size()));
  EXPECT_EQ(stream(node.address(), csv).out, clean(csv));
}

TEST(Info, TellsANodesStateForPeopleAndForPrograms) {
  const NodeProcess node({"--listen", "tcp:0", "--arena", "64k"});
  ASSERT_EQ(stream(node.address(), mixed_csv(4, 30, 1) + "inf,1,2,3,\n").code, 0);
  const auto before = info_of(node.address());
  const Outcome people = run_whittle({"info", "--to", node.address()});
  EXPECT_NE(people.out.find("arena used"), std::string::npos);
  EXPECT_NE(people.out.find(" of 65536 bytes (64.0 KiB)\n"), std::string::npos) << people.out;
  EXPECT_NE(people.out.find("malformed           1 (wrong length"), std::string::npos)
      << people.out;
  EXPECT_EQ(before["stats"]["samples"], 30);
  EXPECT_EQ(before["stats"]["refused_samples"], 1);
  EXPECT_EQ(before["stats"]["invalid_samples"], 1);
  EXPECT_EQ(before["stats"]["resets"], 1);
  EXPECT_EQ(before["info"]["board"], "posix");
  // Asking is not counted: a stream can go on.
  EXPECT_EQ(info_of(node.address())["info"]["last_seq"], before["info"]["last_seq"]);
}

TEST(Info, LineInUseIsSaidToBe) {
  const NodeProcess node({"--listen", "pty"});
  {
    std::ostringstream notes;
    const auto other = cli::open_address(node.address(), "", notes);
    const Outcome outcome = run_whittle({"info", "--to", node.address()});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("is in use by another program"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(info_of(node.address())["info"]["configured"], false);
}

// A node that says that it is never done is not waited for.
TEST(RemoteRanker, StopsRefiningByItself) {
  class Tireless final : public posix::ByteStream {
   public:
    std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds) override {
      const std::size_t count = std::min(out.size(), answers_.size());
      std::copy_n(answers_.begin(), count, out.begin());
      answers_.erase(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count));
      return count;
    }
    void write(Span<const std::uint8_t> bytes) override {
      for (const std::uint8_t byte : bytes) {
        ToNode message;
        if (deframer_.push(byte) && decode(deframer_.payload(), message)) answer(message);
      }
    }
    std::string name() const override { return "tireless"; }

   private:
    void answer(const ToNode& message) {
      FromNode reply = whittle_v1_FromNode_init_zero;
      if (message.which_body == whittle_v1_ToNode_hello_tag) {
        reply.which_body = whittle_v1_FromNode_info_tag;
        whittle_v1_Info& info = reply.body.info;
        info.hello_seq = message.seq;
        info.configured = true;
        info.max_features = 100;
        info.credits = 1;
        info.last_seq = last_;
        info.configured_seq = last_ > 0 ? 2 : 0;
        info.selectors_count = 1;
        std::strcpy(info.selectors[0], "variance");
        return send(reply);
      }
      last_ = message.seq;
      if (message.which_body == whittle_v1_ToNode_query_tag) {
        reply.which_body = whittle_v1_FromNode_ranking_tag;
        reply.body.ranking.total = 1;
        reply.body.ranking.ranked_at = last_;
        reply.body.ranking.refinable = true;
        send(reply);
        reply = whittle_v1_FromNode_init_zero;
      }
      reply.which_body = whittle_v1_FromNode_ack_tag;
      reply.body.ack = {last_, 0, 1, 0};
      send(reply);
    }
    void send(const FromNode& message) {
      std::uint8_t payload[kMaxPayload];
      const std::size_t size = encode(message, Span<std::uint8_t>(payload));
      struct Sink final : ByteSink {
        explicit Sink(std::vector<std::uint8_t>& to) : bytes(to) {}
        void write(Span<const std::uint8_t> more) override {
          bytes.insert(bytes.end(), more.begin(), more.end());
        }
        std::vector<std::uint8_t>& bytes;
      } sink(answers_);
      write_frame(Span<const std::uint8_t>(payload, size), sink);
    }

    std::vector<std::uint8_t> answers_;
    std::uint8_t buffer_[kMaxPayload + kCrcBytes];
    Deframer deframer_{Span<std::uint8_t>(buffer_)};
    std::uint64_t last_ = 0;
  } line;
  std::istringstream in("x\n1\n2\n");
  std::ostringstream unused;
  const cli::Console console{in, unused, unused};
  cli::RankOptions options;
  options.file = "-";
  options.selector = "variance";
  const cli::Plan plan = cli::make_plan(options, console);
  NodeClient client(line);
  cli::RemoteRanker ranker(client, plan);
  ranker.configure(client.connect());
  ranker.observe_all(console);
  try {
    ranker.rank(0, console);
    FAIL() << "finished";
  } catch (const cli::Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("the node does not finish: after ", 0), 0U)
        << error.what();
  }
}

}  // namespace
}  // namespace whittle
