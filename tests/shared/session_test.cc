// Exactly once, in order: whatever the line does.
#include "whittle/node/session.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/shared/node_peer.h"

namespace whittle {
namespace {

using testing::ack_of;
using testing::Bytes;
using testing::kinds;
using testing::Message;
using testing::NodePeer;
using testing::Replies;

TEST(Session, TellsNextFromOldAndAhead) {
  Session session;
  EXPECT_EQ(session.classify(1), Arrival::next);
  EXPECT_EQ(session.classify(2), Arrival::ahead);
  session.advance(false);
  session.advance(false);
  EXPECT_EQ(session.last_seq(), 2U);
  EXPECT_EQ(session.classify(1), Arrival::old);
  EXPECT_EQ(session.classify(2), Arrival::repeated);
  EXPECT_EQ(session.classify(3), Arrival::next);
  EXPECT_EQ(session.classify(4), Arrival::ahead);
  EXPECT_EQ(session.classify(~std::uint64_t{0}), Arrival::ahead);
}

TEST(Session, RemembersWhichOfTheLast64WereRefused) {
  Session session;
  EXPECT_EQ(session.refused(), 0U);
  session.advance(true);
  EXPECT_EQ(session.refused(), 1U);
  session.advance(false);
  session.advance(true);
  EXPECT_EQ(session.refused(), 5U);
  for (int i = 0; i < 61; ++i) session.advance(false);
  EXPECT_EQ(session.refused(), std::uint64_t{5} << 61);
  session.advance(false);
  EXPECT_EQ(session.refused(), std::uint64_t{1} << 62);
}

// A stream as frames: configure, then samples, some labelled.
std::vector<Bytes> stream_frames(std::size_t samples) {
  std::vector<Bytes> frames;
  frames.push_back(NodePeer::frame(*testing::configure_message("probe", 3), 1));
  testing::TestRandom random(3);
  for (std::size_t i = 0; i < samples; ++i) {
    const auto value = [&] { return static_cast<float>(random.below(1000)) / 8; };
    const int label = i % 3 == 0 ? static_cast<int>(i % 2) : testing::kNoLabel;
    const Message message = testing::sample_message({value(), value(), value()}, label);
    frames.push_back(NodePeer::frame(*message, i + 2));
  }
  return frames;
}

std::uint64_t digest_of_clean_run(const std::vector<Bytes>& frames) {
  NodePeer peer;
  for (const Bytes& frame : frames) EXPECT_EQ(kinds(peer.send_bytes(frame)), "A");
  return peer.state_digest();
}

TEST(ExactlyOnce, DuplicatesAreAckedAndIgnored) {
  const std::vector<Bytes> frames = stream_frames(20);
  NodePeer peer;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (int again = 0; again < 3; ++again) {
      const Replies replies = peer.send_bytes(frames[i]);
      ASSERT_EQ(kinds(replies), "A");
      EXPECT_EQ(ack_of(replies).seq, i + 1);
    }
    const Replies old = peer.send_bytes(frames[0]);
    ASSERT_EQ(kinds(old), "A");
    EXPECT_EQ(ack_of(old).seq, i + 1);
  }
  EXPECT_EQ(peer.state_digest(), digest_of_clean_run(frames));
}

TEST(ExactlyOnce, GapIsAnsweredByWhatIsExpected) {
  const std::vector<Bytes> frames = stream_frames(5);
  NodePeer peer;
  peer.send_bytes(frames[0]);
  const std::uint64_t before = peer.state_digest();
  for (std::size_t i = 2; i < frames.size(); ++i) {
    const Replies replies = peer.send_bytes(frames[i]);
    ASSERT_EQ(kinds(replies), "N");
    EXPECT_EQ(replies[0].body.nack.expected, 2U);
    EXPECT_GE(replies[0].body.nack.credits, 1U);
  }
  EXPECT_EQ(peer.state_digest(), before);
  for (std::size_t i = 1; i < frames.size(); ++i) {
    EXPECT_EQ(kinds(peer.send_bytes(frames[i])), "A");
  }
  EXPECT_EQ(peer.state_digest(), digest_of_clean_run(frames));
}

TEST(ExactlyOnce, ReorderedMessagesAreAppliedInOrder) {
  const std::vector<Bytes> frames = stream_frames(12);
  const std::uint64_t clean = digest_of_clean_run(frames);
  testing::TestRandom random(11);
  for (int round = 0; round < 20; ++round) {
    NodePeer peer;
    while (peer.node.session().last_seq() < frames.size()) {
      peer.send_bytes(frames[random.below(static_cast<std::uint32_t>(frames.size()))]);
    }
    EXPECT_EQ(peer.state_digest(), clean);
  }
}

// Loses, repeats and damages frames, both ways.
class BadLine {
 public:
  explicit BadLine(std::uint32_t seed) : random_(seed) {}
  Bytes through(const Bytes& bytes) {
    Bytes out;
    for (const std::uint8_t byte : bytes) {
      const std::uint32_t fate = random_.below(400);
      if (fate == 0) continue;
      out.push_back(fate == 1 ? random_.byte() : byte);
      if (fate == 2) out.push_back(random_.byte());
    }
    return out;
  }

