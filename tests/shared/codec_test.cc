#include "whittle/wire/codec.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>

#include "tests/shared/byte_tools.h"
#include "whittle/wire/limits.h"

namespace whittle {
namespace {

using testing::Bytes;
using testing::RawMessage;
using testing::span_of;

// Field numbers of whittle.proto, for messages written by hand.
constexpr std::uint32_t kSeq = 1, kSample = 5, kSampleCount = 1, kSampleFeatures = 2;

template <typename Message>
Bytes encoded(const Message& message) {
  Bytes buffer(kMaxPayload);
  buffer.resize(encode(message, Span<std::uint8_t>(buffer.data(), buffer.size())));
  return buffer;
}

// Messages are a kilobyte each: too large for a small stack.
std::unique_ptr<ToNode> sample_message(std::size_t features) {
  auto message = std::make_unique<ToNode>();
  message->seq = 7;
  message->which_body = whittle_v1_ToNode_sample_tag;
  whittle_v1_Sample& sample = message->body.sample;
  sample.count = static_cast<std::uint32_t>(features);
  sample.features_count = static_cast<pb_size_t>(features);
  for (std::size_t i = 0; i < features; ++i) sample.features[i] = static_cast<float>(i) - 1.5F;
  return message;
}

TEST(Codec, ClassZeroIsNotNoLabel) {
  for (const bool has_label : {false, true}) {
    auto message = sample_message(3);
    message->body.sample.kind = whittle_v1_Kind_LABELLED;
    message->body.sample.has_label = has_label;
    message->body.sample.label = 0;
    auto back = std::make_unique<ToNode>();
    ASSERT_TRUE(decode(span_of(encoded(*message)), *back));
    EXPECT_EQ(back->body.sample.has_label, has_label);
    EXPECT_EQ(back->body.sample.label, 0U);
  }
}

TEST(Codec, LargestSampleAndScaleFit) {
  auto message = sample_message(kMaxSampleFeatures);
  message->seq = std::numeric_limits<std::uint64_t>::max();
  message->body.sample.kind = whittle_v1_Kind_LABELLED;
  message->body.sample.has_label = true;
  message->body.sample.label = std::numeric_limits<std::uint32_t>::max();
  const Bytes bytes = encoded(*message);
  ASSERT_GT(bytes.size(), 4 * kMaxSampleFeatures);
  EXPECT_LE(bytes.size(), sample_payload(kMaxSampleFeatures));
  auto back = std::make_unique<ToNode>();
  ASSERT_TRUE(decode(span_of(bytes), *back));
  EXPECT_EQ(back->seq, message->seq);
  EXPECT_EQ(back->body.sample.features_count, kMaxSampleFeatures);
  EXPECT_EQ(std::memcmp(back->body.sample.features, message->body.sample.features,
                        sizeof message->body.sample.features),
            0);

  message->which_body = whittle_v1_ToNode_scale_tag;
  whittle_v1_Scale& scale = message->body.scale;
  scale = {};
  scale.first = std::numeric_limits<std::uint32_t>::max();
  scale.offset_count = scale.gain_count = static_cast<pb_size_t>(kScaleChunk);
  const Bytes scale_bytes = encoded(*message);
  ASSERT_GT(scale_bytes.size(), 8 * kScaleChunk);
  EXPECT_LE(scale_bytes.size(), scale_payload(kScaleChunk));
}

TEST(Codec, LargestControlMessagesFit) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint32_t most32 = std::numeric_limits<std::uint32_t>::max();
  auto message = std::make_unique<ToNode>();
  message->seq = most;
  message->which_body = whittle_v1_ToNode_query_tag;
  message->body.query = {most32, most32, most32};
  const Bytes query = encoded(*message);
  message->which_body = whittle_v1_ToNode_label_tag;
  message->body.label = {most, most32};
  const Bytes label = encoded(*message);
  message->which_body = whittle_v1_ToNode_constraint_tag;
  message->body.constraint = {most, most, true};
  const Bytes constraint = encoded(*message);
  for (const Bytes& bytes : {query, label, constraint}) {
    EXPECT_GT(bytes.size(), 20U);
    EXPECT_LE(bytes.size(), kControlPayload);
  }
  auto back = std::make_unique<ToNode>();
  ASSERT_TRUE(decode(span_of(constraint), *back));
  EXPECT_EQ(back->body.constraint.second, most);
  EXPECT_TRUE(back->body.constraint.must_link);
}

TEST(Codec, LargestMembershipsFit) {
  auto message = std::make_unique<FromNode>();
  message->which_body = whittle_v1_FromNode_memberships_tag;
  whittle_v1_Memberships& memberships = message->body.memberships;
  memberships.seq = std::numeric_limits<std::uint64_t>::max();
  memberships.degrees_count = static_cast<pb_size_t>(kMaxMemberships);
  for (float& degree : memberships.degrees) degree = 0.5F;
  const Bytes bytes = encoded(*message);
  ASSERT_GT(bytes.size(), 4 * kMaxMemberships);
  EXPECT_LE(bytes.size(), kLargestMemberships);
}

TEST(Codec, LargestRankingFits) {
  auto message = std::make_unique<FromNode>();
  message->which_body = whittle_v1_FromNode_ranking_tag;
  whittle_v1_Ranking& ranking = message->body.ranking;
  std::memset(&ranking, 0xFF, sizeof ranking);  // every number the largest
  ranking.scores_count = ranking.order_count = static_cast<pb_size_t>(kPageFeatures);
  for (std::uint16_t& feature : ranking.order) {
    feature = static_cast<std::uint16_t>(kMaxSampleFeatures - 1);
  }
  ranking.refinable = true;
  ranking.mask.size = sizeof ranking.mask.bytes;
  ranking.info_count = sizeof ranking.info / sizeof ranking.info[0];
  for (whittle_v1_InfoEntry& entry : ranking.info) {
    entry.name[sizeof entry.name - 1] = '\0';
    entry.text[sizeof entry.text - 1] = '\0';
  }
  const Bytes bytes = encoded(*message);
  ASSERT_GT(bytes.size(), 0U);
  EXPECT_LE(bytes.size(), kLargestRanking);

  auto back = std::make_unique<FromNode>();
  ASSERT_TRUE(decode(span_of(bytes), *back));
  EXPECT_EQ(back->body.ranking.order[kPageFeatures - 1], kMaxSampleFeatures - 1);
  EXPECT_EQ(back->body.ranking.refused, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(std::memcmp(back->body.ranking.scores, ranking.scores, sizeof ranking.scores), 0);
}

TEST(Codec, FloatsKeepTheirBits) {
  auto message = sample_message(4);
  float* const features = message->body.sample.features;
  features[0] = std::numeric_limits<float>::quiet_NaN();
  features[1] = -0.0F;
  features[2] = std::numeric_limits<float>::denorm_min();
  features[3] = -std::numeric_limits<float>::infinity();
  auto back = std::make_unique<ToNode>();
  ASSERT_TRUE(decode(span_of(encoded(*message)), *back));
  EXPECT_EQ(std::memcmp(back->body.sample.features, features, 4 * sizeof(float)), 0);
}

TEST(Codec, OverlongVectorIsRefusedButItsSeqIsRead) {
  const RawMessage sample =
      RawMessage()
          .number(kSampleCount, 241)
          .floats(kSampleFeatures, std::vector<float>(kMaxSampleFeatures + 1));
  const RawMessage message = RawMessage().number(kSeq, 300).message(kSample, sample);
  auto out = std::make_unique<ToNode>();
  EXPECT_FALSE(decode(span_of(message.get()), *out));
  std::uint64_t seq = 0;
  EXPECT_TRUE(decode_seq(span_of(message.get()), seq));
  EXPECT_EQ(seq, 300U);
}

TEST(Codec, TwoRunsOfOneVectorCannotPassForOne) {
  const RawMessage sample = RawMessage()
                                .number(kSampleCount, 2)
                                .floats(kSampleFeatures, {1, 2})
                                .floats(kSampleFeatures, {3, 4});
  auto out = std::make_unique<ToNode>();
  ASSERT_TRUE(decode(span_of(RawMessage().number(kSeq, 1).message(kSample, sample).get()), *out));
  EXPECT_NE(out->body.sample.features_count, out->body.sample.count);
}

TEST(Codec, UnknownFieldsAreSkipped) {
  RawMessage sample;
  sample.number(kSampleCount, 1).floats(kSampleFeatures, {2.5F}).number(900, 5).bytes(901, {1, 2});
  const RawMessage message =
      RawMessage().bytes(77, {9, 9, 9}).number(kSeq, 3).message(kSample, sample).number(78, 1);
  auto out = std::make_unique<ToNode>();
  ASSERT_TRUE(decode(span_of(message.get()), *out));
  EXPECT_EQ(out->seq, 3U);
  ASSERT_EQ(out->which_body, whittle_v1_ToNode_sample_tag);
  EXPECT_EQ(out->body.sample.features[0], 2.5F);
}

TEST(Codec, TruncationsLoseTheBodyOrFail) {
  auto message = sample_message(20);
  message->body.sample.kind = whittle_v1_Kind_LABELLED;
  message->body.sample.has_label = true;
  const Bytes bytes = encoded(*message);
  auto out = std::make_unique<ToNode>();
  int decodable = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    if (!decode(Span<const std::uint8_t>(bytes.data(), size), *out)) continue;
    EXPECT_EQ(out->which_body, 0U) << size;
    ++decodable;
  }
  EXPECT_EQ(decodable, 2);  // nothing at all, and the seq alone
}

TEST(Codec, DamagedMessageFailsOrStaysWithinItsBounds) {
  auto message = sample_message(20);
  message->body.sample.kind = whittle_v1_Kind_LABELLED;
  message->body.sample.has_label = true;
  const Bytes good = encoded(*message);
  testing::TestRandom random(5);
  auto out = std::make_unique<ToNode>();
  int refused = 0;
  int samples = 0;
  for (int round = 0; round < 5000; ++round) {
    Bytes bytes = good;
    for (int i = 0; i < 3; ++i) {
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] = random.byte();
    }
    if (!decode(span_of(bytes), *out)) {
      ++refused;
    } else if (out->which_body == whittle_v1_ToNode_sample_tag) {
      ++samples;
      ASSERT_LE(out->body.sample.features_count, kMaxSampleFeatures);
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(samples, 100);
}

TEST(Codec, EnumNumberOutsideItsRangeCanBeRead) {
  const RawMessage sample = RawMessage().number(3, 200);
  auto out = std::make_unique<ToNode>();
  ASSERT_TRUE(decode(span_of(RawMessage().number(kSeq, 1).message(kSample, sample).get()), *out));
  EXPECT_EQ(enum_number(out->body.sample.kind), 200U);
}

TEST(Codec, SmallBufferIsRefused) {
  const auto message = sample_message(20);
  std::uint8_t buffer[50];
  EXPECT_EQ(encode(*message, Span<std::uint8_t>(buffer)), 0U);
}

}  // namespace
}  // namespace whittle
