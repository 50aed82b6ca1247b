#include "tools/client/node_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <vector>

#include "tests/host/cli_harness.h"
#include "tests/host/node_messages.h"
#include "tests/host/noisy_line.h"
#include "tests/host/slow_line.h"
#include "tests/shared/feature_ranker_digits.h"
#include "tools/cli/error.h"
#include "tools/cli/remote_ranker.h"

namespace whittle {
namespace {

constexpr ClientOptions kQuick{std::chrono::milliseconds(20), std::chrono::milliseconds(20000)};

cli::Plan plan_for(const std::string& csv, const std::string& selector,
                   std::vector<std::string> parameters = {}) {
  cli::RankOptions options;
  options.file = "-";
  options.selector = selector;
  options.parameters = std::move(parameters);
  options.scaling = Scaling::zscore;
  std::istringstream in(csv);
  std::ostringstream unused;
  return cli::make_plan(options, cli::Console{in, unused, unused});
}

// What `stream` does, over this line.
std::string stream_over(posix::ByteStream& line, const cli::Plan& plan,
                        LineCosts* costs = nullptr) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const cli::Console console{in, out, err};
  NodeClient client(line, kQuick);
  cli::RemoteRanker ranker(client, plan);
  ranker.configure(client.connect());
  ranker.observe_all(console);
  cli::print_json(plan, ranker.rank(3, console), out);
  if (costs != nullptr) *costs = client.costs();
  return out.str();
}

ToNode reset_message() {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_reset_tag;
  return message;
}

class NoisyStream : public ::testing::TestWithParam<Noise> {};

// Each sample counts exactly once, and the ranking is that of a clean line.
TEST_P(NoisyStream, GivesTheResultOfACleanLine) {
  const std::string csv = mixed_csv(80, 120, 7);  // more features than a page of the ranking
  for (const char* selector : {"cls", "l2gfs"}) {
    const cli::Plan plan = plan_for(csv, selector);
    NoisyLine clean{Noise{}};
    const std::string expected = stream_over(clean, plan);
    NoisyLine noisy(GetParam());
    LineCosts costs;
    EXPECT_EQ(stream_over(noisy, plan, &costs), expected);
    EXPECT_GT(costs.resent, 0U);
    EXPECT_EQ(noisy.node().service().samples().taken, 120U);
    EXPECT_EQ(noisy.node().session().last_seq(), costs.messages);
  }
}

INSTANTIATE_TEST_SUITE_P(Noises, NoisyStream,
                         ::testing::Values(Noise{0, 0, 0.05, 0.05, 1}, Noise{0, 0, 0.2, 0.1, 2},
                                           Noise{1e-4, 1e-4, 0, 0, 3},
                                           Noise{1e-3, 0, 0.02, 0.02, 4},
                                           Noise{0, 1e-3, 0.02, 0.02, 5},
                                           Noise{3e-4, 3e-4, 0.1, 0.1, 6}));

TEST(NodeClient, CleanLineResendsNothing) {
  NoisyLine line{Noise{}};
  LineCosts costs;
  stream_over(line, plan_for(mixed_csv(6, 50, 3), "variance"), &costs);
  EXPECT_EQ(costs.resent, 0U);
  EXPECT_EQ(costs.damaged, 0U);
  EXPECT_EQ(costs.messages, 1U + 1U + 1U + 50U + 1U);  // reset configure scale samples query
}

TEST(NodeClient, GoesOnFromTheSeqOfAnEarlierSender) {
  NoisyLine line{Noise{}};
  const cli::Plan plan = plan_for(mixed_csv(6, 30, 3), "ls");
  const std::string first = stream_over(line, plan);
  EXPECT_EQ(stream_over(line, plan), first);
}

TEST(NodeClient, HalfAFrameOfAnEarlierSenderDoesNoHarm) {
  NoisyLine line{Noise{}};
  const std::uint8_t half[] = {0x11, 0x22, 0x33};
  line.write(Span<const std::uint8_t>(half));
  NodeClient client(line, kQuick);
  EXPECT_EQ(client.connect().last_seq, 0U);
  EXPECT_EQ(line.node().service().samples().taken, 0U);
}

// Samples are named by the seqs that sending them returned, whatever the line does.
TEST(NodeClient, LabelsTiesAndRescalesWhatItSent) {
  NoisyLine line{Noise{3e-3, 3e-3, 0.2, 0.2, 5}};
  NodeClient client(line, kQuick);
  client.connect();
  ToNode configure = configure_message("ls", 2, 4, 4);
  whittle_v1_Configure& body = configure.body.configure;
  body.scaling = whittle_v1_Scaling_MINMAX;
  body.pairs = body.learn = 2;
  client.send(configure);
  const std::uint64_t first = client.send(sample_message({0, 8}));
  const std::uint64_t second = client.send(sample_message({2, 4}));
  const std::uint64_t third = client.send(sample_message({4, 0}));
  client.label(first, 1);
  client.constrain(second, third, false);
  client.rescale();
  const std::uint64_t refused = client.label(first, 0);
  client.flush();
  const StreamMemory& memory = line.node().service().ranker().memory();
  EXPECT_EQ(memory.counts().labelled, 1U);
  EXPECT_EQ(memory.counts().unlabelled, 2U);
  ASSERT_EQ(memory.constraints().pairs().size(), 1U);
  EXPECT_FALSE(memory.constraints().pairs()[0].must_link);
  EXPECT_EQ(memory.scales_learned(), 2U);
  EXPECT_EQ(memory.points().label(memory.points().find(first)), 1U);
  const std::vector<NodeError> errors = client.take_errors();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].seq, refused);
  EXPECT_EQ(client.stats().refused, 1U);
}

