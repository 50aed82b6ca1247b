// BusyRanker: a FeatureRanker that is told and asked all kinds of things, one a step, always the
// same ones; results() digests all that it answered.
#ifndef WHITTLE_TESTS_SHARED_BUSY_RANKER_H_
#define WHITTLE_TESTS_SHARED_BUSY_RANKER_H_

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/shared/reference.h"
#include "tests/shared/test_streams.h"
#include "whittle/base/digest.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/rank/ranker_image.h"
#include "whittle/select/all_selectors.h"

namespace whittle::testing {

struct BusyCase {
  const SelectorType* type = nullptr;
  Geometry geometry = Geometry::window;
  Scaling scaling = Scaling::none;
  std::uint32_t learn = 0;
  std::uint32_t pairs = 0;
  Real half_life = 0;
  Redundancy redundancy = Redundancy::none;
  bool keep_distances = true;
};

inline RankerConfig config_of(const BusyCase& busy) {
  RankerConfig config(*busy.type, kAllParts);
  MemoryConfig& memory = config.memory;
  memory.features = 5;
  memory.classes = 2;
  memory.labelled = 8;
  memory.window = 8;
  memory.codebook = busy.geometry == Geometry::window ? 0 : 4;
  memory.geometry = busy.geometry;
  memory.scaling = busy.scaling;
  memory.learn = busy.learn;
  memory.pairs = busy.pairs;
  memory.half_life = busy.half_life;
  memory.keep_distances = busy.keep_distances;
  config.redundancy = busy.redundancy;
  return config;
}

class BusyRanker {
 public:
  // In a buffer of the bytes needed and `spare` more, before it.
  explicit BusyRanker(const BusyCase& busy, std::size_t spare = 0)
      : config_(config_of(busy)),
        spare_(spare),
        buffer_(FeatureRanker::required_bytes(config_) + spare + kArenaAlignment),
        rows_(make_stream({7, 100, 5, 2})) {
    Arena arena = this->arena();
    first_ = arena.next();
    const Status status = ranker_.create(arena, config_);
    EXPECT_TRUE(status.ok()) << busy.type->id << ": " << status.reason();
    bytes_ = arena.used();
  }

  enum class Act { observe, refine, rank, predict };
  void act(Act act, std::size_t number) {
    const Row& row = rows_[number % rows_.size()];
    if (act == Act::observe) step(number + 1000);
    if (act == Act::refine) refine(3);
    if (act == Act::rank) rank();
    if (act == Act::predict) predict(row);
  }

  // What step `number` is does not depend on what came before.
  void step(std::size_t number) {
    const Row& row = rows_[number % rows_.size()];
    Sample sample = row.sample();
    sample.id = number + 1;
    add(ranker_.observe(sample));
    if (number % 5 == 1) add(ranker_.label(number, static_cast<std::uint32_t>(number / 5 % 2)));
    if (number % 6 == 2) add(ranker_.constrain(number - 1, number + 1, number % 4 == 0));
    if (number % 31 == 30) add(ranker_.rescale());
    if (number % 3 == 0) refine(1 + static_cast<std::uint32_t>(number % 4));
    if (number % 7 == 6) rank();
    if (number % 7 == 6) predict(row);
  }

  // Leaves nothing that could still be read.
  void overwrite() {
    std::memset(first_, 0xA5, bytes_);
    std::memset(reinterpret_cast<unsigned char*>(&ranker_), 0xA5, sizeof ranker_);
  }

  std::uint64_t results() const { return results_.value(); }
  void forget_results() { results_ = Digest(); }
  std::uint64_t state_digest() const { return ranker_.state_digest(); }
  FeatureRanker& ranker() { return ranker_; }
  const RankerConfig& config() const { return config_; }
  Arena arena() {  // as it was before
    return {buffer_.data() + spare_, buffer_.size() - spare_};
  }
  RankerImage image() { return {ranker_, Span<unsigned char>(first_, bytes_)}; }

 private:
  void add(const Status& status) { results_.add(static_cast<int>(status.code())); }

  void refine(std::uint32_t iterations) {
    const Refinement done = ranker_.refine(iterations);
    results_.add(done.iterations);
    results_.add(done.converged);
  }
  void rank() {
    add(ranker_.rank(3));
    const Ranking& ranking = ranker_.ranking();
    if (!ranking.valid()) return;
    results_.add_all(ranking.scores().data(), ranking.scores().size());
    results_.add_all(ranking.order().data(), ranking.order().size());
  }
  void predict(const Row& row) {
    std::uint32_t label = 0;
    add(ranker_.predict(Span<const Real>(row.x.data(), row.x.size()), &label));
    results_.add(label);
  }

  RankerConfig config_;
  std::size_t spare_;
  std::vector<unsigned char> buffer_;
  std::vector<Row> rows_;
  unsigned char* first_ = nullptr;
  std::size_t bytes_ = 0;
  FeatureRanker ranker_;
  Digest results_;
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_BUSY_RANKER_H_
