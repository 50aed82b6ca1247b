// What a node is told of the samples it remembers: their ids, late labels, constraints, a new
// scale, missing values; and the config of that memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "tests/shared/node_refusals.h"
#include "tests/shared/node_twins.h"
#include "whittle/memory/codebook.h"
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
using testing::Twins;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kFeatures = 4;
constexpr std::uint32_t kClasses = 2;
constexpr const SelectorType* kTypes[] = {&kVariance, &kCs1, &kCls};

RankerConfig config_of(const SelectorType& type) {
  RankerConfig config(type, kAllParts);
  config.memory.features = kFeatures;
  config.memory.classes = kClasses;
  config.memory.labelled = 5;
  config.memory.window = 6;
  config.memory.pairs = 4;
  return config;
}

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
    const auto twins = std::make_unique<Twins>(Catalog(kTypes, kAllParts), config);
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

// A query does the steps it asks for and no more: the ranking from before the rescale stays until
// the graph is that of the new scale.
TEST(NodeMemory, AQuerySettlesTheGraphInItsOwnSteps) {
  RankerConfig config = config_of(kCls);
  config.memory.scaling = Scaling::minmax;
  config.memory.learn = 6;
  const auto twins = std::make_unique<Twins>(Catalog(kTypes, kAllParts), config);
  TestRandom random(5);
  const auto observe = [&](int i) {
    std::vector<float> values(kFeatures);
    for (float& value : values) value = static_cast<float>(random.below(50));
    twins->observe(sample_message(values, i % 2 == 0 ? i % 4 / 2 : testing::kNoLabel));
  };
  for (int i = 0; i < 6; ++i) observe(i);
  NodePeer& peer = twins->peer();
  const StreamMemory& memory = peer.node.service().ranker().memory();
  EXPECT_FALSE(memory.settled());
  twins->rank(1);  // no ranking to answer with
  EXPECT_TRUE(memory.settled());
  for (int i = 6; i < 9; ++i) observe(i);
  twins->rescale();
  const std::size_t held = memory.points().size();
  ASSERT_EQ(held, 9U);
  for (std::size_t done = 2; done < held; done += 2) {
    twins->rank(2);
    EXPECT_FALSE(memory.settled()) << done;
  }
  twins->rank(2);
  EXPECT_TRUE(memory.settled());
  twins->rescale();
  twins->rank(0);  // asks for all of it
  EXPECT_TRUE(memory.settled());
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
