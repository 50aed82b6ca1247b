// A node that is restarted goes on from its snapshot, and what its sender kept makes it whole.
#include "whittle/node/node_snapshots.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/shared/flash_model.h"
#include "tests/shared/node_peer.h"

namespace whittle::testing {
namespace {

constexpr std::uint8_t kBuild[20] = {1};
constexpr std::uint8_t kOtherBuild[20] = {2};

Message snapshot_message() { return make_message(whittle_v1_ToNode_snapshot_tag); }
Message reset_message() { return make_message(whittle_v1_ToNode_reset_tag); }

Message configure_every(std::uint32_t every, const char* selector = "probe") {
  Message message = configure_message(selector, 3);
  message->body.configure.snapshot_every = every;
  return message;
}

// A node with its snapshots in flash, just started.
struct FlashNode {
  explicit FlashNode(Storage& storage, Span<const std::uint8_t> build = kBuild)
      : snapshots(storage, {build, "fake"}), peer(Catalog(kPeerTypes, kAllParts), &snapshots) {
    status = snapshots.restore(peer.node);
    peer.seq = peer.node.session().last_seq();
  }
  std::size_t last_seq() const { return static_cast<std::size_t>(peer.node.session().last_seq()); }

  NodeSnapshots snapshots;
  NodePeer peer;
  Status status;
};

FlashModel flash(std::size_t pages = 64) { return {512, pages, 8}; }

// All kinds of messages, a sender's from the first on.
std::vector<Bytes> frames_of_a_stream(std::uint32_t every, std::size_t count) {
  std::vector<Bytes> frames;
  TestRandom random(5);
  const auto add = [&](const Message& message) {
    frames.push_back(NodePeer::frame(*message, frames.size() + 1));
  };
  add(configure_every(every));
  while (frames.size() < count) {
    const auto value = [&] { return static_cast<float>(random.below(1000)) / 8; };
    const std::size_t seq = frames.size() + 1;
    if (seq % 11 == 7) {
      add(label_message(seq - 2, 1));
    } else if (seq % 11 == 9) {
      add(query_message(0, 0, 3));
    } else if (seq == 30) {
      add(reset_message());
      add(configure_every(every));
    } else if (seq % 13 == 5) {
      add(sample_message({value(), value()}));  // refused
    } else {
      add(sample_message({value(), value(), value()}, seq % 3 == 0 ? 0 : kNoLabel));
    }
  }
  return frames;
}

TEST(NodeSnapshots, ANodeWithoutStorageSaysSo) {
  NodePeer peer;
  Replies replies = peer.send(snapshot_message());
  EXPECT_EQ(kinds(replies), "EA");
  EXPECT_EQ(error_code(replies), StatusCode::unimplemented);
  replies = peer.send(configure_every(5));
  EXPECT_EQ(error_code(replies), StatusCode::unimplemented);
  EXPECT_EQ(error_text(replies), "this node keeps no snapshots");
  EXPECT_FALSE(peer.node.service().configured());
  EXPECT_FALSE(info_of(peer).snapshots);
}

TEST(NodeSnapshots, ASnapshotMakesAllBeforeItDurable) {
  FlashModel storage = flash();
  FlashNode first(storage);
  EXPECT_EQ(first.status.code(), StatusCode::not_found);
  EXPECT_TRUE(info_of(first.peer).snapshots);
  EXPECT_EQ(ack_of(first.peer.send(configure_every(0))).durable_seq, 0U);
  EXPECT_EQ(ack_of(first.peer.send(sample_message({1, 2, 3}, 0))).durable_seq, 0U);
  const Replies replies = first.peer.send(snapshot_message());
  EXPECT_EQ(kinds(replies), "A");
  EXPECT_EQ(ack_of(replies).durable_seq, 3U);
  EXPECT_EQ(ack_of(first.peer.send(sample_message({4, 5, 6}))).durable_seq, 3U);

  FlashNode second(storage);
  ASSERT_TRUE(second.status.ok()) << second.status.reason();
  const whittle_v1_Info info = info_of(second.peer);
  EXPECT_EQ(info.last_seq, 3U);
  EXPECT_EQ(info.durable_seq, 3U);
  EXPECT_TRUE(info.configured);
  EXPECT_STREQ(info.snapshot_refused, "");
  EXPECT_EQ(kinds(second.peer.send(sample_message({4, 5, 6}))), "A");
  EXPECT_EQ(second.peer.state_digest(), first.peer.state_digest());
  EXPECT_EQ(stats_of(second.peer).samples, 2U);
}

// Its answer may have been lost: asked again, the node does not save again.
TEST(NodeSnapshots, ASnapshotIsTakenOnce) {
  FlashModel storage = flash();
  FlashNode node(storage);
  const Bytes frame = node.peer.next_frame(snapshot_message());
  for (int again = 0; again < 3; ++again) {
    EXPECT_EQ(ack_of(node.peer.send_bytes(frame)).durable_seq, 1U);
  }
  EXPECT_EQ(storage.wear(0, 0), 1U);
  EXPECT_EQ(storage.wear(1, 0), 0U);
  EXPECT_EQ(ack_of(FlashNode(storage).peer.send_bytes(frame)).seq, 1U);
}

// What an ack tells of messages before the snapshot, it tells after a restart: one may be lost.
TEST(NodeSnapshots, KnowWhatWasRefused) {
  FlashModel storage = flash();
  {
    FlashNode node(storage);
    node.peer.send(configure_every(0));
    node.peer.send(sample_message({1}));
    EXPECT_EQ(ack_of(node.peer.send(snapshot_message())).refused, 0b10U);
    EXPECT_EQ(ack_of(node.peer.send(sample_message({1}))).refused, 0b101U);
  }
  FlashNode again(storage);
  EXPECT_EQ(again.last_seq(), 3U);
  EXPECT_EQ(ack_of(again.peer.send(sample_message({1, 2, 3}))).refused, 0b100U);
}

TEST(NodeSnapshots, ComeEverySoManySamplesTakenIn) {
  FlashModel storage = flash();
  FlashNode node(storage);
  node.peer.send(configure_every(3));
  std::uint64_t taken = 0;
  std::uint64_t durable = 0;
  for (int i = 0; i < 20; ++i) {
    const bool right = i % 4 != 1;
    const Replies replies =
        node.peer.send(right ? sample_message({1, 2, static_cast<float>(i)}) : sample_message({1}));
    if (right && ++taken % 3 == 0) durable = node.peer.seq;
    ASSERT_EQ(ack_of(replies).durable_seq, durable) << i;
  }
  FlashNode again(storage);
  EXPECT_EQ(again.last_seq(), durable);
  EXPECT_EQ(again.peer.node.service().samples().taken, taken / 3 * 3);
  for (int i = 0; i < 3; ++i) again.peer.send(sample_message({1, 2, 3}));
  EXPECT_EQ(again.peer.node.session().durable_seq(), again.last_seq());
}

// Cut off after every message: a sender that sends again what is not durable loses nothing.
TEST(NodeSnapshots, ARestartAtAnyMomentLosesNothing) {
  const std::vector<Bytes> frames = frames_of_a_stream(4, 48);
  NodePeer clean;
  const std::vector<Bytes> without = frames_of_a_stream(0, 48);
  for (const Bytes& frame : without) clean.send_bytes(frame);
  for (std::size_t cut = 0; cut <= frames.size(); ++cut) {
    FlashModel storage = flash();
    std::uint64_t durable = 0;
    {
      FlashNode node(storage);
      for (std::size_t i = 0; i < cut; ++i) {
        durable = ack_of(node.peer.send_bytes(frames[i])).durable_seq;
      }
    }
    FlashNode node(storage);
    ASSERT_EQ(node.last_seq(), durable) << cut;
    for (std::size_t i = node.last_seq(); i < frames.size(); ++i) {
      ASSERT_EQ(ack_of(node.peer.send_bytes(frames[i])).seq, i + 1);
    }
    ASSERT_EQ(node.peer.state_digest(), clean.state_digest()) << cut;
    ASSERT_EQ(node.peer.node.service().samples().refused, clean.node.service().samples().refused);
    ASSERT_EQ(storage.misuses(), 0U);
  }
}

// The power goes again and again, mostly while a snapshot is written.
TEST(NodeSnapshots, PowerCutsNeverTakeBackWhatWasDurable) {
  const std::vector<Bytes> frames = frames_of_a_stream(2, 40);
  NodePeer clean;
  for (const Bytes& frame : frames_of_a_stream(0, 40)) clean.send_bytes(frame);
  FlashModel storage = flash();
  TestRandom random(11);
  std::uint64_t durable = 0;
  std::size_t applied = 0;
  int cuts = 0;
  while (applied < frames.size()) {
    FlashNode node(storage);
    ASSERT_GE(node.last_seq(), durable);
    applied = node.last_seq();
    ASSERT_LE(applied, frames.size());
    storage.cut_after(1 + random.below(12000));
    while (applied < frames.size() && storage.powered()) {
      const Replies replies = node.peer.send_bytes(frames[applied]);
      if (!storage.powered()) break;  // and with it the node, before it could answer
      durable = ack_of(replies).durable_seq;
      ++applied;
    }
    cuts += storage.powered() ? 0 : 1;
    storage.power_up();
    if (applied == frames.size()) {
      EXPECT_EQ(node.peer.state_digest(), clean.state_digest());
    }
  }
  EXPECT_GT(cuts, 3);
  EXPECT_EQ(storage.misuses(), 0U);
}

// What a reset has forgotten does not come back with the power.
TEST(NodeSnapshots, AResetIsDurable) {
  FlashModel storage = flash();
  FlashNode node(storage);
  node.peer.send(configure_every(0));
  node.peer.send(sample_message({1, 2, 3}));
  EXPECT_EQ(ack_of(node.peer.send(reset_message())).durable_seq, 0U);  // nothing to come back
  node.peer.send(configure_every(0));
  node.peer.send(snapshot_message());
  EXPECT_EQ(ack_of(node.peer.send(reset_message())).durable_seq, 6U);
  FlashNode again(storage);
  EXPECT_EQ(again.last_seq(), 6U);
  EXPECT_FALSE(again.peer.node.service().configured());
  EXPECT_EQ(kinds(again.peer.send(configure_every(0))), "A");
}

TEST(NodeSnapshots, AFailedWriteChangesNothing) {
  FlashModel storage = flash();
  FlashNode node(storage);
  node.peer.send(configure_every(2));
  storage.cut_after(1);
  const std::uint64_t digest = node.peer.state_digest();
  const Replies refused = node.peer.send(snapshot_message());
  EXPECT_EQ(kinds(refused), "EA");
  EXPECT_EQ(error_code(refused), StatusCode::data_loss);
  EXPECT_EQ(error_text(refused), "no power");
  EXPECT_EQ(node.peer.state_digest(), digest);
  for (int i = 0; i < 4; ++i) {  // samples are taken in all the same
    const Replies replies = node.peer.send(sample_message({1, 2, 3}));
    EXPECT_EQ(kinds(replies), "A");
    EXPECT_EQ(ack_of(replies).durable_seq, 0U);
  }
  EXPECT_EQ(node.peer.node.service().samples().taken, 4U);
  EXPECT_EQ(info_of(node.peer).failed_snapshots, 3U);  // one was asked for
  storage.power_up();
  EXPECT_EQ(ack_of(node.peer.send(snapshot_message())).durable_seq, 7U);
}

TEST(NodeSnapshots, WhatDoesNotFitIsRefusedAtOnce) {
  FlashModel storage = flash(2);
  FlashNode node(storage);
  const Replies replies = node.peer.send(configure_every(5));
  EXPECT_EQ(error_code(replies), StatusCode::out_of_range);
  EXPECT_EQ(error_text(replies).substr(0, 41), "slot too small for a snapshot: bytes need");
  EXPECT_FALSE(node.peer.node.service().configured());
  EXPECT_EQ(kinds(node.peer.send(configure_every(0))), "A");
  EXPECT_EQ(error_code(node.peer.send(snapshot_message())), StatusCode::out_of_range);
  EXPECT_EQ(kinds(node.peer.send(sample_message({1, 2, 3}))), "A");
}

TEST(NodeSnapshots, OfAnotherBuildLeaveTheNodeAsAfterAReset) {
  FlashModel storage = flash();
  {
    FlashNode node(storage);
    node.peer.send(configure_every(0));
    node.peer.send(sample_message({1, 2, 3}));
    node.peer.send(snapshot_message());
  }
  FlashNode other(storage, kOtherBuild);
  EXPECT_EQ(other.status.code(), StatusCode::failed_precondition);
  const whittle_v1_Info info = info_of(other.peer);
  EXPECT_STREQ(info.snapshot_refused, "snapshot of build 010000000000, this is 020000000000");
  EXPECT_FALSE(info.configured);
  // What came before need not have been kept by the sender.
  EXPECT_EQ(info.last_seq, 3U);
  EXPECT_EQ(error_code(other.peer.send(sample_message({1, 2, 3}))),
            StatusCode::failed_precondition);
  other.peer.send(configure_every(0));
  EXPECT_EQ(ack_of(other.peer.send(snapshot_message())).durable_seq, 6U);
  EXPECT_EQ(FlashNode(storage, kOtherBuild).last_seq(), 6U);
}

// A ranking that was made before can be read on, and a query asked again does not refine again.
TEST(NodeSnapshots, ARankingOutlivesARestart) {
  FlashModel storage = flash();
  FlashNode first(storage);
  first.peer.send(configure_every(0));
  first.peer.send(sample_message({1, 2, 3}, 0));
  const whittle_v1_Ranking page = first.peer.send(query_message(0, 0, 5))[0].body.ranking;
  first.peer.send(snapshot_message());
  FlashNode second(storage);
  const Replies replies = second.peer.send(query_message(1));
  ASSERT_EQ(kinds(replies), "RA");
  EXPECT_EQ(replies[0].body.ranking.ranked_at, 3U);
  EXPECT_EQ(replies[0].body.ranking.refinable, page.refinable);
  EXPECT_EQ(replies[0].body.ranking.order[0], page.order[1]);
  EXPECT_EQ(replies[0].body.ranking.scores[0], page.scores[1]);
}

}  // namespace
}  // namespace whittle::testing
