// Long runs on the host, each told how long; each prints what it found and says whether all was
// within bounds. docs/soak.md holds the output of the long ones.
#ifndef WHITTLE_TOOLS_SOAK_SOAK_H_
#define WHITTLE_TOOLS_SOAK_SOAK_H_

#include <cstdint>
#include <vector>

#include "whittle/rank/feature_ranker.h"

namespace whittle::soak {

// Scores from moments: means and variances of every group against compensated sums in double.
bool soak_moments(std::uint64_t samples);

// The neighbour graph: after every hundredth of the stream, lists and scores against those of a
// ranker that is given the held points alone, and against sorting all distances.
bool soak_graph(std::uint64_t samples);

// Counters: `samples` one after the other, more than 2^32 of them to be of use.
bool soak_counters(std::uint64_t samples);

class RankerInArena {
 public:
  explicit RankerInArena(const RankerConfig& config)
      : buffer_(FeatureRanker::required_bytes(config) / sizeof(std::uint64_t) + 1) {
    Arena arena(buffer_.data(), buffer_.size() * sizeof(std::uint64_t));
    created_ = ranker_.create(arena, config).ok();
  }
  bool created() const { return created_; }
  FeatureRanker* operator->() { return &ranker_; }

 private:
  std::vector<std::uint64_t> buffer_;
  FeatureRanker ranker_;
  bool created_ = false;
};

}  // namespace whittle::soak

#endif  // WHITTLE_TOOLS_SOAK_SOAK_H_
