// What every bad input to a node must lead to.
#ifndef WHITTLE_TESTS_SHARED_NODE_REFUSALS_H_
#define WHITTLE_TESTS_SHARED_NODE_REFUSALS_H_

#include <gtest/gtest.h>

#include "tests/shared/node_peer.h"

namespace whittle::testing {

// Sends a frame under the next seq that must be refused with `code` and `text`.
inline void expect_refused_frame(NodePeer& peer, const Bytes& frame, StatusCode code,
                                 const char* text) {
  const std::uint64_t before = peer.bytes_digest();
  const Replies replies = peer.send_bytes(frame);
  ASSERT_EQ(kinds(replies), "EA") << text;
  EXPECT_EQ(error_text(replies), text);
  EXPECT_EQ(error_code(replies), code) << text;
  EXPECT_EQ(replies[0].body.error.seq, peer.seq) << text;
  EXPECT_EQ(ack_of(replies).seq, peer.seq) << text;
  EXPECT_EQ(peer.bytes_digest(), before) << text;
}

inline void expect_refused(NodePeer& peer, const Message& message, StatusCode code,
                           const char* text) {
  expect_refused_frame(peer, peer.next_frame(message), code, text);
}

inline void expect_refused_body(NodePeer& peer, std::uint32_t field, const RawMessage& body,
                                StatusCode code, const char* text) {
  const RawMessage message = RawMessage().number(1, ++peer.seq).message(field, body);
  expect_refused_frame(peer, testing::frame_of(message.get()), code, text);
}

// A node with 3 features and 2 classes that has seen two samples, one labelled.
class ConfiguredNode : public ::testing::Test {
 protected:
  ConfiguredNode() {
    EXPECT_EQ(kinds(peer.send(configure_message("probe", 3))), "A");
    EXPECT_EQ(kinds(peer.send(sample_message({1, 2, 3}, 0))), "A");
    EXPECT_EQ(kinds(peer.send(sample_message({4, 5, 6}))), "A");
  }
  NodePeer peer;
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_NODE_REFUSALS_H_
