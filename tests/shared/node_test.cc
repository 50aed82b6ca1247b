// Conversations with a node: what it answers when all goes well. Bad input: node_refusal_test.cc;
// the line and the memory: node_line_test.cc.
#include "whittle/node/node.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/shared/node_peer.h"
#include "whittle/node/version.h"

namespace whittle {
namespace {

using testing::ack_of;
using testing::add_param;
using testing::configure_message;
using testing::info_of;
using testing::kinds;
using testing::make_message;
using testing::Message;
using testing::NodePeer;
using testing::query_message;
using testing::Replies;
using testing::sample_message;

std::vector<float> reading(testing::TestRandom& random, std::size_t features) {
  std::vector<float> values(features);
  for (float& value : values) value = static_cast<float>(random.below(2000)) / 16 - 50;
  return values;
}

TEST(Node, HelloTellsWhatTheNodeIs) {
  NodePeer peer;
  whittle_v1_Info info = info_of(peer);
  EXPECT_STREQ(info.version, kVersion);
  EXPECT_STREQ(info.board, "fake");
  EXPECT_EQ(info.real_bits, 8 * sizeof(Real));
  EXPECT_EQ(info.max_payload, kMaxPayload);
  EXPECT_EQ(info.max_features, kMaxSampleFeatures);
  EXPECT_EQ(info.arena_bytes, sizeof peer.buffer);
  EXPECT_EQ(info.last_seq, 0U);
  EXPECT_EQ(info.durable_seq, 0U);
  EXPECT_FALSE(info.configured);
  ASSERT_EQ(info.selectors_count, 2U);
  EXPECT_STREQ(info.selectors[0], "variance");
  EXPECT_STREQ(info.selectors[1], "probe");

  peer.send(configure_message("variance", 3));
  info = info_of(peer);
  EXPECT_TRUE(info.configured);
  EXPECT_EQ(info.last_seq, 1U);
}

TEST(Node, RanksAsTheCoreDoes) {
  constexpr std::uint32_t m = 5;
  NodePeer peer;
  EXPECT_EQ(kinds(peer.send(configure_message("variance", m))), "A");
  RankerConfig config(kVariance, kAllParts);
  config.memory.features = m;
  config.memory.classes = 2;
  config.memory.labelled = config.memory.window = 4;
  alignas(kArenaAlignment) unsigned char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  FeatureRanker ranker;
  ASSERT_TRUE(ranker.create(arena, config).ok());

  testing::TestRandom random(9);
  for (int i = 0; i < 40; ++i) {
    const std::vector<float> values = reading(random, m);
    Message message = sample_message(values, i % 3 - 1);
    Sample sample;
    std::vector<Real> reals(values.begin(), values.end());
    sample.features = Span<const Real>(reals.data(), reals.size());
    sample.kind = i % 3 == 0 ? SampleKind::unlabelled : SampleKind::labelled;
    sample.label = i % 3 == 2 ? 1 : 0;
    if (i % 10 == 9) {
      message->body.sample.kind = whittle_v1_Kind_UNIVERSUM;
      message->body.sample.has_label = false;
      sample.kind = SampleKind::universum;
    }
    ASSERT_EQ(kinds(peer.send(message)), "A");
    ASSERT_TRUE(ranker.observe(sample).ok());
  }
  EXPECT_EQ(peer.node.service().ranker().state_digest(), ranker.state_digest());

  ASSERT_TRUE(ranker.rank(2).ok());
  const Replies replies = peer.send(query_message(0, 2));
  ASSERT_EQ(kinds(replies), "RA");
  const whittle_v1_Ranking& page = replies[0].body.ranking;
  EXPECT_EQ(page.first, 0U);
  EXPECT_EQ(page.total, m);
  EXPECT_EQ(page.ranked_at, 42U);
  ASSERT_EQ(page.scores_count, m);
  ASSERT_EQ(page.order_count, m);
  ASSERT_EQ(page.mask.size, 1U);
  for (std::size_t i = 0; i < m; ++i) {
    EXPECT_EQ(page.scores[i], static_cast<float>(ranker.ranking().scores()[i]));
    EXPECT_EQ(page.order[i], ranker.ranking().order()[i]);
    EXPECT_EQ((page.mask.bytes[0] >> i & 1) != 0, ranker.ranking().selected()[i]);
  }
  EXPECT_EQ(page.labelled + page.unlabelled + page.universum, 40U);
  EXPECT_EQ(page.universum, 4U);
  EXPECT_EQ(page.labelled, ranker.memory().counts().labelled);
  EXPECT_EQ(page.refused, 0U);
  EXPECT_EQ(ack_of(replies).seq, 42U);
}

TEST(Node, RefinesAndReportsInfo) {
  NodePeer peer;
  peer.send(configure_message("probe", 3));
  peer.send(sample_message({1, 2, 3}, 0));
  peer.send(sample_message({1, 2, 3}));
  Replies replies = peer.send(query_message());
  ASSERT_EQ(kinds(replies), "RA");
  EXPECT_EQ(replies[0].body.ranking.scores[0], 0.0F);
  EXPECT_EQ(replies[0].body.ranking.held, 2U);
  replies = peer.send(query_message(0, 0, 16));
  ASSERT_EQ(kinds(replies), "RA");
  const whittle_v1_Ranking& page = replies[0].body.ranking;
  EXPECT_EQ(page.scores[0], 2.0F);
  EXPECT_NE(page.scores[2], page.scores[2]);  // no score
  EXPECT_EQ(page.order[2], 2U);
  EXPECT_EQ(page.mask.bytes[0], 0b011);
  ASSERT_EQ(page.info_count, 3U);
  EXPECT_STREQ(page.info[0].name, "iterations");
  EXPECT_EQ(page.info[0].number, 16.0F);
  EXPECT_EQ(page.info[0].kind, static_cast<unsigned>(InfoKind::integer));
  EXPECT_STREQ(page.info[1].name, "relevance");
  EXPECT_STREQ(page.info[1].text, "weight");
  EXPECT_STREQ(page.info[2].name, "converged");
}

TEST(Node, PagesCoverEveryFeature) {
  testing::TestRandom random(4);
  for (const std::size_t m : {std::size_t{1}, kPageFeatures - 1, kPageFeatures, kPageFeatures + 1,
                              2 * kPageFeatures + 3}) {
    NodePeer peer;
    Message configure = configure_message("probe", static_cast<std::uint32_t>(m));
    add_param(*configure, "hold", 0);
    peer.send(configure);
    peer.send(sample_message(reading(random, m), 0));
    std::size_t first = 0;
    for (; first < m; first += kPageFeatures) {
      const Replies replies = peer.send(query_message(static_cast<std::uint32_t>(first), 3));
      ASSERT_EQ(kinds(replies), "RA") << m;
      const whittle_v1_Ranking& page = replies[0].body.ranking;
      EXPECT_EQ(page.first, first);
      EXPECT_EQ(page.total, m);
      EXPECT_EQ(page.ranked_at, 3U);
      const Ranking& ranking = peer.node.service().ranker().ranking();
      ASSERT_EQ(page.scores_count, std::min(kPageFeatures, m - first));
      ASSERT_EQ(page.order_count, page.scores_count);
      ASSERT_EQ(page.mask.size, (page.scores_count + 7U) / 8);
      for (std::size_t i = 0; i < page.scores_count; ++i) {
        const auto score = static_cast<float>(ranking.scores()[first + i]);
        EXPECT_EQ(std::memcmp(&page.scores[i], &score, sizeof score), 0);
        EXPECT_EQ(page.order[i], ranking.order()[first + i]);
        EXPECT_EQ((page.mask.bytes[i / 8] >> i % 8 & 1) != 0, ranking.selected()[first + i]);
      }
    }
  }
}

TEST(Node, LaterPagesShowTheRankingAsItWas) {
  NodePeer peer;
  peer.send(configure_message("variance", 3, 0, 0, 0));
  for (const float x : {1.0F, 2.0F}) peer.send(sample_message({x, 0, 2 * x}));
  const Replies before = peer.send(query_message());
  peer.send(sample_message({100, -100, 3}));
  const Replies later = peer.send(query_message(1));
  ASSERT_EQ(kinds(later), "RA");
  EXPECT_EQ(later[0].body.ranking.scores_count, 2U);
  EXPECT_EQ(later[0].body.ranking.scores[1], before[0].body.ranking.scores[2]);
  EXPECT_EQ(later[0].body.ranking.ranked_at, 4U);
  EXPECT_EQ(later[0].body.ranking.unlabelled, 3U);
}

TEST(Node, ScaleIsAppliedToHeldPoints) {
  NodePeer peer;
  Message configure = configure_message("probe", 3);
  configure->body.configure.scaling = whittle_v1_Scaling_MINMAX;
  EXPECT_EQ(kinds(peer.send(configure)), "A");
  EXPECT_EQ(kinds(peer.send(testing::scale_message(0, {1, 2}, {2, 4}))), "A");
  EXPECT_EQ(kinds(peer.send(testing::scale_message(2, {3}, {8}))), "A");
  EXPECT_EQ(kinds(peer.send(sample_message({2, 4, 6}))), "A");
  const HeldPoints& points = peer.node.service().ranker().memory().points();
  ASSERT_EQ(points.size(), 1U);
  const Real* const row = points.row(points.oldest());
  EXPECT_EQ(row[0], Real(2));
  EXPECT_EQ(row[1], Real(8));
  EXPECT_EQ(row[2], Real(24));
}

TEST(Node, ResetForgetsAllButTheSeq) {
  NodePeer peer;
  std::uint64_t first_run = 0;
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(kinds(peer.send(configure_message("probe", 3))), "A");
    for (int i = 0; i < 9; ++i) {
      EXPECT_EQ(kinds(peer.send(sample_message({1, 2, static_cast<float>(i)}, i % 2))), "A");
    }
    if (run == 0) first_run = peer.state_digest();
    EXPECT_EQ(peer.state_digest(), first_run);
    peer.send(query_message(0, 0, 8));
    const Replies replies = peer.send(make_message(whittle_v1_ToNode_reset_tag));
    ASSERT_EQ(kinds(replies), "A");
    EXPECT_EQ(ack_of(replies).seq, peer.seq);
    EXPECT_FALSE(info_of(peer).configured);
    EXPECT_EQ(peer.node.service().arena().used(), 0U);
  }
}

}  // namespace
}  // namespace whittle
