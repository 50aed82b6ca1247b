// What a node is told of the samples it remembers: their ids, late labels, constraints, a new
// scale, missing values; and the config of that memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "tests/shared/node_refusals.h"
#include "tests/shared/ranker_fixture.h"
#include "whittle/node/text.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"

namespace whittle {
namespace {

using testing::ack_of;
using testing::Bytes;
using testing::configure_message;
using testing::ConfiguredNode;
using testing::constraint_message;
using testing::error_code;
using testing::error_text;
using testing::expect_refused;
using testing::kinds;
using testing::label_message;
using testing::make_message;
using testing::Message;
using testing::NodePeer;
using testing::query_message;
using testing::Replies;
using testing::rescale_message;
using testing::sample_message;
using testing::stats_of;
using testing::TestRandom;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kFeatures = 4;
constexpr std::uint32_t kClasses = 2;
constexpr const SelectorType* kTypes[] = {&kVariance, &kCs1, &kCls};

RankerConfig config_of(const SelectorType& type) {
  RankerConfig config(type);
  config.memory.features = kFeatures;
  config.memory.classes = kClasses;
  config.memory.labelled = 5;
  config.memory.window = 6;
  config.memory.pairs = 4;
  return config;
}

Message configure_message(const RankerConfig& config) {
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

// A node, and a FeatureRanker on the host that is told the same. Both must say and become the same.
class Twins {
 public:
  explicit Twins(const RankerConfig& config) : peer_(Catalog(kTypes)), ranker_(config) {
    EXPECT_TRUE(ranker_.status().ok()) << ranker_.status().reason();
    EXPECT_EQ(kinds(peer_.send(::whittle::configure_message(config))), "A");
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
    Status status = ranker_->rank(2);
    if (status.ok() && refine > 0) {
      ASSERT_TRUE((ranker_->refine(refine), ranker_->rank(2)).ok());
    }
    const Replies replies = peer_.send(query_message(0, 2, refine));
    ASSERT_EQ(kinds(replies), status.ok() ? "RA" : "EA");
    if (!status.ok()) return;
    const whittle_v1_Ranking& page = replies[0].body.ranking;
    const Ranking& ranking = ranker_->ranking();
    for (std::size_t r = 0; r < kFeatures; ++r) {
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
  testing::RankerInBuffer ranker_;
  std::uint64_t refused_ = 0;
  std::uint64_t rankings_ = 0;
};

Message random_sample(TestRandom& random) {
  std::vector<float> values(kFeatures);
  for (float& value : values) {
    value = random.below(8) == 0 ? kNan : static_cast<float>(random.below(400)) / 8;
  }
  const std::uint32_t kind = random.below(10);
  const int label = kind < 3 ? static_cast<int>(random.below(kClasses + 1)) : testing::kNoLabel;
  Message message = sample_message(values, label);
  if (kind == 9) message->body.sample.kind = whittle_v1_Kind_UNIVERSUM;
  return message;
}

// Every kind of message in turn, about samples that are held, gone, and not there at all.
void tell_at_random(Twins& twins, std::uint32_t seed, int messages) {
  TestRandom random(seed);
  const auto recent = [&] {
    return twins.last_seq() - std::min<std::uint64_t>(random.below(24), 1000);
  };
  for (int i = 0; i < messages; ++i) {
    const std::uint32_t action = random.below(20);
    if (action < 11) {
      twins.observe(random_sample(random));
    } else if (action < 14) {
      const std::uint64_t sample = recent();
      twins.label(sample, random.below(kClasses));
    } else if (action < 17) {
      const std::uint64_t first = recent();
      const std::uint64_t second = recent();
      twins.constrain(first, second, random.below(2) == 0);
    } else if (action == 17) {
      twins.rescale();
    } else {
      twins.rank(random.below(3));
    }
  }
}

TEST(NodeMemory, EveryMessageDoesWhatTheCoreDoes) {
  RankerConfig graph = config_of(kCls);
  graph.memory.geometry = Geometry::hybrid;
  graph.memory.codebook = 3;
  graph.memory.scaling = Scaling::minmax;
  graph.memory.learn = 12;
  RankerConfig moments = config_of(kCs1);
  moments.memory.scaling = Scaling::zscore;
  moments.memory.learn = 8;
  moments.memory.half_life = Real(20);
  RankerConfig redundant = config_of(kVariance);
  redundant.redundancy = Redundancy::tree;
  for (const RankerConfig& config : {graph, moments, redundant}) {
    const auto twins = std::make_unique<Twins>(config);
    tell_at_random(*twins, 17, 300);
    EXPECT_GT(twins->refused(), 20U);
    EXPECT_LT(twins->refused(), 150U);
    EXPECT_GT(twins->rankings(), 10U);
    const MemoryConfig& memory = twins->peer().node.service().ranker().memory().config();
    EXPECT_EQ(memory.geometry, config.selector == &kCls ? Geometry::hybrid : Geometry::window);
    EXPECT_EQ(memory.pairs, 4U);
    EXPECT_EQ(memory.half_life, config.memory.half_life);
  }
}

TEST_F(ConfiguredNode, LabelMessageIsAppliedOnce) {
  const std::uint64_t unlabelled = peer.seq;
  const Bytes label = peer.next_frame(label_message(unlabelled, 1));
  EXPECT_EQ(kinds(peer.send_bytes(label)), "A");
  const std::uint64_t after = peer.bytes_digest();
  for (int again = 0; again < 3; ++again) EXPECT_EQ(kinds(peer.send_bytes(label)), "A");
  EXPECT_EQ(peer.bytes_digest(), after);
  const StreamMemory& memory = peer.node.service().ranker().memory();
  EXPECT_EQ(memory.counts().labelled, 2U);
  EXPECT_EQ(memory.counts().unlabelled, 0U);
  peer.send(sample_message({7, 8, 9}));
  EXPECT_EQ(kinds(peer.send_bytes(label)), "A");
  EXPECT_EQ(ack_of(peer.send_bytes(label)).seq, peer.seq);
  EXPECT_EQ(memory.counts().labelled, 2U);
}

TEST_F(ConfiguredNode, LabelsThatCannotBe) {
  const std::uint64_t labelled = 2;
  const std::uint64_t unlabelled = 3;
  expect_refused(peer, label_message(0, 1), StatusCode::not_found,
                 "the sample is not held, or no longer: id: 0");
  expect_refused(peer, label_message(1, 1), StatusCode::not_found,  // that was configure
                 "the sample is not held, or no longer: id: 1");
  expect_refused(peer, label_message(~std::uint64_t{0}, 1), StatusCode::not_found,
                 "the sample is not held, or no longer: id: 18446744073709551615");
  expect_refused(peer, label_message(unlabelled, 2), StatusCode::out_of_range,
                 "unknown class: the number of classes is: 2");
  expect_refused(peer, label_message(labelled, 1), StatusCode::failed_precondition,
                 "the sample has a label: class: 0");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(kinds(peer.send(sample_message({1, 2, 3}))), "A");
  expect_refused(peer, label_message(unlabelled, 1), StatusCode::not_found,  // evicted
                 "the sample is not held, or no longer: id: 3");
  const whittle_v1_Stats stats = stats_of(peer);
  EXPECT_EQ(stats.refused, 6U);  // messages; no sample was
  EXPECT_EQ(stats.refused_samples, 0U);
}

TEST_F(ConfiguredNode, SeqsOfBeforeAResetNameNoSample) {
  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  peer.send(configure_message("probe", 3));
  peer.send(sample_message({1, 2, 3}));
  EXPECT_EQ(error_code(peer.send(label_message(3, 1))), StatusCode::not_found);
  EXPECT_EQ(kinds(peer.send(label_message(6, 1))), "A");
}

TEST(NodeMemory, ConstraintsThatCannotBe) {
  NodePeer peer;
  Message configure = configure_message("probe", 3);
  configure->body.configure.pairs = 3;
  peer.send(configure);
  for (const int label : {0, 1, testing::kNoLabel, testing::kNoLabel}) {
    peer.send(sample_message({1, 2, 3}, label));
  }
  const Bytes pair = peer.next_frame(constraint_message(2, 4, true));
  for (int again = 0; again < 2; ++again) EXPECT_EQ(kinds(peer.send_bytes(pair)), "A");
  const StreamMemory& memory = peer.node.service().ranker().memory();
  EXPECT_EQ(memory.constraints().pairs().size(), 1U);
  expect_refused(peer, constraint_message(3, 4, true), StatusCode::failed_precondition,
                 "must-link refused: the samples cannot link");
  expect_refused(peer, constraint_message(4, 2, false), StatusCode::failed_precondition,
                 "cannot-link refused: the samples must link");
  expect_refused(peer, label_message(4, 1), StatusCode::failed_precondition,
                 "label refused: the sample must link with class: 0");
  expect_refused(peer, constraint_message(5, 5, true), StatusCode::invalid_argument,
                 "a pair needs two different samples");
  expect_refused(peer, constraint_message(5, 99, true), StatusCode::not_found,
                 "the sample is not held, or no longer: id: 99");
  EXPECT_EQ(kinds(peer.send(constraint_message(4, 5, false))), "A");
  EXPECT_EQ(kinds(peer.send(constraint_message(3, 5, true))), "A");
  expect_refused(peer, constraint_message(2, 5, false), StatusCode::resource_exhausted,
                 "no room for another pair: pairs held at most: 3");
  EXPECT_EQ(stats_of(peer).refused, 6U);
}

TEST_F(ConfiguredNode, RescalingNeedsALearnedScale) {
  expect_refused(peer, rescale_message(), StatusCode::failed_precondition,
                 "the config does not learn the scale");
}

TEST(NodeMemory, ScaleIsLearnedFromAsManySamplesAsToldAndAgainWhenAsked) {
  NodePeer peer;
  Message configure = configure_message("probe", 2);
  configure->body.configure.scaling = whittle_v1_Scaling_MINMAX;
  configure->body.configure.learn = 2;
  peer.send(configure);
  expect_refused(peer, testing::scale_message(0, {1, 2}, {1, 1}), StatusCode::failed_precondition,
                 "the config says that the scale is learned");
  peer.send(sample_message({1, 10}));
  expect_refused(peer, rescale_message(), StatusCode::failed_precondition,
                 "too few samples for the scale: learn is: 2");
  peer.send(sample_message({3, 20}));
  peer.send(sample_message({5, 30}));
  const StreamMemory& memory = peer.node.service().ranker().memory();
  EXPECT_EQ(memory.points().row(memory.points().order()[2])[0], Real(2));
  EXPECT_EQ(kinds(peer.send(rescale_message())), "A");
  EXPECT_EQ(memory.points().row(memory.points().order()[2])[0], Real(1));
}

TEST(NodeMemory, ConfigsThatMakeNoSense) {
  const auto refusal = [](auto change) {
    NodePeer peer;
    Message message = configure_message("probe", 3);
    change(message->body.configure);
    const Replies replies = peer.send(message);
    EXPECT_EQ(kinds(replies), "EA");
    EXPECT_FALSE(peer.node.service().configured());
    return error_text(replies);
  };
  using Body = whittle_v1_Configure;
  EXPECT_EQ(refusal([](Body& body) { body.learn = 5; }), "learn needs scaling minmax or zscore");
  for (const float bad : {-1.0F, kNan, kInf, 2e9F}) {
    EXPECT_EQ(refusal([&](Body& body) { body.half_life = bad; }),
              "half_life must be at least 0 and at most: 1000000000");
  }
  EXPECT_EQ(refusal([](Body& body) { body.pairs = ~0U; }),
            "codebook and pairs must be at most: 16777216");
}

TEST_F(ConfiguredNode, MissingValuesAreTaken) {
  EXPECT_EQ(kinds(peer.send(sample_message({kNan, 2, kNan}))), "A");
  EXPECT_EQ(kinds(peer.send(sample_message({kNan, 2, 3}, 1))), "A");
  const HeldPoints& points = peer.node.service().ranker().memory().points();
  EXPECT_EQ(points.size(), 4U);
  EXPECT_TRUE(points.any_missing());
  for (const bool universum : {false, true}) {
    Message message = sample_message({kNan, kNan, kNan});
    if (universum) message->body.sample.kind = whittle_v1_Kind_UNIVERSUM;
    expect_refused(peer, message, StatusCode::invalid_argument,
                   "every value is missing: features: 3");
    message->body.sample.features[1] = kInf;
    expect_refused(peer, message, StatusCode::invalid_argument, "infinite value: feature: 1");
  }
  EXPECT_EQ(stats_of(peer).refused_samples, 4U);
}

TEST_F(ConfiguredNode, UniversumSamplesAreCountedAndNotHeld) {
  Message message = sample_message({1, 2, 3});
  message->body.sample.kind = whittle_v1_Kind_UNIVERSUM;
  EXPECT_EQ(kinds(peer.send(message)), "A");
  const Replies replies = peer.send(query_message());
  ASSERT_EQ(kinds(replies), "RA");
  EXPECT_EQ(replies[0].body.ranking.universum, 1U);
  EXPECT_EQ(replies[0].body.ranking.held, 2U);
  EXPECT_EQ(error_code(peer.send(label_message(4, 1))), StatusCode::not_found);
}

}  // namespace
}  // namespace whittle
