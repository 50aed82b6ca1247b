// Messages that a node must refuse, each with a reason and leaving every byte as it was.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/shared/node_refusals.h"

namespace whittle {
namespace {

using testing::add_param;
using testing::configure_message;
using testing::ConfiguredNode;
using testing::constraint_message;
using testing::error_code;
using testing::error_text;
using testing::expect_refused;
using testing::expect_refused_body;
using testing::kinds;
using testing::label_message;
using testing::make_message;
using testing::Message;
using testing::NodePeer;
using testing::query_message;
using testing::RawMessage;
using testing::Replies;
using testing::sample_message;
using testing::scale_message;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(NodeRefusal, BeforeConfigure) {
  NodePeer peer;
  const char* const text = "not configured: send configure first";
  expect_refused(peer, sample_message({1, 2}), StatusCode::failed_precondition, text);
  expect_refused(peer, scale_message(0, {1}, {1}), StatusCode::failed_precondition, text);
  expect_refused(peer, query_message(), StatusCode::failed_precondition, text);
  expect_refused(peer, label_message(1, 0), StatusCode::failed_precondition, text);
  expect_refused(peer, constraint_message(1, 2, true), StatusCode::failed_precondition, text);
  expect_refused(peer, testing::rescale_message(), StatusCode::failed_precondition, text);
}

TEST(NodeRefusal, Configure) {
  NodePeer peer;
  expect_refused(peer, configure_message("none", 3), StatusCode::not_found,
                 "none: no such selector in this node");
  expect_refused(peer, configure_message("", 3), StatusCode::not_found,
                 ": no such selector in this node");
  Message message = configure_message("probe", 3);
  add_param(*message, "weight", 0.25F);
  add_param(*message, "height", 1);
  expect_refused(peer, message, StatusCode::not_found, "height: no such parameter");
  message = configure_message("probe", 3);
  add_param(*message, "weight", 1.5F);
  EXPECT_EQ(error_code(peer.send(message)), StatusCode::out_of_range);
  message = configure_message("probe", 3);
  add_param(*message, "weight", kNan);
  EXPECT_EQ(error_code(peer.send(message)), StatusCode::invalid_argument);

  EXPECT_EQ(error_code(peer.send(configure_message("probe", 0))), StatusCode::out_of_range);
  EXPECT_EQ(error_code(peer.send(configure_message("probe", 3, 100000, 0, 0))),
            StatusCode::out_of_range);
  EXPECT_EQ(error_code(peer.send(configure_message("probe", 3, 4, 3))),
            StatusCode::invalid_argument);
  const auto too_many = static_cast<std::uint32_t>(kMaxSampleFeatures + 1);
  EXPECT_EQ(error_text(peer.send(configure_message("variance", too_many, 0, 0, 0))),
            "a sample message has room for fewer features: at most: " +
                std::to_string(kMaxSampleFeatures));
  expect_refused_body(peer, 3,
                      RawMessage().number(1, 3).number(5, 9).bytes(7, {'p', 'r', 'o', 'b', 'e'}),
                      StatusCode::invalid_argument, "unknown scaling: 9");
  expect_refused_body(peer, 3,
                      RawMessage().number(1, 3).bytes(7, {'p', 'r', 'o', 'b', 'e'}).number(9, 3),
                      StatusCode::invalid_argument, "unknown geometry: 3");
  expect_refused_body(peer, 3,
                      RawMessage().number(1, 3).bytes(7, {'p', 'r', 'o', 'b', 'e'}).number(14, 200),
                      StatusCode::invalid_argument, "unknown redundancy: 200");
  message = configure_message("probe", 3);
  add_param(*message, "refuse", 1);
  EXPECT_EQ(error_text(peer.send(message)), "told to refuse");

  EXPECT_FALSE(peer.node.service().configured());
  EXPECT_EQ(peer.node.service().arena().used(), 0U);
  EXPECT_EQ(kinds(peer.send(configure_message("probe", 3))), "A");
}

TEST(NodeRefusal, ConfigsThatMakeNoSense) {
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

// Parts that the firmware does not link are refused one by one.
TEST(NodeRefusal, WhatIsNotLinked) {
  NodePeer bare{Catalog(testing::kPeerTypes)};
  const auto refuse = [&](const char* selector, std::uint32_t held, auto change, const char* text) {
    Message message = configure_message(selector, 3, 2, held, held);
    change(message->body.configure);
    expect_refused(bare, message, StatusCode::unimplemented, text);
  };
  using Body = whittle_v1_Configure;
  refuse(
      "variance", 4, [](Body&) {}, "only moments are linked here");
  refuse(
      "variance", 0,
      [](Body& body) {
        body.scaling = whittle_v1_Scaling_MINMAX;
        body.learn = 5;
      },
      "only moments are linked here");
  refuse(
      "probe", 4,
      [](Body& body) {
        body.geometry = whittle_v1_Geometry_HYBRID;
        body.codebook = 3;
      },
      "the codebook is not linked here");
  refuse(
      "probe", 4, [](Body& body) { body.redundancy = whittle_v1_Redundancy_TREE; },
      "redundancy elimination is not linked here");

  EXPECT_EQ(kinds(bare.send(configure_message("variance", 3, 2, 0, 0))), "A");
  EXPECT_EQ(kinds(bare.send(sample_message({1, 2, kNan}))), "A");
  const std::uint64_t seq = bare.seq;
  expect_refused(bare, label_message(seq, 1), StatusCode::not_found,
                 "the sample is not held, or no longer: id: 6");
  expect_refused(bare, constraint_message(seq, seq + 1, true), StatusCode::not_found,
                 "the sample is not held, or no longer: id: 6");
  expect_refused(bare, testing::rescale_message(), StatusCode::failed_precondition,
                 "the config does not learn the scale");
  EXPECT_EQ(kinds(bare.send(query_message())), "RA");
}

TEST(NodeRefusal, ConfigLargerThanTheArenaSaysHowLarge) {
  NodePeer peer;
  RankerConfig config(testing::kProbe);
  config.memory.features = 10;
  config.memory.classes = 2;
  config.memory.labelled = 4;
  config.memory.window = 5000;
  const std::string text =
      "arena too small: bytes needed: " + std::to_string(FeatureRanker::required_bytes(config)) +
      ", there are " + std::to_string(sizeof peer.buffer);
  expect_refused(peer, configure_message("probe", 10, 2, 4, 5000), StatusCode::resource_exhausted,
                 text.c_str());
  // With exactly as much it works, with a byte less it does not.
  config.memory.window = 20;
  const std::size_t needed = FeatureRanker::required_bytes(config);
  for (const std::size_t size : {needed - 1, needed}) {
    testing::FakePort port;
    Node node(port, Catalog(testing::kPeerTypes), peer.buffer, size);
    node.receive(testing::span_of(NodePeer::frame(*configure_message("probe", 10, 2, 4, 20), 1)));
    EXPECT_EQ(node.service().configured(), size == needed);
  }
}

TEST_F(ConfiguredNode, SecondConfigure) {
  const char* const text = "already configured: send reset first";
  expect_refused(peer, configure_message("probe", 3), StatusCode::failed_precondition, text);
  expect_refused(peer, configure_message("nil", 0), StatusCode::failed_precondition, text);
}

TEST_F(ConfiguredNode, Samples) {
  const char* const wrong_size = "wrong number of features: expected: 3";
  expect_refused(peer, sample_message({1, 2}), StatusCode::invalid_argument, wrong_size);
  expect_refused(peer, sample_message({1, 2, 3, 4}), StatusCode::invalid_argument, wrong_size);
  expect_refused(peer, sample_message({}), StatusCode::invalid_argument, wrong_size);
  for (const float bad : {kInf, -kInf}) {
    const Message message = sample_message({1, bad, 3});
    const std::uint64_t before = peer.bytes_digest();
    EXPECT_EQ(error_code(peer.send(message)), StatusCode::invalid_argument);
    EXPECT_EQ(peer.bytes_digest(), before);
  }
  expect_refused(peer, sample_message({kNan, kNan, kNan}), StatusCode::invalid_argument,
                 "every value is missing: features: 3");
  expect_refused(peer, sample_message({1, 2, 3}, 2), StatusCode::out_of_range,
                 "unknown class: the number of classes is: 2");
  EXPECT_EQ(peer.node.service().samples().refused, 7U);
  EXPECT_EQ(peer.send(query_message())[0].body.ranking.refused, 7U);
}

TEST_F(ConfiguredNode, SamplesThatContradictThemselves) {
  for (const std::uint32_t declared : {0U, 2U, 4U, ~0U}) {
    Message message = sample_message({1, 2, 3});
    message->body.sample.count = declared;
    expect_refused(peer, message, StatusCode::invalid_argument,
                   "as many features must follow as declared: followed: 3");
  }
  Message message = sample_message({1, 2, 3}, 0);
  message->body.sample.has_label = false;  // not the same as class 0
  expect_refused(peer, message, StatusCode::invalid_argument,
                 "a sample of kind labelled needs a label");
  for (const whittle_v1_Kind kind : {whittle_v1_Kind_UNLABELLED, whittle_v1_Kind_UNIVERSUM}) {
    message = sample_message({1, 2, 3}, 0);
    message->body.sample.kind = kind;
    expect_refused(peer, message, StatusCode::invalid_argument,
                   "a label is for samples of kind labelled only");
  }
  expect_refused_body(peer, 5, RawMessage().number(1, 3).floats(2, {1, 2, 3}).number(3, 3),
                      StatusCode::invalid_argument, "unknown kind of sample: 3");
}

TEST_F(ConfiguredNode, Queries) {
  expect_refused(peer, query_message(1), StatusCode::failed_precondition,
                 "no ranking yet: ask for page 0 first");
  EXPECT_EQ(kinds(peer.send(query_message())), "RA");
  expect_refused(peer, query_message(3), StatusCode::out_of_range,
                 "the page must start before the end: positions: 3");
  EXPECT_EQ(kinds(peer.send(query_message(2))), "RA");
}

TEST(NodeRefusal, Scale) {
  NodePeer peer;
  peer.send(configure_message("probe", 3));
  expect_refused(peer, scale_message(0, {1}, {1}), StatusCode::failed_precondition,
                 "the config says no scaling");
  peer.send(make_message(whittle_v1_ToNode_reset_tag));
  Message configure = configure_message("probe", 3);
  configure->body.configure.scaling = whittle_v1_Scaling_MINMAX;
  peer.send(configure);
  expect_refused(peer, scale_message(1, {1}, {1}), StatusCode::out_of_range,
                 "the scale must go on at feature: 0");
  expect_refused(peer, scale_message(0, {1, 2}, {1}), StatusCode::invalid_argument,
                 "offsets and gains differ in number");
  expect_refused(peer, scale_message(0, {kNan}, {1}), StatusCode::invalid_argument,
                 "an offset or gain is not finite");
  expect_refused(peer, scale_message(0, {1, 1, 1, 1}, {1, 1, 1, 1}), StatusCode::out_of_range,
                 "the scale must go on at feature: 0");
  peer.send(scale_message(0, {1}, {1}));
  expect_refused(peer, sample_message({1, 2, 3}), StatusCode::failed_precondition,
                 "the scale is not complete: next feature: 1");
  peer.send(scale_message(1, {1, 1}, {1, 1}));
  EXPECT_EQ(kinds(peer.send(sample_message({1, 2, 3}))), "A");
  expect_refused(peer, scale_message(0, {1}, {1}), StatusCode::failed_precondition,
                 "the scale must come before the first sample");
}

}  // namespace
}  // namespace whittle