// Asks the model of a node that has learned two samples, over any line.
void ask_digits(NodeClient& client) {
  client.connect();
  ToNode configure = configure_message("digits", 2, 100, 4);
  configure.body.configure.classes = 100;
  client.send(configure);
  ToNode labelled = sample_message({4, 2});
  labelled.body.sample.kind = whittle_v1_Kind_LABELLED;
  labelled.body.sample.has_label = true;
  labelled.body.sample.label = 24;
  const std::uint64_t first = client.send(labelled);
  const std::uint64_t second = client.send(sample_message({6, 2}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(client.predict({1, static_cast<float>(i)}), 10U * static_cast<unsigned>(i) + 1);
    EXPECT_EQ(client.predict({NAN, static_cast<float>(i)}), 10U * static_cast<unsigned>(i) + 5);
    const std::vector<float> certain = client.memberships(first);
    ASSERT_EQ(certain.size(), 100U);
    EXPECT_EQ(certain[24], 1.0F);
    EXPECT_EQ(certain[23], 0.0F);
    EXPECT_EQ(client.memberships(second)[23], 0.01F);
  }
}

constexpr const SelectorType* kModels[] = {&testing::kDigits};

TEST(NodeClient, PredictionsAndMembershipsAnswerWhatWasAsked) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    NoisyLine line(Noise{3e-4, 3e-4, 0.1, 0.1, seed}, 1U << 20, 2048, Catalog(kModels, kAllParts));
    NodeClient client(line, kQuick);
    ask_digits(client);
    EXPECT_EQ(line.node().service().samples().taken, 2U);
    EXPECT_GT(client.costs().resent, 0U);
  }
}

TEST(NodeClient, RefusedPredictionsAndMembershipsThrow) {
  NoisyLine line(Noise{}, 1U << 20, 2048, Catalog(kModels, kAllParts));
  NodeClient client(line, kQuick);
  ask_digits(client);
  const auto code = [&](auto ask) {
    try {
      ask();
    } catch (const NodeRefusal& refusal) {
      return refusal.error().code;
    }
    return StatusCode::ok;
  };
  EXPECT_EQ(code([&] { client.predict({1}); }), StatusCode::invalid_argument);
  EXPECT_EQ(code([&] { client.predict({1, INFINITY}); }), StatusCode::invalid_argument);
  EXPECT_EQ(code([&] { client.memberships(1); }), StatusCode::not_found);
  EXPECT_THROW(client.predict(std::vector<float>(kMaxSampleFeatures + 1)), std::length_error);
  EXPECT_EQ(client.predict({1, 2}), 21U);
}

