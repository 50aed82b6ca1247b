// What StreamMemory refuses, what it leaves unchanged then, and what it holds.
#include "whittle/memory/stream_memory.h"

#include <limits>

#include "tests/shared/ranker_fixture.h"
#include "whittle/select/cls.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

RankerConfig full_config() {
  RankerConfig config(kCls);
  config.memory.features = 3;
  config.memory.classes = 2;
  config.memory.labelled = 4;
  config.memory.window = 5;
  config.memory.moments = true;
  return config;
}

TEST(StreamMemory, RefusedSamplesChangeNothing) {
  const Real nan = kNoScore;
  struct Refused {
    Row row;
    StatusCode code;
    std::uint64_t value;
  };
  const std::vector<Refused> refused = {
      {{{1, 2}}, StatusCode::invalid_argument, 3},
      {{{1, 2, 3, 4}}, StatusCode::invalid_argument, 3},
      {{{}}, StatusCode::invalid_argument, 3},
      {{{nan, nan, nan}}, StatusCode::invalid_argument, 3},
      {{{1, nan, kInfinity}}, StatusCode::invalid_argument, 2},
      {{{1, 2, kInfinity}}, StatusCode::invalid_argument, 2},
      {{{-kInfinity, 2, 3}}, StatusCode::invalid_argument, 0},
      {{{1, 2, 3}, SampleKind::labelled, 2}, StatusCode::out_of_range, 2},
      {{{1, 2, 3}, static_cast<SampleKind>(77), 0}, StatusCode::invalid_argument, 77},
      {{{nan, nan, nan}, SampleKind::labelled, 0}, StatusCode::invalid_argument, 3},
      {{{kInfinity, 2, 3}, SampleKind::universum, 0}, StatusCode::invalid_argument, 0},
  };
  for (const bool with_points : {true, false}) {
    RankerConfig config = full_config();
    if (!with_points) {
      config = RankerConfig(kVariance);
      config.memory.features = 3;
      config.memory.classes = 2;
    }
    RankerInBuffer ranker(config);
    StreamShape shape;
    shape.features = 3;
    shape.rows = 30;
    for (const Row& row : make_stream(shape)) {
      for (const Refused& one : refused) {
        const std::uint64_t before = ranker->state_digest();
        const Status status = ranker->observe(one.row.sample());
        EXPECT_EQ(status.code(), one.code);
        EXPECT_TRUE(status.has_value());
        EXPECT_EQ(status.value(), one.value) << status.reason();
        ASSERT_EQ(ranker->state_digest(), before) << status.reason();
      }
      const std::uint64_t before = ranker->state_digest();
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
      EXPECT_NE(ranker->state_digest(), before);
    }
  }
}

TEST(StreamMemory, ScaledOverflowIsRefused) {
  RankerConfig config = full_config();
  config.memory.scaling = Scaling::minmax;
  RankerInBuffer ranker(config);
  const Real offset[] = {0, 0, 0};
  const Real gain[] = {1, 1, 1000};
  ASSERT_TRUE(ranker->set_scale(0, offset, gain).ok());
  const std::uint64_t before = ranker->state_digest();
  const Status status = ranker->observe(Row{{1, 1, std::numeric_limits<Real>::max()}}.sample());
  EXPECT_EQ(status.code(), StatusCode::out_of_range);
  EXPECT_EQ(status.value(), 2U);
  EXPECT_EQ(ranker->state_digest(), before);
}