 private:
  testing::TestRandom random_;
};

TEST(ExactlyOnce, SenderWithinItsCreditsGetsEverythingThroughABadLine) {
  const std::vector<Bytes> frames = stream_frames(300);
  const std::uint64_t clean = digest_of_clean_run(frames);
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    NodePeer peer;
    BadLine line(seed);
    std::size_t acked = 0;
    std::size_t credits = 1;
    int rounds = 0;
    while (acked < frames.size() && ++rounds < 5000) {
      // Go back to the first message not acked, and send as far as the credits reach.
      peer.port.to_node.push_back(0);  // ends whatever the line left unfinished
      const std::size_t end = std::min(acked + credits, frames.size());
      for (std::size_t i = acked; i < end; ++i) {
        testing::append(peer.port.to_node, line.through(frames[i]));
      }
      ASSERT_LE(peer.port.to_node.size(), peer.port.capacity + end - acked + 1);
      peer.node.poll();
      peer.port.from_node = line.through(peer.port.from_node);
      peer.port.from_node.push_back(0);
      for (const FromNode& reply : peer.replies()) {
        if (reply.which_body != whittle_v1_FromNode_ack_tag) continue;
        acked = std::max(acked, static_cast<std::size_t>(reply.body.ack.seq));
        credits = reply.body.ack.credits;
      }
    }
    EXPECT_EQ(acked, frames.size());
    EXPECT_EQ(peer.state_digest(), clean);
    EXPECT_GT(rounds, 10);  // the line was bad
  }
}

TEST(ExactlyOnce, ReadingIsAnsweredAgainAndRefusalsAreRepeated) {
  NodePeer peer;
  peer.send(testing::configure_message("probe", 3));
  peer.send(testing::sample_message({1, 2, 3}, 0));
  const Bytes query = peer.next_frame(testing::query_message(0, 0, 8));
  const Replies first = peer.send_bytes(query);
  ASSERT_EQ(kinds(first), "RA");
  const std::uint64_t after = peer.state_digest();
  const Replies again = peer.send_bytes(query);
  ASSERT_EQ(kinds(again), "RA");
  EXPECT_EQ(again[0].body.ranking.scores[0], first[0].body.ranking.scores[0]);  // refined once
  EXPECT_EQ(again[0].body.ranking.ranked_at, 3U);
  EXPECT_EQ(peer.state_digest(), after);

  const Bytes stats = peer.next_frame(testing::make_message(whittle_v1_ToNode_stats_tag));
  EXPECT_EQ(kinds(peer.send_bytes(stats)), "SA");
  EXPECT_EQ(kinds(peer.send_bytes(stats)), "SA");
  EXPECT_EQ(kinds(peer.send_bytes(query)), "A");  // answered before the stats: old

  const Bytes bad = peer.next_frame(testing::sample_message({1, 2}));
  const std::string text = testing::error_text(peer.send_bytes(bad));
  EXPECT_EQ(text, "wrong number of features: expected: 3");
  const Replies repeated = peer.send_bytes(bad);
  ASSERT_EQ(kinds(repeated), "EA");
  EXPECT_EQ(repeated[0].body.error.seq, 5U);
  EXPECT_EQ(testing::error_text(repeated), text);
  EXPECT_EQ(peer.node.service().samples().refused, 1U);

  peer.send(testing::sample_message({1, 2, 3}));
  EXPECT_EQ(kinds(peer.send_bytes(bad)), "A");  // no longer the last
}

TEST(ExactlyOnce, AnotherMessageUnderAnOldSeqIsNotAnswered) {
  NodePeer peer;
  peer.send(testing::configure_message("probe", 3));
  const Message sample = testing::sample_message({1, 2, 3}, 1);
  peer.send(sample);
  const std::uint64_t before = peer.state_digest();
  EXPECT_EQ(kinds(peer.send_bytes(NodePeer::frame(*testing::query_message(), 2))), "A");
  EXPECT_EQ(peer.state_digest(), before);
  peer.send(testing::query_message());
  EXPECT_EQ(kinds(peer.send_bytes(NodePeer::frame(*testing::query_message(99), 3))), "A");
  EXPECT_EQ(kinds(peer.send_bytes(NodePeer::frame(*sample, 3))), "A");
  EXPECT_EQ(peer.node.service().samples().taken, 1U);
}

}  // namespace
}  // namespace whittle
