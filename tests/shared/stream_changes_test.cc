// What changes held points otherwise than by a sample: late labels, a scale that is learned, and
// learned again.
#include "tests/shared/ranker_fixture.h"
#include "whittle/select/cls.h"
#include "whittle/select/cs1.h"
#include "whittle/select/cs2.h"
#include "whittle/select/fisher.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/ls.h"
#include "whittle/select/relieff.h"
#include "whittle/select/uvs.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

const SelectorType* const kTypes[] = {&kVariance, &kFisher, &kCs1,   &kCs2,    &kUvs,
                                      &kLs,       &kCls,    &kL2gfs, &kRelieff};

StreamShape shape_of(std::uint64_t seed) {
  StreamShape shape;
  shape.seed = seed;
  shape.rows = 60;
  shape.features = 9;
  shape.classes = 3;
  return shape;
}

void expect_same_ranking(RankerInBuffer& a, RankerInBuffer& b, const char* where) {
  a->refine(1000);
  b->refine(1000);
  ASSERT_TRUE(a->rank(0).ok()) << where;
  ASSERT_TRUE(b->rank(0).ok()) << where;
  const auto x = a->ranking().scores();
  const auto y = b->ranking().scores();
  for (std::size_t r = 0; r < x.size(); ++r) {
    EXPECT_TRUE(x[r] == y[r] || (!has_score(x[r]) && !has_score(y[r])))
        << where << " feature " << r << ": " << x[r] << " " << y[r];
    EXPECT_EQ(a->ranking().order()[r], b->ranking().order()[r]) << where;
  }
}

// Labels that come up to nine samples late give the bits of labels that come with the samples.
void check_late_labels(const SelectorType& type, Real half_life) {
  RankerConfig config = config_for(type, shape_of(4), 40, 60);
  config.memory.half_life = half_life;
  RankerInBuffer early(config);
  RankerInBuffer late(config);
  Random random(3);
  struct Due {
    std::uint64_t when;
    std::uint64_t id;
    std::uint32_t label;
  };
  std::vector<Due> due;
  std::uint64_t id = 0;
  for (Row row : make_stream(shape_of(4))) {
    ++id;
    ASSERT_TRUE(early->observe(row.sample()).ok());
    if (row.kind == SampleKind::labelled) {
      due.push_back({id + random.below(10), id, row.label});
      row.kind = SampleKind::unlabelled;
    }
    ASSERT_TRUE(late->observe(row.sample()).ok());
    for (const Due& one : due) {
      if (one.when == id) {
        ASSERT_TRUE(late->label(one.id, one.label).ok());
      }
    }
  }
  for (const Due& one : due) {
    if (one.when > id) {
      ASSERT_TRUE(late->label(one.id, one.label).ok());
    }
  }
  EXPECT_EQ(early->memory().counts().labelled, late->memory().counts().labelled);
  expect_same_ranking(early, late, type.id);
}

TEST(LateLabel, IsAsIfTheSampleHadComeLabelled) {
  for (const SelectorType* type : kTypes) check_late_labels(*type, 0);
}

TEST(LateLabel, CountsFromTheArrivalOfItsSampleWithAHalfLife) {
  for (const SelectorType* type : {&kFisher, &kCs1, &kVariance}) check_late_labels(*type, 20);
}

TEST(LateLabel, RefusedOnesChangeNothing) {
  RankerConfig config = config_for(kCls, shape_of(1), 3, 2);
  config.memory.pairs = 4;
  RankerInBuffer ranker(config);
  std::vector<Row> rows = make_stream(shape_of(1));
  for (std::size_t i = 0; i < 4; ++i) {
    rows[i].kind = i < 3 ? SampleKind::unlabelled : SampleKind::labelled;
    rows[i].label = 1;
    ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
  }
  ASSERT_TRUE(ranker->constrain(2, 4, false).ok());
  const std::uint64_t before = ranker->state_digest();
  EXPECT_EQ(ranker->label(1, 0).code(), StatusCode::not_found);  // left the window
  EXPECT_EQ(ranker->label(99, 0).code(), StatusCode::not_found);
  EXPECT_EQ(ranker->label(2, 3).code(), StatusCode::out_of_range);
  EXPECT_EQ(ranker->label(4, 0).code(), StatusCode::failed_precondition);  // has one
  EXPECT_EQ(ranker->label(2, 1).code(), StatusCode::failed_precondition);  // contradiction
  EXPECT_EQ(ranker->constrain(2, 4, true).code(), StatusCode::failed_precondition);
  EXPECT_EQ(ranker->constrain(2, 1, true).code(), StatusCode::not_found);
  EXPECT_EQ(ranker->constrain(2, 2, true).code(), StatusCode::invalid_argument);
  EXPECT_EQ(ranker->state_digest(), before);
  EXPECT_TRUE(ranker->label(2, 0).ok());
  EXPECT_NE(ranker->state_digest(), before);
}

TEST(LateLabel, NeedsRoomForLabelledSamples) {
  RankerConfig config = config_for(kLs, shape_of(1), 0, 8);
  RankerInBuffer ranker(config);
  ASSERT_TRUE(ranker->observe(Row{std::vector<Real>(9, Real(1))}.sample()).ok());
  EXPECT_EQ(ranker->label(1, 0).code(), StatusCode::failed_precondition);
}

RankerConfig learning(const SelectorType& type, Scaling scaling, std::uint32_t learn) {
  RankerConfig config = config_for(type, shape_of(2), 20, 30);
  config.memory.scaling = scaling;
  config.memory.learn = learn;
  return config;
}