TEST(StreamMemory, ScaleComesWholeInOrderAndFirst) {
  RankerConfig config = full_config();
  config.memory.scaling = Scaling::zscore;
  RankerInBuffer ranker(config);
  const Real zero[] = {0, 0, 0, 0};
  const Real one[] = {1, 1, 1, 1};
  const Row row{{1, 2, 3}};
  const auto chunk = [&](std::size_t first, std::size_t offsets, std::size_t gains) {
    return ranker->set_scale(first, Span<const Real>(zero, offsets), Span<const Real>(one, gains))
        .code();
  };
  const std::uint64_t before = ranker->state_digest();
  EXPECT_EQ(ranker->observe(row.sample()).code(), StatusCode::failed_precondition);
  EXPECT_EQ(chunk(1, 1, 1), StatusCode::out_of_range);
  EXPECT_EQ(chunk(0, 4, 4), StatusCode::out_of_range);
  EXPECT_EQ(chunk(0, 2, 1), StatusCode::invalid_argument);
  EXPECT_EQ(ranker->set_scale(0, Span<const Real>(&kInfinity, 1), Span<const Real>(one, 1)).code(),
            StatusCode::invalid_argument);
  EXPECT_EQ(ranker->state_digest(), before);
  EXPECT_EQ(chunk(0, 2, 2), StatusCode::ok);
  EXPECT_EQ(ranker->observe(row.sample()).code(), StatusCode::failed_precondition);
  EXPECT_EQ(chunk(0, 2, 2), StatusCode::out_of_range);
  EXPECT_EQ(chunk(2, 1, 1), StatusCode::ok);
  EXPECT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_EQ(chunk(3, 0, 0), StatusCode::failed_precondition);

  RankerInBuffer unscaled(full_config());
  EXPECT_EQ(unscaled->set_scale(0, Span<const Real>(zero, 3), Span<const Real>(one, 3)).code(),
            StatusCode::failed_precondition);
}

TEST(StreamMemory, ScalingEqualsScaledInput) {
  StreamShape shape;
  shape.features = 3;
  for (const SelectorType* type : {static_cast<const SelectorType*>(&kVariance), &kCls}) {
    RankerConfig config = config_for(*type, shape, 8, 8);
    RankerInBuffer plain(config);
    config.memory.scaling = Scaling::minmax;
    RankerInBuffer scaled(config);
    const Real offset[] = {2, -1, 0};
    const Real gain[] = {4, Real(0.5), 0};  // powers of two: the scaled input is exact
    ASSERT_TRUE(scaled->set_scale(0, offset, gain).ok());
    for (Row row : make_stream(shape)) {
      ASSERT_TRUE(scaled->observe(row.sample()).ok());
      for (std::size_t r = 0; r < 3; ++r) row.x[r] = (row.x[r] - offset[r]) * gain[r];
      ASSERT_TRUE(plain->observe(row.sample()).ok());
    }
    ASSERT_TRUE(plain->rank(0).ok());
    ASSERT_TRUE(scaled->rank(0).ok());
    for (std::size_t r = 0; r < 3; ++r) {
      const double a = static_cast<double>(plain->ranking().scores()[r]);
      const double b = static_cast<double>(scaled->ranking().scores()[r]);
      EXPECT_EQ(std::isnan(a), std::isnan(b));
      if (std::isnan(a)) continue;
      EXPECT_NEAR(a, b, kTolerance * std::fabs(a)) << type->id;
    }
    EXPECT_FALSE(has_score(scaled->ranking().scores()[2]));  // gain 0 makes it constant
  }
}

TEST(StreamMemory, ConfigsThatMakeNoSenseAreRefused) {
  struct Wrong {
    void (*spoil)(MemoryConfig&);
    StatusCode code;
  };
  const Wrong wrong[] = {
      {[](MemoryConfig& c) { c.features = 0; }, StatusCode::out_of_range},
      {[](MemoryConfig& c) { c.features = kMaxFeatures + 1; }, StatusCode::out_of_range},
      {[](MemoryConfig& c) { c.classes = kMaxClasses + 1; }, StatusCode::out_of_range},
      {[](MemoryConfig& c) { c.window = kMaxHeld + 1; }, StatusCode::out_of_range},
      {[](MemoryConfig& c) { c.labelled = 1; }, StatusCode::invalid_argument},
  };
  alignas(kArenaAlignment) static unsigned char buffer[8192];
  for (const Wrong& one : wrong) {
    RankerConfig config = full_config();
    one.spoil(config.memory);
    Arena arena(buffer, sizeof buffer);
    FeatureRanker ranker;
    EXPECT_EQ(ranker.create(arena, config).code(), one.code);
    EXPECT_EQ(arena.used(), 0U);
    EXPECT_FALSE(ranker.created());
  }
}

