// A FeatureRanker in a buffer of exactly the bytes it asks for, with guard bytes on both ends.
#ifndef WHITTLE_TESTS_SHARED_RANKER_FIXTURE_H_
#define WHITTLE_TESTS_SHARED_RANKER_FIXTURE_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/shared/reference.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::testing {

class RankerInBuffer {
 public:
  explicit RankerInBuffer(const RankerConfig& config)
      : needed_(FeatureRanker::required_bytes(config)), bytes_(needed_ + 2 * kGuard, kPattern) {
    Arena arena(bytes_.data() + kGuard, needed_);
    status_ = ranker_.create(arena, config);
    left_ = arena.left();
  }
  ~RankerInBuffer() {
    for (std::size_t i = 0; i < kGuard; ++i) {
      EXPECT_EQ(bytes_[i], kPattern) << "written before the arena";
      EXPECT_EQ(bytes_[kGuard + needed_ + i], kPattern) << "written past the arena";
    }
  }

  FeatureRanker* operator->() { return &ranker_; }
  FeatureRanker& operator*() { return ranker_; }
  const Status& status() const { return status_; }
  std::size_t left() const { return left_; }

 private:
  static constexpr std::size_t kGuard = 64;
  static constexpr unsigned char kPattern = 0xA5;
  std::size_t needed_;
  std::vector<unsigned char> bytes_;
  FeatureRanker ranker_;
  Status status_;
  std::size_t left_ = 0;
};

inline RankerConfig config_for(const SelectorType& type, const StreamShape& shape,
                               std::uint32_t labelled = 0, std::uint32_t window = 0) {
  RankerConfig config(type, kAllParts);
  config.memory.features = static_cast<std::uint32_t>(shape.features);
  config.memory.classes = shape.classes;
  config.memory.labelled = labelled;
  config.memory.window = window;
  return config;
}

// Score by score: both none, both infinite, or close relative to the reference.
inline void expect_scores(Span<const Real> scores, const Vector& reference, double tolerance,
                          const char* where, std::size_t prefix) {
  ASSERT_EQ(scores.size(), reference.size());
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const double score = static_cast<double>(scores[r]);
    if (std::isnan(reference[r]) || std::isinf(reference[r])) {
      EXPECT_TRUE(std::isnan(reference[r]) ? std::isnan(score) : score == reference[r])
          << where << ": prefix " << prefix << ", feature " << r << ": " << score << " for "
          << reference[r];
    } else {
      EXPECT_NEAR(score, reference[r], tolerance * std::fabs(reference[r]))
          << where << ": prefix " << prefix << ", feature " << r;
    }
  }
}

// Of what the arithmetic allows: float scores are compared to 1e-5, double ones to what the
// reference itself, which sums naively, is good for.
inline constexpr double kTolerance = sizeof(Real) == 4 ? 1e-5 : 1e-9;

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_RANKER_FIXTURE_H_
