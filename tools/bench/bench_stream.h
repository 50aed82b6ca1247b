// What the benchmarks feed: random samples, and a ranker with an arena of its own.
#ifndef WHITTLE_TOOLS_BENCH_BENCH_STREAM_H_
#define WHITTLE_TOOLS_BENCH_BENCH_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "whittle/base/arena.h"
#include "whittle/base/random.h"
#include "whittle/memory/sample.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::bench {

// Mean 0, variance 1, nearly normal: the sum of four uniform numbers, scaled.
inline Real normal_like(Random& random) {
  const Real sum = random.uniform() + random.uniform() + random.uniform() + random.uniform();
  return (sum - Real(2)) * Real(1.7320508);
}

// Rows of m features, stored one after the other.
class Rows {
 public:
  Rows(std::size_t count, std::size_t features, std::uint64_t seed)
      : features_(features), values_(count * features) {
    Random random(seed);
    for (Real& value : values_) value = normal_like(random);
  }
  std::size_t size() const { return values_.size() / features_; }
  Real* row(std::size_t i) { return values_.data() + i * features_; }
  const Real* row(std::size_t i) const { return values_.data() + i * features_; }

  Sample unlabelled(std::size_t i) const {
    return {{row(i), features_}, SampleKind::unlabelled, 0};
  }
  Sample labelled(std::size_t i, std::uint32_t label) const {
    return {{row(i), features_}, SampleKind::labelled, label};
  }

 private:
  std::size_t features_;
  std::vector<Real> values_;
};

class RankerInArena {
 public:
  explicit RankerInArena(const RankerConfig& config)
      : buffer_(FeatureRanker::required_bytes(config) / sizeof(std::uint64_t)) {
    Arena arena(buffer_.data(), buffer_.size() * sizeof(std::uint64_t));
    created_ = ranker_.create(arena, config).ok();
  }
  bool created() const { return created_; }
  FeatureRanker* operator->() { return &ranker_; }
  FeatureRanker& operator*() { return ranker_; }

 private:
  std::vector<std::uint64_t> buffer_;
  FeatureRanker ranker_;
  bool created_ = false;
};

}  // namespace whittle::bench

#endif  // WHITTLE_TOOLS_BENCH_BENCH_STREAM_H_
