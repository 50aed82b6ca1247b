// A node between its line and its memory: chunks, credits, counts, isolation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tests/shared/node_peer.h"

namespace whittle {
namespace {

using testing::ack_of;
using testing::Bytes;
using testing::configure_message;
using testing::info_of;
using testing::kinds;
using testing::make_message;
using testing::Message;
using testing::NodePeer;
using testing::query_message;
using testing::Replies;
using testing::sample_message;
using testing::stats_of;

TEST(NodeLine, AnswersDoNotDependOnHowBytesArrive) {
  Bytes stream;
  {
    NodePeer sender;
    for (const Message& message :
         {configure_message("probe", 4), sample_message({1, 2, 3, 4}, 1), sample_message({5, 6}),
          sample_message({5, 6, 7, 8}), query_message(0, 2, 3)}) {
      testing::append(stream, sender.next_frame(message));
    }
    stream.insert(stream.begin(), {1, 2, 3, 0});
  }
  Bytes expected;
  for (const std::size_t chunk : {stream.size(), std::size_t{1}, std::size_t{2}, std::size_t{63},
                                  std::size_t{64}, std::size_t{65}}) {
    NodePeer peer;
    for (std::size_t at = 0; at < stream.size(); at += chunk) {
      const auto begin = stream.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t count = std::min(chunk, stream.size() - at);
      peer.port.to_node.insert(peer.port.to_node.end(), begin,
                               begin + static_cast<std::ptrdiff_t>(count));
      peer.node.poll();
      EXPECT_TRUE(peer.port.to_node.empty());
    }
    if (expected.empty()) expected = peer.port.from_node;
    EXPECT_EQ(peer.port.from_node, expected) << chunk;
  }
  NodePeer slow;  // the port gives a byte a read; and receive() takes the place of the port
  slow.port.read_limit = 1;
  slow.port.to_node = stream;
  slow.node.poll();
  EXPECT_EQ(slow.port.from_node, expected);
  NodePeer direct;
  direct.node.receive(testing::span_of(stream));
  EXPECT_EQ(direct.port.from_node, expected);
}

TEST(NodeLine, CreditsAreFramesThatFitInThePort) {
  NodePeer peer;
  peer.port.capacity = 4 * frame_bytes(kMaxPayload) - 1;
  EXPECT_EQ(info_of(peer).credits, 3U);
  Replies replies = peer.send(configure_message("variance", 4));
  const std::size_t largest = frame_bytes(sample_payload(4));
  EXPECT_EQ(ack_of(replies).credits, peer.port.capacity / largest);
  EXPECT_LE(peer.next_frame(sample_message({1, 2, 3, 4}, 1)).size(), largest);
  EXPECT_LE(peer.next_frame(query_message(~0U, ~0U, ~0U)).size(), largest);
  peer.port.capacity = 10;
  EXPECT_EQ(info_of(peer).credits, 1U);
}

TEST(NodeLine, CreditsLeaveRoomForTheScale) {
  NodePeer peer;
  Message configure = configure_message("probe", 40);
  configure->body.configure.scaling = whittle_v1_Scaling_ZSCORE;
  const Replies replies = peer.send(configure);
  ASSERT_EQ(kinds(replies), "A");
  EXPECT_EQ(ack_of(replies).credits, peer.port.capacity / frame_bytes(scale_payload(40)));
}

TEST(NodeLine, StatisticsAddUp) {
  NodePeer peer;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  const auto exchange = [&](const Bytes& bytes) {
    sent += bytes.size();
    peer.port.to_node = bytes;
    peer.node.poll();
    received += peer.port.from_node.size();
    return peer.replies();
  };
  exchange(peer.next_frame(configure_message("variance", 2)));
  exchange(peer.next_frame(sample_message({1, 2})));
  const Bytes last = peer.next_frame(sample_message({1, 3}));
  exchange(last);
  exchange(last);                                             // a duplicate
  exchange(peer.next_frame(sample_message({1, 2, 3})));       // refused
  exchange(peer.next_frame(query_message(7)));                // refused, no sample
  exchange(NodePeer::frame(*query_message(), peer.seq + 5));  // a gap
  exchange({3, 1, 0});                                        // framing
  exchange({6, 1, 2, 3, 4, 5, 0});                            // CRC
  exchange(testing::frame_of({0xFF}));                        // no protobuf
  const Bytes ask = peer.next_frame(make_message(whittle_v1_ToNode_stats_tag));
  const std::uint64_t received_before = received;
  const Replies replies = exchange(ask);
  ASSERT_EQ(kinds(replies), "SA");
  const whittle_v1_Stats& stats = replies[0].body.stats;
  EXPECT_EQ(stats.frames, 9U);
  EXPECT_EQ(stats.framing_errors, 1U);
  EXPECT_EQ(stats.crc_errors, 1U);
  EXPECT_EQ(stats.undecodable, 1U);
  EXPECT_EQ(stats.gaps, 1U);
  EXPECT_EQ(stats.duplicates, 1U);
  EXPECT_EQ(stats.samples, 2U);
  EXPECT_EQ(stats.refused, 2U);
  EXPECT_EQ(stats.refused_samples, 1U);
  EXPECT_EQ(stats.bytes_received, sent);
  EXPECT_EQ(stats.bytes_sent, received_before);
  EXPECT_EQ(stats.arena_bytes, sizeof peer.buffer);
  EXPECT_EQ(stats.arena_used, peer.node.service().arena().used());
  EXPECT_GT(stats.arena_used, 0U);
  EXPECT_EQ(stats.observe_ticks, 2 * testing::FakePort::kTicksPerLook);
  EXPECT_EQ(stats.slowest_observe, testing::FakePort::kTicksPerLook);
  EXPECT_EQ(stats.tick_rate, 1000U);
  EXPECT_GT(stats.uptime_ticks, stats.observe_ticks);

  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  const whittle_v1_Stats after = stats_of(peer);
  EXPECT_EQ(after.samples, 0U);
  EXPECT_EQ(after.refused_samples, 0U);
  EXPECT_EQ(after.observe_ticks, 0U);
  EXPECT_EQ(after.arena_used, 0U);
  EXPECT_EQ(after.refused, 2U);
  EXPECT_EQ(after.frames, 11U);
}

TEST(NodeLine, RefusedSamplesAreCountedByReason) {
  NodePeer peer;
  peer.send(sample_message({1, 2}));  // too early
  peer.send(configure_message("probe", 2));
  peer.send(sample_message({1, 2}, 1));
  peer.send(sample_message({1, 2, 3}));      // malformed
  peer.send(sample_message({1, INFINITY}));  // likewise
  peer.send(sample_message({1, 2}, 7));      // no such class
  const whittle_v1_Stats stats = stats_of(peer);
  EXPECT_EQ(stats.refused_samples, 4U);
  EXPECT_EQ(stats.early_samples, 1U);
  EXPECT_EQ(stats.invalid_samples, 2U);
  EXPECT_EQ(stats.outlying_samples, 1U);
  EXPECT_EQ(stats.overruns, peer.port.overruns());
  EXPECT_EQ(stats.resets, 0U);
  EXPECT_EQ(stats.state_digest, peer.node.service().ranker().state_digest());
  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  const whittle_v1_Stats after = stats_of(peer);
  EXPECT_EQ(after.resets, 1U);
  EXPECT_EQ(after.early_samples + after.invalid_samples + after.outlying_samples, 0U);
  EXPECT_EQ(after.state_digest, 0U);
}

// Whoever asks does not disturb a stream.
TEST(NodeLine, StatisticsWithoutASeqAreNotCounted) {
  NodePeer peer;
  peer.send(configure_message("probe", 2));
  const Message ask = make_message(whittle_v1_ToNode_stats_tag);
  const Replies replies = peer.send_bytes(NodePeer::frame(*ask, 0));
  ASSERT_EQ(kinds(replies), "S");
  EXPECT_EQ(replies[0].body.stats.undecodable, 0U);
  EXPECT_EQ(peer.node.session().last_seq(), 1U);
  EXPECT_EQ(kinds(peer.send(sample_message({1, 2}))), "A");
}

// So that a refusal is noticed though its error gets lost.
TEST(NodeLine, AcksTellWhatWasRefused) {
  NodePeer peer;
  const auto refused = [&](const Message& message) { return ack_of(peer.send(message)).refused; };
  EXPECT_EQ(refused(sample_message({1, 2})), 0b1U);  // too early
  EXPECT_EQ(refused(configure_message("probe", 2)), 0b10U);
  const Bytes wrong = peer.next_frame(sample_message({1, 2, 3}));
  for (int again = 0; again < 3; ++again) {
    const Replies replies = peer.send_bytes(wrong);
    ASSERT_EQ(kinds(replies), "EA");
    EXPECT_EQ(ack_of(replies).refused, 0b101U);
  }
  const Replies old = peer.send_bytes(NodePeer::frame(*sample_message({1, 2}), 1));
  ASSERT_EQ(kinds(old), "A");
  EXPECT_EQ(ack_of(old).refused, 0b101U);
  EXPECT_EQ(refused(sample_message({1, 2})), 0b1010U);
  // Seqs go on after a reset, and so does this.
  EXPECT_EQ(refused(make_message(whittle_v1_ToNode_reset_tag)), 0b10100U);
  EXPECT_EQ(refused(query_message()), 0b101001U);
}

TEST(NodeLine, InfoNamesTheStreamAndTheHello) {
  NodePeer peer;
  EXPECT_EQ(info_of(peer).configured_seq, 0U);
  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  Message configure = configure_message("probe", 2);
  configure->body.configure.session = 0xFEDCBA9876543210;
  peer.send(configure);
  peer.send(configure_message("variance", 3));  // refused
  const whittle_v1_Info info = info_of(peer);
  EXPECT_EQ(info.session, 0xFEDCBA9876543210);
  EXPECT_EQ(info.configured_seq, 2U);
  EXPECT_EQ(info.hello_seq, 12345U);
  EXPECT_EQ(info.last_seq, 3U);
  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  EXPECT_EQ(info_of(peer).session, 0U);
  EXPECT_EQ(info_of(peer).configured_seq, 0U);
}

TEST(NodeLine, TwoNodesDoNotTouchEachOther) {
  NodePeer first;
  NodePeer second;
  NodePeer alone;
  first.send(configure_message("probe", 3));
  second.send(configure_message("variance", 2));
  alone.send(configure_message("probe", 3));
  for (int i = 0; i < 10; ++i) {
    const float x = static_cast<float>(i);
    const Bytes frame = first.next_frame(sample_message({x, 2 * x, 1}, 1));
    const std::uint64_t before = second.bytes_digest();
    first.send_bytes(frame);
    EXPECT_EQ(second.bytes_digest(), before);
    second.send(sample_message({x, -x}));
    alone.send_bytes(frame);
  }
  EXPECT_EQ(first.state_digest(), alone.state_digest());
}

TEST(NodeLine, NothingIsWrittenOutsideItsBuffer) {
  NodePeer peer;  // for its port
  unsigned char memory[1024 + 32];
  std::fill(std::begin(memory), std::end(memory), static_cast<unsigned char>(0xA5));
  const std::size_t size = 1024 - 8;  // the buffer need not be aligned
  Node node(peer.port, Catalog(testing::kPeerTypes), memory + 17, size);
  peer.port.to_node = peer.next_frame(configure_message("probe", 3));
  testing::append(peer.port.to_node, peer.next_frame(sample_message({1, 2, 3}, 1)));
  testing::append(peer.port.to_node, peer.next_frame(query_message(0, 0, 2)));
  node.poll();
  EXPECT_EQ(kinds(peer.replies()), "AARA");
  for (std::size_t i = 0; i < 17; ++i) EXPECT_EQ(memory[i], 0xA5);
  for (std::size_t i = 17 + size; i < sizeof memory; ++i) EXPECT_EQ(memory[i], 0xA5);
}

}  // namespace
}  // namespace whittle