TEST(NodeClient, RefusedRequestThrows) {
  NoisyLine line{Noise{}};
  NodeClient client(line, kQuick);
  client.connect();
  try {
    client.query(whittle_v1_Query{});
    FAIL() << "answered";
  } catch (const NodeRefusal& refusal) {
    EXPECT_EQ(refusal.error().code, StatusCode::failed_precondition);
  }
  client.send(reset_message());
  client.flush();
  EXPECT_EQ(client.stats().refused, 1U);
}

TEST(NodeClient, MessageOutOfBoundsIsNotSentAndTakesNoSeq) {
  NoisyLine line{Noise{}};
  NodeClient client(line, kQuick);
  client.connect();
  ToNode wrong = whittle_v1_ToNode_init_zero;
  wrong.which_body = whittle_v1_ToNode_configure_tag;
  wrong.body.configure.params_count = 1000;
  EXPECT_THROW(client.send(wrong), std::length_error);
  EXPECT_EQ(client.send(reset_message()), 1U);
  client.flush();
  EXPECT_EQ(client.acknowledged(), 1U);
}

TEST(NodeClient, TellsOfProgressWhileItWaits) {
  NoisyLine line{Noise{}};
  NodeClient client(line, kQuick);
  client.connect();
  std::vector<std::uint64_t> told;
  client.on_progress([&] { told.push_back(client.acknowledged()); });
  for (int i = 0; i < 5; ++i) client.send(reset_message());
  client.flush();
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), 5U);
  client.on_progress(nullptr);
  const std::size_t calls = told.size();
  client.send(reset_message());
  client.flush();
  EXPECT_EQ(told.size(), calls);
}

TEST(NodeClient, GivesUpOnASilentNode) {
  NoisyLine line{Noise{}};
  line.cut();
  NodeClient client(line, {std::chrono::milliseconds(5), std::chrono::milliseconds(60)});
  try {
    client.connect();
    FAIL() << "connected";
  } catch (const NodeSilent& error) {
    EXPECT_STREQ(error.what(), "noisy line: no node has answered for 0 s");
    EXPECT_FALSE(error.ever_answered());
  }
}

TEST(NodeClient, GivesUpWhenTheLineIsCutLater) {
  NoisyLine line{Noise{}};
  NodeClient client(line, {std::chrono::milliseconds(5), std::chrono::milliseconds(60)});
  client.connect();
  line.cut();
  client.send(reset_message());
  try {
    client.flush();
    FAIL() << "applied";
  } catch (const NodeSilent& error) {
    EXPECT_STREQ(error.what(), "noisy line: the node has been silent for 0 s");
    EXPECT_TRUE(error.ever_answered());
  }
}

// A line that another client takes, with the same node at its end.
class TakenLine : public NoisyLine {
 public:
  TakenLine() : NoisyLine(Noise{}) {}
  std::uint64_t reopened() const override { return reopened_; }
  void reopen() { ++reopened_; }

 private:
  std::uint64_t reopened_ = 0;
};

std::string complaint_of(NodeClient& client) {
  try {
    client.hello();
  } catch (const posix::LineError& error) {
    return error.what();
  }
  return "";
}

ToNode configure_of_session(std::uint64_t session) {
  ToNode message = configure_message("variance", 2, 4, 4);
  message.body.configure.session = session;
  return message;
}

// What the client has on its way reaches as far as the other's messages, or further.
TEST(NodeClient, IsToldOfAnotherSendersConfigure) {
  for (const int ahead : {0, 5}) {
    TakenLine line;
    NodeClient client(line, kQuick);
    client.connect();
    client.send(reset_message());
    client.send(configure_of_session(1));
    client.flush();
    NodeClient other(line, kQuick);
    other.connect();
    other.send(reset_message());
    other.send(configure_of_session(2));
    other.flush();
    line.reopen();
    for (int i = 0; i < ahead; ++i) client.send(sample_message({1, 2}));
    const std::string complaint = complaint_of(client);
    EXPECT_NE(complaint.find("messages of another sender; only one"), std::string::npos)
        << ahead << complaint;
  }
}

// Both have sent a configure with the same seq; the other's came first.
TEST(NodeClient, IsToldOfAnotherSessionUnderItsSeq) {
  TakenLine line;
  NodeClient client(line, kQuick);
  NodeClient other(line, kQuick);
  client.connect();
  other.connect();
  other.send(configure_of_session(2));
  other.flush();
  client.send(configure_of_session(1));
  line.reopen();
  const std::string complaint = complaint_of(client);
  EXPECT_NE(complaint.find("messages of another sender; only one"), std::string::npos) << complaint;
}

