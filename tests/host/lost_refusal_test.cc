// What a node refuses is noticed, each message once, whatever the line loses of it.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/host/node_messages.h"
#include "tests/host/noisy_line.h"
#include "tests/host/slow_line.h"
#include "tools/client/node_client.h"

namespace whittle {
namespace {

using Seqs = std::vector<std::uint64_t>;

constexpr ClientOptions kQuick{std::chrono::milliseconds(5), std::chrono::milliseconds(20000)};

// Holds eight unlabelled samples; labels of samples that are not held are refused.
std::uint64_t configure(NodeClient& client, std::uint32_t snapshot_every = 0) {
  client.connect();
  const std::uint64_t seq = client.send(configure_message("ls", 1, 8, 8, snapshot_every));
  client.flush();
  return seq;
}

Seqs seqs_of(const std::vector<NodeError>& errors) {
  Seqs seqs;
  for (const NodeError& error : errors) seqs.push_back(error.seq);
  return seqs;
}

constexpr std::uint64_t kNowhere = 1'000'000;  // seq of a sample that there is not

// Of a label that is refused: once, with its reason.
void expect_told_again(NodeClient& client) {
  const std::uint64_t seq = client.label(kNowhere, 0);
  client.flush();
  const std::vector<NodeError> errors = client.take_errors();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].seq, seq);
  EXPECT_EQ(errors[0].code, StatusCode::not_found);
  EXPECT_EQ(client.stats().refused, 1U);
}

TEST(LostRefusal, OfTheLastMessageIsToldAgainWithItsReason) {
  NoisyLine line{Noise{}};
  NodeClient client(line, kQuick);
  configure(client);
  int left = 3;
  line.lose([&](const FromNode& answer) { return is_error(answer) && left-- > 0; });
  expect_told_again(client);
  EXPECT_EQ(client.costs().resent, 3U);
}

// Info says what was applied, and not what became of it.
TEST(LostRefusal, WithItsAcknowledgementIsToldAgainAfterAHello) {
  NoisyLine line{Noise{}};
  NodeClient client(line, kQuick);
  configure(client);
  int left = 4;
  line.lose(
      [&](const FromNode& answer) { return (is_error(answer) || is_ack(answer)) && left-- > 0; });
  expect_told_again(client);
}

// With more behind it there is no asking again: the ack says that it was, not why.
TEST(LostRefusal, AmongOthersIsNoticedByTheNextAck) {
  NoisyLine line{Noise{}};
  NodeClient client(line, kQuick);
  configure(client);
  Seqs sent;
  for (const std::uint64_t answers_lost : {1U, 2U, 5U}) {
    line.lose([&, end = client.acknowledged() + answers_lost](const FromNode& answer) {
      return (is_error(answer) && answer.body.error.seq <= end) ||
             (is_ack(answer) && answer.body.ack.seq < end);
    });
    sent.clear();
    for (int i = 0; i < 6; ++i) sent.push_back(client.label(kNowhere, 0));
    client.flush();
    const std::vector<NodeError> errors = client.take_errors();
    ASSERT_EQ(seqs_of(errors), sent);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const bool lost = i < answers_lost;
      EXPECT_EQ(errors[i].code, lost ? StatusCode::data_loss : StatusCode::not_found) << i;
      if (lost) {
        EXPECT_EQ(errors[i].text, "refused; the line lost the reason");
      }
    }
  }
  EXPECT_EQ(client.costs().resent, 0U);
}

// The node is then still configured by the message before.
TEST(LostRefusal, OfAConfigureIsNotTakenForALossOfState) {
  NoisyLine line{Noise{}};
  NodeClient client(line, kQuick);
  configure(client);
  int left = 1;
  line.lose([&](const FromNode& answer) { return is_error(answer) && left-- > 0; });
  ToNode second = whittle_v1_ToNode_init_zero;
  second.which_body = whittle_v1_ToNode_configure_tag;
  const std::uint64_t seq = client.send(second);
  client.send(sample_message({1}));
  client.flush();
  EXPECT_EQ(seqs_of(client.take_errors()), Seqs{seq});
  EXPECT_EQ(client.hello().configured_seq, 1U);
}

// However many credits the node gives, no more are on their way than one ack tells of.
TEST(LostRefusal, OfEveryMessageOnItsWayIsNoticedByOneAck) {
  NoisyLine line(Noise{}, 1U << 20, 1U << 20);
  NodeClient client(line, kQuick);
  configure(client);
  ASSERT_GT(client.hello().credits, 1000U);
  int left = 2 * 64 + 2;  // of all that it sends without an ack, and of the last once more
  line.lose(
      [&](const FromNode& answer) { return (is_error(answer) || is_ack(answer)) && left-- > 0; });
  Seqs sent;
  for (int i = 0; i < 300; ++i) sent.push_back(client.label(kNowhere, 0));
  client.flush();
  EXPECT_LT(left, 0);
  EXPECT_EQ(seqs_of(client.take_errors()), sent);
}

class LostRefusals : public ::testing::TestWithParam<Noise> {};

// Samples, and labels of which two thirds are refused, as fast as the credits let.
TEST_P(LostRefusals, AreAllNoticedOnANoisyLine) {
  NoisyLine line(GetParam());
  NodeClient client(line, kQuick);
  configure(client);
  Seqs refused;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t sample = client.send(sample_message({static_cast<float>(i)}));
    client.label(sample, 1);
    refused.push_back(client.label(sample, 0));  // has one
    refused.push_back(client.label(kNowhere, 0));
  }
  client.flush();
  const std::vector<NodeError> errors = client.take_errors();
  EXPECT_EQ(seqs_of(errors), refused);
  std::size_t unexplained = 0;
  for (const NodeError& error : errors) {
    unexplained += error.code == StatusCode::data_loss ? 1 : 0;
    EXPECT_TRUE(error.code == StatusCode::data_loss || error.code == StatusCode::not_found ||
                error.code == StatusCode::failed_precondition);
  }
  EXPECT_GT(unexplained, 0U);
  EXPECT_LT(unexplained, refused.size());
  EXPECT_EQ(client.stats().refused, refused.size());
}

INSTANTIATE_TEST_SUITE_P(Noises, LostRefusals,
                         ::testing::Values(Noise{0, 0, 0.1, 0.1, 1}, Noise{0, 0, 0.2, 0, 2},
                                           Noise{1e-3, 1e-3, 0.02, 0.02, 3}));

TEST(LostRefusal, IsNoticedThoughTheNodeRestarts) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SlowLine line({1024, 64, {1e-3, 1e-3, 1e-3, 0.02, 0}, seed, true});
    NodeClient client(line, kQuick);
    configure(client, 7);
    std::mt19937 random(static_cast<unsigned>(seed));
    Seqs refused;
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t sample = client.send(sample_message({static_cast<float>(i)}));
      if (random() % 2 == 0) refused.push_back(client.label(sample + kNowhere, 0));
      if (random() % 16 == 0) line.restart();
    }
    client.flush();
    EXPECT_EQ(seqs_of(client.take_errors()), refused) << seed;
    EXPECT_GT(client.costs().restarts, 0U);
  }
}

}  // namespace
}  // namespace whittle
