// Twins: a node, and a FeatureRanker on the host that is told the same. Both must say and become
// the same, to the bit.
#ifndef WHITTLE_TESTS_SHARED_NODE_TWINS_H_
#define WHITTLE_TESTS_SHARED_NODE_TWINS_H_

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/shared/node_peer.h"
#include "tests/shared/ranker_fixture.h"
#include "whittle/node/text.h"

namespace whittle::testing {

inline Message configure_message(const RankerConfig& config) {
  const MemoryConfig& memory = config.memory;
  Message message = configure_message(config.selector->id, memory.features, memory.classes,
                                      memory.labelled, memory.window);
  whittle_v1_Configure& body = message->body.configure;
  body.scaling = static_cast<whittle_v1_Scaling>(memory.scaling);
  body.compute_distances = !memory.keep_distances;
  body.geometry = static_cast<whittle_v1_Geometry>(memory.geometry);
  body.codebook = memory.codebook;
  body.pairs = memory.pairs;
  body.learn = memory.learn;
  body.half_life = static_cast<float>(memory.half_life);
  body.redundancy = static_cast<whittle_v1_Redundancy>(config.redundancy);
  return message;
}

class Twins {
 public:
  Twins(const Catalog& catalog, const RankerConfig& config) : peer_(catalog), ranker_(config) {
    EXPECT_TRUE(ranker_.status().ok()) << ranker_.status().reason();
    EXPECT_EQ(kinds(peer_.send(configure_message(config))), "A");
    EXPECT_EQ(peer_.node.service().arena().used(), FeatureRanker::required_bytes(config));
  }

  void observe(const Message& message) {
    const whittle_v1_Sample& body = message->body.sample;
    const std::vector<Real> values(body.features, body.features + body.features_count);
    Sample sample;
    sample.features = Span<const Real>(values.data(), values.size());
    sample.kind = static_cast<SampleKind>(body.kind);
    sample.label = body.label;
    sample.id = peer_.seq + 1;
    expect(message, ranker_->observe(sample));
  }
  void label(std::uint64_t sample, std::uint32_t label) {
    expect(label_message(sample, label), ranker_->label(sample, label));
  }
  void constrain(std::uint64_t first, std::uint64_t second, bool must_link) {
    expect(constraint_message(first, second, must_link),
           ranker_->constrain(first, second, must_link));
  }
  void rescale() { expect(rescale_message(), ranker_->rescale()); }

  void rank(std::uint32_t refine) {
    const bool may_stay = refine > 0 && ranker_->ranking().valid();
    const std::uint32_t left = may_stay ? refine - ranker_->settle(refine) : refine;
    const bool stays = may_stay && !ranker_->memory().settled();
    const Status status = stays ? Status() : ranker_->rank(2);
    if (!stays && status.ok() && refine > 0) {
      (void)ranker_->refine(left);
      ASSERT_TRUE(ranker_->rank(2).ok());
    }
    const Replies replies = peer_.send(query_message(0, 2, refine));
    ASSERT_EQ(kinds(replies), status.ok() ? "RA" : "EA");
    if (!status.ok()) return;
    const whittle_v1_Ranking& page = replies[0].body.ranking;
    const Ranking& ranking = ranker_->ranking();
    for (std::size_t r = 0; r < page.scores_count; ++r) {
      const auto score = static_cast<float>(ranking.scores()[r]);
      EXPECT_EQ(std::memcmp(&page.scores[r], &score, sizeof score), 0) << r;
      EXPECT_EQ(page.order[r], ranking.order()[r]);
      EXPECT_EQ((page.mask.bytes[0] >> r & 1) != 0, ranking.selected()[r]);
    }
    ++rankings_;
  }

  std::uint64_t last_seq() const { return peer_.seq; }
  std::uint64_t refused() const { return refused_; }
  std::uint64_t rankings() const { return rankings_; }
  NodePeer& peer() { return peer_; }

 private:
  void expect(const Message& message, const Status& status) {
    const Replies replies = peer_.send(message);
    ASSERT_EQ(kinds(replies), status.ok() ? "A" : "EA") << status.reason();
    ASSERT_EQ(error_code(replies), status.code());
    if (!status.ok()) {
      ++refused_;
      char text[sizeof(whittle_v1_Error::text)];
      Text(text).add(status);
      EXPECT_EQ(error_text(replies), text);
    }
    ASSERT_EQ(peer_.node.service().ranker().state_digest(), ranker_->state_digest());
  }

  NodePeer peer_;
  RankerInBuffer ranker_;
  std::uint64_t refused_ = 0;
  std::uint64_t rankings_ = 0;
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_NODE_TWINS_H_