TEST(NodeClient, AnotherSendersResetIsNotTakenForARestart) {
  TakenLine line;
  NodeClient client(line, kQuick);
  client.connect();
  client.send(configure_of_session(1));
  client.flush();
  NodeClient other(line, kQuick);
  other.connect();
  other.send(reset_message());
  other.flush();
  line.reopen();
  for (int i = 0; i < 3; ++i) client.send(sample_message({1, 2}));
  const std::string complaint = complaint_of(client);
  EXPECT_NE(complaint.find("the node has restarted, or another client has reset it, and lost"),
            std::string::npos)
      << complaint;
}

// The node starts again between what it says of itself and its counts. Nobody else has told it
// anything: the sender goes on where it is then.
TEST(RemoteRanker, ResumesOnANodeThatStartsAgainMeanwhile) {
  const cli::Plan plan = plan_for(mixed_csv(5, 60, 5), "ls", {"window=8"});
  NoisyLine clean{Noise{}};
  const std::string wanted = stream_over(clean, plan);
  std::istringstream in;
  std::ostringstream out, err;
  const cli::Console console{in, out, err};
  SlowLine line({1024, 64, {}, 1, true});
  NodeClient first(line, kQuick);
  cli::RemoteRanker sender(first, plan, 7);
  sender.configure(first.connect());
  sender.observe_all(console);

  NodeClient second(line, kQuick);
  cli::RemoteRanker ranker(second, plan, 7);
  const whittle_v1_Info before = second.connect();
  line.restart();
  EXPECT_THROW(ranker.resume(before), StateLost);
  ASSERT_TRUE(ranker.resume(second.connect()));
  EXPECT_LT(ranker.steps_held(), ranker.steps());
  EXPECT_GT(ranker.steps_held(), ranker.steps() - 14);
  ranker.observe_all(console);
  cli::print_json(plan, ranker.rank(3, console), out);
  EXPECT_EQ(out.str(), wanted);
}

// A label that is no step of the stream, in place of its first row.
TEST(RemoteRanker, DoesNotResumeWhereAnotherSenderHasToldTheNodeSomething) {
  const cli::Plan plan = plan_for(mixed_csv(5, 60, 5), "ls", {"window=8"});
  NoisyLine line{Noise{}};
  NodeClient client(line, kQuick);
  cli::RemoteRanker ranker(client, plan);
  ranker.configure(client.connect());
  client.label(1'000'000, 0);
  client.flush();
  try {
    ranker.resume(client.hello());
    FAIL() << "resumed";
  } catch (const cli::Error& error) {
    EXPECT_STREQ(error.what(),
                 "the node holds 0 rows of this stream, but by its count of messages it should be "
                 "1: somebody else has told it something since; stream without --resume");
  }
}

TEST(RemoteRanker, NodeWithTooLittleMemorySaysHowMuchIsNeeded) {
  constexpr std::size_t kArena = 1280 * sizeof(Real);
  NoisyLine line(Noise{}, kArena);
  try {
    stream_over(line, plan_for(mixed_csv(20, 100, 5), "cls"));
    FAIL() << "fitted";
  } catch (const cli::Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("resource_exhausted: arena too small: bytes needed: "), std::string::npos)
        << text;
    EXPECT_NE(text.find("there are " + std::to_string(kArena)), std::string::npos) << text;
    EXPECT_NE(text.find("--param window=N (now "), std::string::npos) << text;
  }
  // What it was told to do helps.
  const cli::Plan smaller = plan_for(mixed_csv(20, 100, 5), "cls", {"window=4", "labelled=4"});
  EXPECT_NE(stream_over(line, smaller).find("\"held\":8"), std::string::npos);
}

TEST(RemoteRanker, FileTooWideForAMessageIsRefused) {
  NoisyLine line{Noise{}};
  try {
    stream_over(line, plan_for(mixed_csv(kMaxSampleFeatures + 1, 3, 5), "variance"));
    FAIL() << "sent";
  } catch (const cli::Error& error) {
    EXPECT_NE(std::string(error.what()).find("carries at most 240 features"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace whittle
