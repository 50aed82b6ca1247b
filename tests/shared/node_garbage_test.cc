// What comes over the line and is no message the node knows: damaged, cut, unreadable, unknown.
#include <gtest/gtest.h>

#include "tests/shared/node_refusals.h"

namespace whittle {
namespace {

using testing::Bytes;
using testing::ConfiguredNode;
using testing::error_text;
using testing::expect_refused;
using testing::expect_refused_body;
using testing::kinds;
using testing::make_message;
using testing::Message;
using testing::NodePeer;
using testing::RawMessage;
using testing::Replies;
using testing::sample_message;

TEST_F(ConfiguredNode, BodiesThatCannotBeDecoded) {
  const char* const text = "message cannot be decoded";
  const std::vector<float> overlong(kMaxSampleFeatures + 1, 1.0F);
  if (4 * overlong.size() + 20 <= kMaxPayload) {
    expect_refused_body(peer, 5, RawMessage().number(1, 3).floats(2, overlong),
                        StatusCode::invalid_argument, text);
  }
  expect_refused_body(peer, 5, RawMessage().number(1, 3).number(2, 1000),
                      StatusCode::invalid_argument, text);
  expect_refused_body(peer, 3, RawMessage().bytes(7, Bytes(40, 'x')), StatusCode::invalid_argument,
                      text);
  EXPECT_GE(testing::stats_of(peer).undecodable, 2U);
}

TEST_F(ConfiguredNode, UndecodableBodiesKeepTheOrderToo) {
  const auto undecodable = [](std::uint64_t seq) {
    return testing::frame_of(
        RawMessage().number(1, seq).message(5, RawMessage().number(2, 9)).get());
  };
  EXPECT_EQ(kinds(peer.send_bytes(undecodable(peer.seq + 2))), "N");
  EXPECT_EQ(kinds(peer.send_bytes(undecodable(peer.seq))), "A");
  EXPECT_EQ(kinds(peer.send_bytes(undecodable(peer.seq - 1))), "A");
  EXPECT_EQ(kinds(peer.send_bytes(undecodable(++peer.seq))), "EA");
  EXPECT_EQ(kinds(peer.send_bytes(undecodable(peer.seq))), "EA");
}

TEST_F(ConfiguredNode, MessagesWithoutASeq) {
  const std::uint64_t before = peer.bytes_digest();
  const Message sample = sample_message({1, 2, 3});
  for (const Bytes& payload : {Bytes{}, Bytes{0xFF}, Bytes{0x08, 0x04, 0x2A, 0x10}}) {
    const Replies replies = peer.send_bytes(testing::frame_of(payload));
    ASSERT_EQ(kinds(replies), "E");
    EXPECT_EQ(replies[0].body.error.seq, 0U);
    EXPECT_EQ(error_text(replies), "message without a seq that can be read");
  }
  EXPECT_EQ(kinds(peer.send_bytes(NodePeer::frame(*sample, 0))), "E");
  EXPECT_EQ(peer.bytes_digest(), before);
  EXPECT_EQ(peer.node.session().last_seq(), peer.seq);
}

TEST_F(ConfiguredNode, UnknownMessages) {
  const char* const text = "this node does not know the message";
  expect_refused(peer, make_message(whittle_v1_ToNode_snapshot_tag), StatusCode::unimplemented,
                 "this node keeps no snapshots");
  expect_refused(peer, make_message(0), StatusCode::unimplemented, text);
  expect_refused_body(peer, 99, RawMessage().number(1, 2), StatusCode::unimplemented, text);
}

// Frames that are damaged, cut or no frames at all change nothing, and the next one is read.
TEST_F(ConfiguredNode, DamagedFrames) {
  const Bytes good = peer.next_frame(sample_message({7, 8, 9}, 1));
  const std::uint64_t before = peer.bytes_digest();
  for (std::size_t at = 0; at + 1 < good.size(); ++at) {
    Bytes bad = good;
    bad[at] = static_cast<std::uint8_t>(bad[at] ^ 0x10);
    EXPECT_EQ(kinds(peer.send_bytes(bad)), "") << at;
    bad.assign(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(at));
    bad.push_back(0);
    EXPECT_EQ(kinds(peer.send_bytes(bad)), "") << at;
  }
  EXPECT_EQ(kinds(peer.send_bytes(testing::frame_of(Bytes(kMaxPayload + 1, 1)))), "");
  testing::TestRandom random(8);
  Bytes garbage(5000);
  for (std::uint8_t& byte : garbage) byte = random.byte();
  garbage.push_back(0);
  EXPECT_EQ(kinds(peer.send_bytes(garbage)), "");
  EXPECT_EQ(peer.bytes_digest(), before);
  EXPECT_EQ(kinds(peer.send_bytes(good)), "A");
  EXPECT_EQ(peer.node.service().samples().taken, 3U);
}

}  // namespace
}  // namespace whittle
