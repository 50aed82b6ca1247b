// The sender over lines that are bad, slow and cut, and nodes that restart: every message counts
// exactly once.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/host/node_messages.h"
#include "tests/host/slow_line.h"
#include "tools/client/line_faults.h"
#include "tools/client/line_pace.h"
#include "tools/client/node_client.h"

namespace whittle {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr ClientOptions kQuick{std::chrono::milliseconds(20), std::chrono::milliseconds(20000)};

ToNode configure_message(std::uint32_t snapshot_every) {
  return whittle::configure_message("ls", 3, 20, 20, snapshot_every);
}

ToNode sample_message(unsigned i) {
  std::mt19937 random(i);
  std::vector<float> values(3);
  for (float& value : values) value = static_cast<float>(random() % 4096) / 64;
  ToNode message = whittle::sample_message(values);
  if (i % 5 != 0) return message;
  whittle_v1_Sample& sample = message.body.sample;
  sample.kind = whittle_v1_Kind_LABELLED;
  sample.has_label = true;
  sample.label = i % 2;
  return message;
}

std::uint64_t digest_of(const Node& node) { return node.service().ranker().state_digest(); }

// Of a node that took in the samples over a clean line.
std::uint64_t clean_digest(unsigned samples) {
  SlowLine line({4096, 4096, {}, 1, false});
  NodeClient client(line, kQuick);
  client.connect();
  client.send(configure_message(0));
  for (unsigned i = 0; i < samples; ++i) client.send(sample_message(i));
  client.flush();
  EXPECT_EQ(client.costs().resent, 0U);
  return digest_of(line.node());
}

class BadLine : public ::testing::TestWithParam<FaultRates> {};

// A node slower than the line, with room for a few frames: the sender never sends more than that,
// whatever is damaged, and so nothing overruns.
TEST_P(BadLine, CreditsAreNeverExceeded) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SlowLine line({500, 16, GetParam(), seed, false});
    NodeClient client(line, kQuick);
    client.connect();
    client.send(configure_message(0));
    client.flush();
    for (unsigned i = 0; i < 600; ++i) client.send(sample_message(i));
    const whittle_v1_Stats stats = client.stats();
    EXPECT_EQ(digest_of(line.node()), clean_digest(600));
    EXPECT_EQ(stats.samples, 600U);
    EXPECT_EQ(stats.state_digest, clean_digest(600));
    // What the line doubles is not in the sender's hand.
    if (GetParam().duplicate == 0) {
      EXPECT_EQ(line.overruns(), 0U);
    }
    EXPECT_GT(line.fullest(), 150U);  // the line was not idle
    EXPECT_LT(client.costs().resent, 4000U);
  }
}

INSTANTIATE_TEST_SUITE_P(Rates, BadLine,
                         ::testing::Values(FaultRates{1e-3, 0, 0, 0, 0},
                                           FaultRates{0, 1e-3, 0, 0, 0},
                                           FaultRates{0, 0, 1e-3, 0, 0},
                                           FaultRates{0, 0, 0, 0.1, 0}, FaultRates{0, 0, 0, 0, 0.1},
                                           FaultRates{5e-4, 5e-4, 5e-4, 0.02, 0.02}));

// Bytes that overrun are lost; the node counts them, and the sender makes up for them.
TEST(Overrun, IsCountedAndRecovered) {
  SlowLine line({500, 16, {}, 1, false});
  NodeClient client(line, kQuick);
  client.connect();
  client.send(configure_message(0));
  client.flush();
  for (unsigned i = 0; i < 100; ++i) {
    client.send(sample_message(i));
    if (i % 25 == 0) line.write(Span<const std::uint8_t>(Bytes(400, 0x55).data(), 400));  // noise
  }
  const whittle_v1_Stats stats = client.stats();
  EXPECT_GT(stats.overruns, 0U);
  EXPECT_EQ(stats.overruns, line.overruns());
  EXPECT_EQ(stats.state_digest, clean_digest(100));
}

// With snapshots, a node may restart at any moment: the sender has kept what is not in one.
TEST(Restart, OfANodeWithSnapshotsLosesNothing) {
  const std::uint64_t clean = clean_digest(500);
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const FaultRates rates = seed % 2 == 0 ? FaultRates{3e-4, 3e-4, 3e-4, 0, 0} : FaultRates{};
    SlowLine line({1024, 64, rates, seed, true});
    NodeClient client(line, kQuick);
    client.connect();
    client.send(configure_message(7));
    std::mt19937 random(seed);
    unsigned restarts = 0;
    for (unsigned i = 0; i < 500; ++i) {
      client.send(sample_message(i));
      if (random() % 16 != 0) continue;
      line.restart();
      ++restarts;
    }
    EXPECT_EQ(client.stats().state_digest, clean) << seed;
    EXPECT_EQ(line.node().service().samples().taken, 500U);
    EXPECT_GT(restarts, 15U);
    EXPECT_GT(client.costs().restarts, 5U);
  }
}

