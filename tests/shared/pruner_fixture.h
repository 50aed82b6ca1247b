// A FeaturePruner in a buffer of exactly the bytes it asks for, and rankings made of given scores.
#ifndef WHITTLE_TESTS_SHARED_PRUNER_FIXTURE_H_
#define WHITTLE_TESTS_SHARED_PRUNER_FIXTURE_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "whittle/rank/pruning.h"

namespace whittle::testing {

class PrunerInBuffer {
 public:
  explicit PrunerInBuffer(const PruningConfig& config)
      : bytes_(FeaturePruner::required_bytes(config) + kArenaAlignment) {
    Arena arena(bytes_.data(), bytes_.size());
    status_ = pruner_.create(arena, config);
    if (status_.ok()) {
      EXPECT_EQ(arena.used(), FeaturePruner::required_bytes(config));
    }
  }
  FeaturePruner* operator->() { return &pruner_; }
  FeaturePruner& operator*() { return pruner_; }
  const Status& status() const { return status_; }

  // The next sample's values by the mask; nothing of them matters here.
  void pass(int samples) {
    std::vector<Real> values(pruner_.config().features);
    for (int i = 0; i < samples; ++i) {
      const Span<const bool> mask = pruner_.next_mask();
      for (std::size_t r = 0; r < values.size(); ++r) values[r] = mask[r] ? Real(1) : kNoScore;
      EXPECT_TRUE(pruner_.observe(Span<const Real>(values.data(), values.size())).ok());
    }
  }

  // Updates from a ranking of these scores; returns the mask as "1" and "0".
  std::string update(const std::vector<Real>& scores, Direction direction = Direction::descending,
                     std::uint32_t top = 0) {
    std::vector<unsigned char> bytes(Ranking::required_bytes(scores.size()) + kArenaAlignment);
    Arena arena(bytes.data(), bytes.size());
    Ranking ranking;
    ranking.place(arena, scores.size());
    for (std::size_t r = 0; r < scores.size(); ++r) ranking.mutable_scores()[r] = scores[r];
    ranking.arrange(direction, top);
    last_ = pruner_.update(ranking, direction);
    return mask();
  }
  std::string mask() {
    std::string text;
    for (const bool on : pruner_.mask()) text += on ? '1' : '0';
    return text;
  }
  std::string sensed() {
    std::string text;
    for (const bool on : pruner_.next_mask()) text += on ? '1' : '0';
    return text;
  }
  const Status& last() const { return last_; }  // of update

 private:
  std::vector<unsigned char> bytes_;
  FeaturePruner pruner_;
  Status status_;
  Status last_;
};

// No warm-up, no margins, no dwell, no probes, no detector.
inline PruningConfig bare(std::uint32_t features) {
  PruningConfig config;
  config.features = features;
  config.warm_up = 0;
  config.update_every = 1;
  config.rank_margin = 0;
  config.score_margin = 0;
  config.dwell = 0;
  config.probe_every = 0;
  config.drift_block = 0;
  return config;
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_PRUNER_FIXTURE_H_