TEST(StreamMemory, NeighboursNeedPointsAndAMaker) {
  std::vector<unsigned char> buffer(8192);
  for (const bool has_points : {true, false}) {
    MemoryConfig config;
    config.features = 2;
    config.window = 4;
    config.neighbours = 2;
    config.full = &kFullMemory;
    config.points = has_points;
    if (!has_points) config.make_graph = make_neighbour_graph;
    Arena arena(buffer.data(), buffer.size());
    StreamMemory memory;
    EXPECT_EQ(memory.create(arena, config).code(), StatusCode::invalid_argument);
    EXPECT_EQ(arena.used(), 0U);
  }
}

TEST(StreamMemory, TooSmallAnArenaIsToldHowManyBytesAreNeeded) {
  const RankerConfig config = full_config();
  const std::size_t needed = FeatureRanker::required_bytes(config);
  std::vector<unsigned char> buffer(needed + 8);
  Arena arena(buffer.data(), needed - 1);
  FeatureRanker ranker;
  const Status status = ranker.create(arena, config);
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(status.value(), needed);
  EXPECT_EQ(arena.used(), 0U);
  Arena enough(buffer.data(), needed);
  EXPECT_TRUE(ranker.create(enough, config).ok());
}

TEST(StreamMemory, SizesPastTheAddressSpaceAreRefusedNotWrapped) {
  RankerConfig config = full_config();
  config.memory.features = kMaxFeatures;
  config.memory.window = kMaxHeld;
  unsigned char buffer[64];
  Arena arena(buffer, sizeof buffer);
  FeatureRanker ranker;
  EXPECT_EQ(ranker.create(arena, config).code(), StatusCode::resource_exhausted);
}

TEST(StreamMemory, UsesExactlyTheRequiredBytes) {
  for (const std::uint32_t features : {1U, 7U, 8U, 33U}) {
    for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
      for (const bool keep : {true, false}) {
        RankerConfig config = full_config();
        config.memory.features = features;
        config.memory.keep_distances = keep;
        ASSERT_TRUE(config.values.set(kClsParams, "metric", metric == Metric::cosine ? 1 : 0).ok());
        RankerInBuffer ranker(config);
        ASSERT_TRUE(ranker.status().ok());
        EXPECT_EQ(ranker.left(), 0U);
        StreamShape shape;
        shape.features = features;
        for (const Row& row : make_stream(shape)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
        ASSERT_TRUE(ranker->rank(0).ok());
      }
    }
  }
}

TEST(StreamMemory, CountsWhatItTookIn) {
  RankerInBuffer ranker(full_config());
  const Row rows[] = {{{1, 2, 3}},
                      {{1, 2, 3}, SampleKind::labelled, 1},
                      {{1, 2, 3}, SampleKind::universum, 0},
                      {{3, 2, 1}}};
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_EQ(ranker->memory().counts().labelled, 1U);
  EXPECT_EQ(ranker->memory().counts().unlabelled, 2U);
  EXPECT_EQ(ranker->memory().counts().universum, 1U);
  EXPECT_EQ(ranker->memory().points().size(), 3U);  // universum is not held among the points
}

TEST(StreamMemory, LabelledBufferNeverEmptiesAClass) {
  RankerConfig config = full_config();
  config.memory.classes = 3;
  config.memory.labelled = 3;
  RankerInBuffer ranker(config);
  Random random(4);
  for (std::uint32_t i = 0; i < 200; ++i) {
    const std::uint32_t label = i < 3 ? i : (random.below(10) == 0 ? random.below(3) : 0);
    const Row row{{static_cast<Real>(i), 0, 0}, SampleKind::labelled, label};
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    if (i < 3) continue;
    for (std::uint32_t c = 0; c < 3; ++c) {
      ASSERT_GT(ranker->memory().points().class_count(c), 0U) << i;
    }
  }
}

}  // namespace
}  // namespace whittle::testing
