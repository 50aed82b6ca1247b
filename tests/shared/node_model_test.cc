// What a node is asked of its model: predictions, memberships, and the lists in a ranking's info.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/shared/feature_ranker_digits.h"
#include "tests/shared/node_refusals.h"

namespace whittle {
namespace {

using testing::Bytes;
using testing::configure_message;
using testing::ConfiguredNode;
using testing::expect_refused;
using testing::kinds;
using testing::make_message;
using testing::Message;
using testing::NodePeer;
using testing::query_message;
using testing::Replies;
using testing::sample_message;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr const SelectorType* kTypes[] = {&testing::kDigits};

Message predict_message(const std::vector<float>& features) {
  Message message = sample_message(features);
  message->which_body = whittle_v1_ToNode_predict_tag;
  return message;
}

Message memberships_message(std::uint64_t sample) {
  Message message = make_message(whittle_v1_ToNode_memberships_tag);
  message->body.memberships.sample = sample;
  return message;
}

// Of 3 features, with a labelled sample (seq 2) and one that is not (seq 3); the means are 2, 4, 3.
class ModelNode : public ::testing::Test {
 protected:
  ModelNode() { configure(240); }
  void configure(std::uint32_t classes) {
    peer.send(configure_message("digits", 3, classes, classes, 3));
    peer.send(sample_message({1, 4, 3}, 7));
    peer.send(sample_message({3, 4, 3}));
  }
  NodePeer peer{Catalog(kTypes, kAllParts)};
};

TEST_F(ModelNode, PredictsAClass) {
  const std::uint64_t before = peer.state_digest();
  const Replies replies = peer.send(predict_message({5, kNan, 1}));
  ASSERT_EQ(kinds(replies), "PA");
  EXPECT_EQ(replies[0].body.prediction.sample, peer.seq);
  EXPECT_EQ(replies[0].body.prediction.label, 145U);
  EXPECT_EQ(peer.state_digest(), before);
  EXPECT_EQ(peer.node.service().samples().taken, 2U);
}

TEST_F(ModelNode, PredictsWithTheFeaturesSelectedLast) {
  ASSERT_EQ(kinds(peer.send(query_message(0, 1))), "RA");
  EXPECT_EQ(peer.send(predict_message({9, 9, 1}))[0].body.prediction.label, 142U);
  ASSERT_EQ(kinds(peer.send(query_message(0, 0))), "RA");
  EXPECT_EQ(peer.send(predict_message({9, 9, 1}))[0].body.prediction.label, 199U);
}

TEST_F(ModelNode, TellsMemberships) {
  Replies replies = peer.send(memberships_message(2));
  ASSERT_EQ(kinds(replies), "MA");
  EXPECT_EQ(replies[0].body.memberships.seq, peer.seq);
  ASSERT_EQ(replies[0].body.memberships.degrees_count, 240U);
  EXPECT_EQ(replies[0].body.memberships.degrees[7], 1.0F);
  EXPECT_EQ(replies[0].body.memberships.degrees[8], 0.0F);
  replies = peer.send(memberships_message(3));
  EXPECT_EQ(replies[0].body.memberships.degrees[239], static_cast<float>(Real(1) / 240));
}

TEST_F(ModelNode, LostAnswersAreGivenAgain) {
  const Message asked[] = {predict_message({5, 6, 1}), memberships_message(2)};
  for (const Message& message : asked) {
    const Bytes frame = peer.next_frame(message);
    const Replies first = peer.send_bytes(frame);
    ASSERT_EQ(kinds(first).size(), 2U);
    const std::uint64_t after = peer.state_digest();
    for (int again = 0; again < 2; ++again) {
      const Replies repeated = peer.send_bytes(frame);
      ASSERT_EQ(kinds(repeated), kinds(first));
      EXPECT_EQ(repeated[0].body.prediction.sample, peer.seq);
      EXPECT_EQ(testing::ack_of(repeated).seq, peer.seq);
    }
    EXPECT_EQ(peer.state_digest(), after);
    peer.send(sample_message({1, 2, 3}));
    EXPECT_EQ(kinds(peer.send_bytes(frame)), "A");  // old
  }
  // Another message under the seq of one that was answered, and one that cannot be answered.
  peer.send(predict_message({5, 6, 1}));
  EXPECT_EQ(kinds(peer.send_bytes(NodePeer::frame(*memberships_message(2), peer.seq))), "A");
  EXPECT_EQ(kinds(peer.send_bytes(NodePeer::frame(*predict_message({1}), peer.seq))), "A");
}

TEST_F(ModelNode, WhatItCannotClassify) {
  expect_refused(peer, predict_message({1, 2}), StatusCode::invalid_argument,
                 "wrong number of features: expected: 3");
  expect_refused(peer, predict_message({}), StatusCode::invalid_argument,
                 "wrong number of features: expected: 3");
  expect_refused(peer, predict_message({1, kInf, 3}), StatusCode::invalid_argument,
                 "infinite value: feature: 1");
  expect_refused(peer, predict_message({kNan, kNan, kNan}), StatusCode::invalid_argument,
                 "no value of a selected feature is present");
  Message message = predict_message({1, 2, 3});
  message->body.predict.count = 4;
  expect_refused(peer, message, StatusCode::invalid_argument,
                 "as many features must follow as declared: followed: 3");
  EXPECT_EQ(peer.node.service().samples().refused, 0U);  // none was a sample to be taken in
}

TEST_F(ModelNode, MembershipsThatItDoesNotKnow) {
  expect_refused(peer, memberships_message(1), StatusCode::not_found,
                 "the sample is not held, or no longer: id: 1");
  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  configure(241);
  expect_refused(peer, memberships_message(peer.seq), StatusCode::out_of_range,
                 "a message has room for fewer classes: at most: 240");
}

TEST(ModelNodeRefusal, BeforeConfigure) {
  NodePeer peer;
  const char* const text = "not configured: send configure first";
  expect_refused(peer, predict_message({1, 2, 3}), StatusCode::failed_precondition, text);
  expect_refused(peer, memberships_message(1), StatusCode::failed_precondition, text);
}

TEST_F(ConfiguredNode, SelectorWithoutAModel) {
  expect_refused(peer, predict_message({1, 2, 3}), StatusCode::unimplemented,
                 "the selector does not classify");
  expect_refused(peer, memberships_message(2), StatusCode::unimplemented,
                 "the selector has no memberships");
}

TEST_F(ModelNode, ListsFollowTheFeatures) {
  const Replies replies = peer.send(query_message());
  ASSERT_EQ(kinds(replies), "RA");
  const whittle_v1_Ranking& page = replies[0].body.ranking;
  EXPECT_EQ(page.scores_count, 3U);
  ASSERT_EQ(page.info_count, 4U);
  EXPECT_STREQ(page.info[0].name, "objective");
  EXPECT_EQ(page.info[0].kind, static_cast<std::uint32_t>(InfoKind::list));
  EXPECT_EQ(page.info[0].number, 240.0F);
  EXPECT_EQ(page.info[1].number, 0.5F);
  EXPECT_EQ(page.info[2].number, 0.0F);
  EXPECT_EQ(page.info[3].number, 2.0F);
  std::vector<float> numbers;
  while (numbers.size() < 242) {
    const auto first = static_cast<std::uint32_t>(3 + numbers.size());
    const Replies more = peer.send(query_message(first));
    ASSERT_EQ(kinds(more), "RA");
    const whittle_v1_Ranking& later = more[0].body.ranking;
    EXPECT_EQ(later.first, first);
    EXPECT_EQ(later.ranked_at, page.ranked_at);
    EXPECT_EQ(later.order_count, 0U);
    EXPECT_EQ(later.mask.size, 0U);
    EXPECT_EQ(later.info_count, 0U);
    ASSERT_GT(later.scores_count, 0U);
    numbers.insert(numbers.end(), later.scores, later.scores + later.scores_count);
  }
  ASSERT_EQ(numbers.size(), 242U);
  for (std::size_t i = 0; i < 240; ++i) EXPECT_EQ(numbers[i], static_cast<float>(i) / 4);
  EXPECT_EQ(numbers[240], 0.0F);
  EXPECT_EQ(numbers[241], 0.25F);
  expect_refused(peer, query_message(245), StatusCode::out_of_range,
                 "the page must start before the end: positions: 245");
}

TEST_F(ConfiguredNode, SaysWhetherMoreRefiningHelps) {
  EXPECT_FALSE(peer.send(query_message())[0].body.ranking.refinable);
  const Bytes frame = peer.next_frame(query_message(0, 0, 4));
  EXPECT_TRUE(peer.send_bytes(frame)[0].body.ranking.refinable);
  EXPECT_TRUE(peer.send_bytes(frame)[0].body.ranking.refinable);
  EXPECT_FALSE(peer.send(query_message())[0].body.ranking.refinable);
}

}  // namespace
}  // namespace whittle
