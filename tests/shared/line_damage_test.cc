// Three messages over a line that flips, inserts or deletes one byte, at every place: the sender
// sends again what is not acknowledged, and the node ends in the state of a clean line, having been
// in no other state than that after none, one, two or three messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/shared/node_peer.h"
#include "tests/shared/test_streams.h"

namespace whittle {
namespace {

using testing::Bytes;
using testing::every;
using testing::NodePeer;
using testing::span_of;

constexpr std::size_t kMessages = 3;

// The line back to the sender, who looks at acks only.
class AckPort final : public Port {
 public:
  std::size_t read(Span<std::uint8_t>) override { return 0; }
  void write(Span<const std::uint8_t> bytes) override {
    for (const std::uint8_t byte : bytes) {
      if (!deframer_.push(byte) || !decode(deframer_.payload(), message_)) continue;
      if (message_.which_body == whittle_v1_FromNode_ack_tag) acked = message_.body.ack.seq;
    }
  }
  std::size_t receive_capacity() const override { return 4096; }
  std::uint64_t ticks() override { return 0; }
  std::uint32_t tick_rate() const override { return 1; }
  const char* board() const override { return "test"; }

  std::uint64_t acked = 0;

 private:
  std::uint8_t buffer_[kMaxPayload + kCrcBytes];
  Deframer deframer_{Span<std::uint8_t>(buffer_)};
  FromNode message_;
};

class LineDamage : public ::testing::Test {
 protected:
  LineDamage() {
    frames_ = {NodePeer::frame(*testing::configure_message("probe", 3), 1),
               NodePeer::frame(*testing::sample_message({1, 0, -2.5F}, 1), 2),
               NodePeer::frame(*testing::sample_message({0, 3e5F, 7}), 3)};
    for (const Bytes& frame : frames_) testing::append(stream_, frame);
    clean_[0] = digest_after(0);
    for (std::size_t i = 1; i <= kMessages; ++i) clean_[i] = digest_after(i);
  }

  // Sends the damaged stream, then what is missing until it is acknowledged.
  void expect_delivered(const Bytes& damaged) {
    AckPort port;
    Node node(port, Catalog(testing::kPeerTypes, kAllParts), buffer_, sizeof buffer_);
    node.receive(span_of(damaged));
    expect_clean(node);
    for (int round = 0; round < 3 && port.acked < kMessages; ++round) {
      const std::uint8_t end = 0;  // of whatever the line left unfinished
      node.receive(Span<const std::uint8_t>(&end, 1));
      for (std::size_t i = static_cast<std::size_t>(port.acked); i < kMessages; ++i) {
        node.receive(span_of(frames_[i]));
        expect_clean(node);
      }
    }
    ASSERT_EQ(port.acked, kMessages);
    ASSERT_EQ(node.service().samples().taken, 2U);
    ASSERT_EQ(node.service().samples().refused, 0U);
  }

  std::array<Bytes, kMessages> frames_;
  Bytes stream_;

 private:
  static std::uint64_t digest_of(const Node& node) {
    return node.service().configured() ? node.service().ranker().state_digest() : 0;
  }
  std::uint64_t digest_after(std::size_t messages) {
    AckPort port;
    Node node(port, Catalog(testing::kPeerTypes, kAllParts), buffer_, sizeof buffer_);
    for (std::size_t i = 0; i < messages; ++i) node.receive(span_of(frames_[i]));
    EXPECT_EQ(port.acked, messages);
    return digest_of(node);
  }
  void expect_clean(const Node& node) const {
    ASSERT_LE(node.session().last_seq(), kMessages);
    ASSERT_EQ(digest_of(node), clean_[static_cast<std::size_t>(node.session().last_seq())]);
  }

  alignas(kArenaAlignment) unsigned char buffer_[2048] = {};
  std::array<std::uint64_t, kMessages + 1> clean_;  // by messages applied
};

TEST_F(LineDamage, EveryFlipIsMadeGood) {
  for (std::size_t at = 0; at < stream_.size(); ++at) {
    for (unsigned bits = 1; bits < 256; every(2) == 1 ? ++bits : bits *= 2) {
      Bytes damaged = stream_;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ bits);
      expect_delivered(damaged);
      ASSERT_FALSE(HasFatalFailure()) << "bits " << bits << " of byte " << at;
    }
  }
}

TEST_F(LineDamage, EveryInsertionIsMadeGood) {
  for (std::size_t at = 0; at <= stream_.size(); ++at) {
    for (unsigned byte = 0; byte < 256; byte += static_cast<unsigned>(every(85))) {
      Bytes damaged = stream_;
      damaged.insert(damaged.begin() + static_cast<std::ptrdiff_t>(at),
                     static_cast<std::uint8_t>(byte));
      expect_delivered(damaged);
      ASSERT_FALSE(HasFatalFailure()) << "byte " << byte << " before byte " << at;
    }
  }
}

TEST_F(LineDamage, EveryDeletionIsMadeGood) {
  for (std::size_t at = 0; at < stream_.size(); ++at) {
    Bytes damaged = stream_;
    damaged.erase(damaged.begin() + static_cast<std::ptrdiff_t>(at));
    expect_delivered(damaged);
    ASSERT_FALSE(HasFatalFailure()) << "byte " << at;
  }
}

}  // namespace
}  // namespace whittle