// What learned its scale from the first samples has the bits of what was given that scale.
TEST(LearnedScaling, IsAsIfTheScaleHadBeenGiven) {
  for (const SelectorType* type : kTypes) {
    for (const Scaling scaling : {Scaling::zscore, Scaling::minmax}) {
      RankerInBuffer learned(learning(*type, scaling, 20));
      RankerInBuffer given(learning(*type, scaling, 0));
      ASSERT_TRUE(learned.status().ok()) << learned.status().reason();
      std::vector<Real> offset, gain;
      const std::vector<Row> rows = make_stream(shape_of(2));
      for (const Row& row : rows) ASSERT_TRUE(learned->observe(row.sample()).ok());
      for (std::size_t r = 0; r < 9; ++r) {
        offset.push_back(learned->memory().offset(r));
        gain.push_back(learned->memory().gain(r));
        EXPECT_EQ(gain.back() == 0, r == 8) << "the last one is constant";
      }
      ASSERT_TRUE(given->set_scale(0, {offset.data(), 9}, {gain.data(), 9}).ok());
      for (const Row& row : rows) ASSERT_TRUE(given->observe(row.sample()).ok());
      expect_same_ranking(learned, given, type->id);
    }
  }
}

// A new scale while samples go on coming: however the work on the graph is cut up, the same bits,
// and close to a memory that was given the new scale.
TEST(LearnedScaling, RescaleInBoundedStepsGivesOneResult) {
  for (const bool keep : {true, false}) {
    RankerConfig config = learning(kCls, Scaling::zscore, 10);
    config.memory.keep_distances = keep;
    RankerInBuffer steps(config);
    RankerInBuffer once(config);
    config.memory.learn = 0;
    RankerInBuffer given(config);
    EXPECT_EQ(steps->rescale().code(), StatusCode::failed_precondition) << "nothing learned yet";
    std::vector<Row> rows = make_stream(shape_of(2));
    for (Row& row : rows)
      row.kind = row.kind == SampleKind::universum ? SampleKind::unlabelled : row.kind;
    std::vector<Real> offset, gain;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_TRUE(steps->observe(rows[i].sample()).ok());
      ASSERT_TRUE(once->observe(rows[i].sample()).ok());
      if (i == 40) {
        ASSERT_TRUE(steps->rescale().ok());
        ASSERT_TRUE(once->rescale().ok());
        ASSERT_TRUE(once->rank(0).ok());
        EXPECT_TRUE(once->memory().settled());
        EXPECT_FALSE(steps->memory().settled());
      }
      if (i > 40) {
        const Refinement done = steps->refine(3);
        EXPECT_LE(done.iterations, 3U);
      }
    }
    EXPECT_TRUE(steps->memory().settled());
    expect_same_ranking(steps, once, "rescaled");
    for (std::size_t r = 0; r < 9; ++r) {
      offset.push_back(once->memory().offset(r));
      gain.push_back(once->memory().gain(r));
    }
    ASSERT_TRUE(given->set_scale(0, {offset.data(), 9}, {gain.data(), 9}).ok());
    for (const Row& row : rows) ASSERT_TRUE(given->observe(row.sample()).ok());
    ASSERT_TRUE(given->rank(0).ok());
    for (std::size_t r = 0; r < 8; ++r) {
      const double expected = static_cast<double>(given->ranking().scores()[r]);
      EXPECT_NEAR(static_cast<double>(once->ranking().scores()[r]), expected, 1e-4 * expected);
    }
  }
}

// A feature that was constant is held as 0; when it has a spread, what it was is told by its
// offset.
TEST(LearnedScaling, WhatWasConstantComesBackWhenItVaries) {
  for (const Scaling scaling : {Scaling::minmax, Scaling::zscore}) {
    RankerInBuffer ranker(learning(kCls, scaling, 10));
    std::vector<Row> rows = make_stream(shape_of(2));
    rows.resize(20);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].kind = SampleKind::unlabelled;
      rows[i].x[0] = i < 12 ? Real(5) : static_cast<Real>(i % 2 == 0 ? i : 0);
      ASSERT_TRUE(ranker->observe(rows[i].sample()).ok());
    }
    const StreamMemory& memory = ranker->memory();
    EXPECT_EQ(memory.points().row(memory.points().order()[0])[0], Real(0));
    ASSERT_TRUE(ranker->rescale().ok());
    for (std::size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(memory.points().row(memory.points().order()[i])[0],
                (Real(5) - memory.offset(0)) * memory.gain(0));
    }
    EXPECT_NE(memory.points().row(memory.points().order()[0])[0], Real(0));
  }
}

TEST(LearnedScaling, NoIterationsSettleNothing) {
  RankerInBuffer ranker(learning(kCls, Scaling::zscore, 10));
  for (const Row& row : make_stream(shape_of(2))) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ranker->refine(1000);
  ASSERT_TRUE(ranker->memory().settled());
  ASSERT_TRUE(ranker->rescale().ok());
  const std::uint64_t before = ranker->state_digest();
  const Refinement done = ranker->refine(0);
  EXPECT_EQ(done.iterations, 0U);
  EXPECT_FALSE(done.converged);
  EXPECT_FALSE(ranker->memory().settled());
  EXPECT_EQ(ranker->state_digest(), before);
  EXPECT_EQ(ranker->refine(1).iterations, 1U);
}

TEST(LearnedScaling, NeedsAScalingToLearn) {
  RankerInBuffer ranker(learning(kCls, Scaling::none, 10));
  EXPECT_EQ(ranker.status().code(), StatusCode::invalid_argument);
  RankerInBuffer fixed(learning(kCls, Scaling::zscore, 0));
  EXPECT_EQ(fixed->rescale().code(), StatusCode::failed_precondition);
  RankerInBuffer learns(learning(kCls, Scaling::zscore, 5));
  const Real one = 1;
  EXPECT_EQ(learns->set_scale(0, {&one, 1}, {&one, 1}).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
