// What the model of a selector says of single samples, through a FeatureRanker.
#include <gtest/gtest.h>

#include <vector>

#include "tests/shared/feature_ranker_digits.h"
#include "tests/shared/ranker_fixture.h"
#include "whittle/select/cls.h"

namespace whittle::testing {
namespace {

constexpr std::uint32_t kFeatures = 3;
constexpr std::uint32_t kClasses = 1000;

RankerConfig digits_config() {
  StreamShape shape;
  shape.features = kFeatures;
  shape.classes = kClasses;
  return config_for(kDigits, shape, kClasses, 4);
}

class Digit : public ::testing::Test {
 protected:
  Digit() : ranker(digits_config()) {}

  // Two labelled samples, one not; the means of the features are 2, 4 (of those present) and 3.
  void learn() {
    EXPECT_TRUE(observe({1, 4, 3}, 7).ok());
    EXPECT_TRUE(observe({3, kNoScore, 3}, 12).ok());
    EXPECT_TRUE(observe({2, 4, 3}, -1).ok());
  }
  Status observe(std::vector<Real> x, int label) {
    Sample sample;
    sample.features = Span<const Real>(x.data(), x.size());
    sample.kind = label < 0 ? SampleKind::unlabelled : SampleKind::labelled;
    sample.label = label < 0 ? 0 : static_cast<std::uint32_t>(label);
    return ranker->observe(sample);
  }
  Status predict(std::vector<Real> x, std::uint32_t* label) {
    const std::uint64_t before = ranker->state_digest();
    const Status status = ranker->predict(Span<const Real>(x.data(), x.size()), label);
    EXPECT_EQ(ranker->state_digest(), before);
    return status;
  }
  std::uint32_t predicted(std::vector<Real> x) {
    std::uint32_t label = ~0U;
    const Status status = predict(std::move(x), &label);
    EXPECT_TRUE(status.ok()) << status.reason();
    return label;
  }
  void expect_refused(std::vector<Real> x, StatusCode code, const char* reason) {
    std::uint32_t label = 77;
    const Status status = predict(std::move(x), &label);
    EXPECT_EQ(status.code(), code) << reason;
    EXPECT_STREQ(status.reason(), reason);
    EXPECT_EQ(label, 77U);
  }

  RankerInBuffer ranker;
};

TEST_F(Digit, ModelSeesTheSample) {
  EXPECT_EQ(ranker.left(), 0U);
  learn();
  EXPECT_EQ(predicted({5, 6, 7}), 765U);
}

TEST_F(Digit, MissingValuesAreTheMeansOfThePresentOnes) {
  learn();
  EXPECT_EQ(predicted({5, kNoScore, kNoScore}), 345U);
  EXPECT_EQ(predicted({kNoScore, 9, kNoScore}), 392U);
}

TEST_F(Digit, FeaturesThatAreNotSelectedAreNotLookedAt) {
  learn();
  ASSERT_TRUE(ranker->rank(2).ok());  // the last two
  EXPECT_EQ(predicted({5, 6, 7}), 762U);
  EXPECT_EQ(predicted({kNoScore, 6, 7}), 762U);
  ASSERT_TRUE(ranker->rank(1).ok());
  EXPECT_EQ(predicted({5, 6, 7}), 742U);
  expect_refused({5, 6, kNoScore}, StatusCode::invalid_argument,
                 "no value of a selected feature is present");
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(predicted({5, 6, 7}), 765U);
}

TEST_F(Digit, WhatCannotBeClassified) {
  expect_refused({1, 2, 3}, StatusCode::failed_precondition, "no sample yet");
  EXPECT_TRUE(observe({1, 2, 3}, -1).ok());
  expect_refused({1, 2, 3}, StatusCode::failed_precondition, "digits needs a labelled sample");
  learn();
  expect_refused({1, 2}, StatusCode::invalid_argument, "wrong number of features: expected");
  expect_refused({1, 2, 3, 4}, StatusCode::invalid_argument, "wrong number of features: expected");
  expect_refused({1, kInfinity, 3}, StatusCode::invalid_argument, "infinite value: feature");
  expect_refused({1, 2, -kInfinity}, StatusCode::invalid_argument, "infinite value: feature");
  expect_refused({kNoScore, kNoScore, kNoScore}, StatusCode::invalid_argument,
                 "no value of a selected feature is present");
}

TEST(Predict, SamplesAreScaledAsHeldOnesAre) {
  RankerConfig config = digits_config();
  config.memory.scaling = Scaling::minmax;
  RankerInBuffer ranker(config);
  const Real offset[] = {100, 200, 300};
  const Real gain[] = {1, Real(0.5), 2};
  ASSERT_TRUE(ranker->set_scale(0, Span<const Real>(offset), Span<const Real>(gain)).ok());
  const Real first[] = {101, 204, 302};
  ASSERT_TRUE(ranker->observe({Span<const Real>(first), SampleKind::labelled, 1}).ok());
  const Real raw[] = {107, 210, kNoScore};
  std::uint32_t label = 0;
  ASSERT_TRUE(ranker->predict(Span<const Real>(raw), &label).ok());
  EXPECT_EQ(label, 457U);  // (302 - 300) 2, (210 - 200) / 2, 7
  const Real huge[] = {1, 2, std::numeric_limits<Real>::max()};
  const Status status = ranker->predict(Span<const Real>(huge), &label);
  EXPECT_EQ(status.code(), StatusCode::out_of_range);
  EXPECT_EQ(status.value(), 2U);
}

TEST_F(Digit, Memberships) {
  learn();
  std::vector<Real> degrees(kClasses);
  const Span<Real> all(degrees.data(), degrees.size());
  ASSERT_TRUE(ranker->memberships(2, all).ok());
  EXPECT_EQ(degrees[12], Real(1));
  EXPECT_EQ(degrees[7], Real(0));
  ASSERT_TRUE(ranker->memberships(3, all).ok());
  EXPECT_EQ(degrees[999], Real(1) / 1000);
  const Status gone = ranker->memberships(4, all);
  EXPECT_EQ(gone.code(), StatusCode::not_found);
  EXPECT_EQ(gone.value(), 4U);
  EXPECT_EQ(ranker->memberships(2, all.subspan(0, 3)).code(), StatusCode::invalid_argument);
}

TEST_F(Digit, MembershipsOfAModelThatHasLearnedNothing) {
  EXPECT_TRUE(observe({1, 2, 3}, -1).ok());
  std::vector<Real> degrees(kClasses);
  EXPECT_EQ(ranker->memberships(1, Span<Real>(degrees.data(), degrees.size())).code(),
            StatusCode::failed_precondition);
}

TEST(Predict, SelectorsWithoutAModelSaySo) {
  StreamShape shape;
  const Row row = make_stream(shape)[0];
  RankerInBuffer ranker(config_for(kCls, shape, 4, 4));
  ASSERT_TRUE(ranker->observe(row.sample()).ok());
  std::uint32_t label = 0;
  const Status status = ranker->predict(row.sample().features, &label);
  EXPECT_EQ(status.code(), StatusCode::unimplemented);
  EXPECT_STREQ(status.reason(), "the selector does not classify");
  Real degrees[2];
  EXPECT_EQ(ranker->memberships(1, Span<Real>(degrees)).code(), StatusCode::unimplemented);
}

}  // namespace
}  // namespace whittle::testing