// A request is answered although the node restarts while it waits.
TEST(Restart, BetweenAQuestionAndItsAnswer) {
  SlowLine line({1024, 64, {}, 1, true});
  NodeClient client(line, kQuick);
  client.connect();
  client.send(configure_message(5));
  for (unsigned i = 0; i < 38; ++i) client.send(sample_message(i));
  client.flush();
  line.restart();
  const whittle_v1_Ranking page = client.query(whittle_v1_Query{});
  EXPECT_EQ(page.unlabelled + page.labelled, 38U);
  EXPECT_EQ(client.costs().restarts, 1U);
}

// What hello says is of after the restart that it has found out about.
TEST(Restart, BeforeAHello) {
  SlowLine line({1024, 64, {}, 1, true});
  NodeClient client(line, kQuick);
  client.connect();
  client.send(configure_message(5));
  client.flush();
  line.restart();
  const whittle_v1_Info info = client.hello();
  EXPECT_TRUE(info.configured);
  EXPECT_EQ(info.last_seq, 1U);
}

TEST(Restart, OfANodeWithoutSnapshotsSaysWhatIsLost) {
  SlowLine line({1024, 64, {}, 1, false});
  NodeClient client(line, kQuick);
  client.connect();
  client.send(configure_message(0));
  for (unsigned i = 0; i < 20; ++i) client.send(sample_message(i));
  client.flush();
  line.restart();
  try {
    client.send(sample_message(20));
    client.flush();
    FAIL() << "went on";
  } catch (const StateLost& lost) {
    EXPECT_EQ(lost.first(), 1U);
    EXPECT_EQ(lost.last(), 21U);
    EXPECT_STREQ(
        lost.what(),
        "slow line: the node has restarted and lost messages 1 to 21, which it had taken in");
  }
  EXPECT_EQ(client.connect().last_seq, 0U);  // and all can be sent again
}

TEST(Restart, WithoutTheSnapshotsSaysWhatIsLost) {
  SlowLine line({1024, 64, {}, 1, true});
  NodeClient client(line, kQuick);
  client.connect();
  client.send(configure_message(5));
  for (unsigned i = 0; i < 20; ++i) client.send(sample_message(i));
  client.flush();
  line.replace_flash();
  line.restart();
  client.send(sample_message(20));
  EXPECT_THROW(client.flush(), StateLost);
}

TEST(LineFaults, AreTheSameHoweverTheBytesAreCut) {
  Bytes sent(5000);
  std::mt19937 random(1);
  for (std::uint8_t& byte : sent) byte = static_cast<std::uint8_t>(random() % 20);
  const FaultRates rates{0.01, 0.02, 0.03, 0.1, 0.1};
  LineFaults whole(rates, 7);
  const Bytes expected = whole.pass(Span<const std::uint8_t>(sent.data(), sent.size()));
  EXPECT_NE(expected, sent);
  LineFaults pieces(rates, 7);
  Bytes got;
  for (std::size_t at = 0; at < sent.size();) {
    const std::size_t size = std::min<std::size_t>(random() % 50, sent.size() - at);
    const Bytes out = pieces.pass(Span<const std::uint8_t>(sent.data() + at, size));
    got.insert(got.end(), out.begin(), out.end());
    at += size;
  }
  EXPECT_EQ(got, expected);
  LineFaults other(rates, 8);
  EXPECT_NE(other.pass(Span<const std::uint8_t>(sent.data(), sent.size())), expected);
}

TEST(LineFaults, HaveTheRatesAsked) {
  const Bytes sent(200000, 1);
  LineFaults faults({0.01, 0.02, 0.005, 0, 0}, 3);
  const Bytes out = faults.pass(Span<const std::uint8_t>(sent.data(), sent.size()));
  const FaultCounts& counts = faults.counts();
  EXPECT_NEAR(static_cast<double>(counts.flipped), 2000, 200);
  EXPECT_NEAR(static_cast<double>(counts.inserted), 4000, 300);
  EXPECT_NEAR(static_cast<double>(counts.removed), 1000, 150);
  EXPECT_EQ(out.size(), sent.size() + counts.inserted - counts.removed);
}

TEST(LinePace, KeepsTheOrderAndTheRate) {
  LinePace pace({7, std::chrono::milliseconds(3), 1000}, 5);
  Bytes sent(200);
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::uint8_t>(i);
  const LinePace::Clock::time_point start{};
  pace.send(sent, start);
  Bytes got;
  for (int ms = 0; ms < 1000; ++ms) {
    for (;;) {
      const Bytes piece = pace.arrived(start + std::chrono::milliseconds(ms));
      if (piece.empty()) break;
      EXPECT_LE(piece.size(), 7U);
      got.insert(got.end(), piece.begin(), piece.end());
    }
    EXPECT_LE(got.size(), static_cast<std::size_t>(ms) + 1);  // 1000 bytes a second
  }
  EXPECT_EQ(got, sent);
}

}  // namespace
}  // namespace whittle
