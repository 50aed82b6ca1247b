// FeatureRanker: memory, one selector and the ranking it gives, in one arena. What a node, the
// program and an application without a wire all drive.
//
//   RankerConfig config(kCls);                 // or a type found in a Catalog
//   config.memory.features = 8; ...
//   alignas(kArenaAlignment) static unsigned char buffer[FeatureRanker::required_bytes(config)];
//   FeatureRanker ranker;
//   Arena arena(buffer, sizeof buffer);
//   ranker.create(arena, config);
//   ranker.observe(sample); ...
//   ranker.rank(0); ranker.ranking().order()[0] is the best feature
//
// Redundancy::tree takes features that say what a better one says out of the selection, after any
// selector. It looks at the held points, so the memory holds points then, whatever the selector
// needs.
//
// Cost: observe as the memory's and the selector's; rank one score() and a heap sort, O(m log m),
// and for redundancy what RedundancyTree costs. Memory: required_bytes(config), constexpr, exact.
#ifndef WHITTLE_RANK_FEATURE_RANKER_H_
#define WHITTLE_RANK_FEATURE_RANKER_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/status.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/rank/ranking.h"
#include "whittle/select/catalog.h"
#include "whittle/select/model_answers.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/tree_elimination.h"

namespace whittle {

// What becomes of features that are redundant to better ones.
enum class Redundancy : std::uint8_t {
  none = 0,  // nothing
  tree = 1,  // eliminated by a RedundancyTree of the best min(m, 200), min_mi = 0
};

struct RankerConfig {
  // `parts`: those linked, kAllParts for all of them.
  constexpr explicit RankerConfig(const SelectorType& type, const LinkedParts& parts = {})
      : selector(&type), values(type.params), tree(parts.tree) {
    memory.full = parts.full;
    memory.explicit_pairs = parts.pairs;
    memory.scale_learning = parts.scales;
    memory.codebook_memory = parts.codebook;
  }

  const SelectorType* selector;
  ParamValues values;
  MemoryConfig memory;
  Redundancy redundancy = Redundancy::none;
  const TreeElimination* tree;  // &kTreeElimination, for Redundancy::tree: see LinkedParts

  // The memory config with the parts that the selector and redundancy elimination need.
  constexpr MemoryConfig configured_memory() const {
    MemoryConfig configured = memory;
    selector->configure(configured, values);
    if (redundancy == Redundancy::tree) configured.points = true;
    if (memory.learn > 0 && memory.scaling == Scaling::zscore) configured.moments = true;
    return configured;
  }
};

// All but create() and created() are for a ranker that has been created.
class FeatureRanker {
 public:
  FeatureRanker();
  FeatureRanker(const FeatureRanker&) = delete;  // the selector refers to the memory
  FeatureRanker& operator=(const FeatureRanker&) = delete;

  static constexpr std::size_t required_bytes(const RankerConfig& config) {
    const MemoryConfig memory = config.configured_memory();
    return ByteCount{}
        .bytes(StreamMemory::required_bytes(memory))
        .bytes(config.selector->required_bytes(memory, config.values))
        .bytes(Ranking::required_bytes(memory.features))
        .bytes(tree_bytes(config))
        .array<Real>(classifies(*config.selector) ? memory.features : 0)
        .total();
  }

  // Places everything in `arena`, once. Errors: those of StreamMemory::create and of the selector;
  // resource_exhausted (value: bytes needed); failed_precondition if created already; unimplemented
  // (redundancy elimination is not linked). Nothing is placed on error.
  Status create(Arena& arena, const RankerConfig& config);
  bool created() const { return selector_ != nullptr; }

  // Offset and gain per feature, for scaling other than none: see StreamMemory::set_scale.
  Status set_scale(std::size_t first, Span<const Real> offset, Span<const Real> gain) {
    return memory_.set_scale(first, offset, gain);
  }

  // Takes one sample in. Errors: those of StreamMemory::observe; the state is then unchanged.
  Status observe(const Sample& sample);

  // Labels a sample that is held; ties two held samples; learns the scale again: see
  // StreamMemory::label, constrain and rescale. The state is unchanged on error.
  Status label(std::uint64_t id, std::uint32_t label);
  Status constrain(std::uint64_t first, std::uint64_t second, bool must_link);
  Status rescale();

  // At most `max_iterations` steps of what is left to do: of the graph after a new scale, then of
  // an iterative selector. May be called when idle; scores are usable after any number.
  Refinement refine(std::uint32_t max_iterations);

  // The first part of refine alone: after a rescale makes the graph anew, in at most so many steps
  // of one held point each; how many it took. Until memory().settled(), rank does what is left.
  std::uint32_t settle(std::uint32_t max_steps) { return memory_.settle(max_steps); }

  // Scores and orders all features; marks as selected the best `top` that have a score, all of them
  // if top is 0, unless the selector decides itself. With Redundancy::tree: the features that are
  // kept come first, then the rest, each by the order there was; selected are the first `top`, or
  // all, of the kept ones that would be selected without it and without a top. Errors: those of
  // Selector::score; failed_precondition before any sample, and where redundancy is to be told from
  // fewer than two held points. The ranking is then empty. Changes nothing but the ranking.
  Status rank(std::uint32_t top);

  // The class that the features selected by the last ranking, all of them before the first, tell of
  // a sample of m raw values, those of other features not looked at, a missing one replaced by the
  // mean of the held points. Errors: unimplemented (the selector does not classify), those of
  // predict_class. Changes nothing.
  Status predict(Span<const Real> raw, std::uint32_t* label) const;

  // How far a held sample belongs to each of the C classes. Errors: unimplemented (the selector
  // does not cluster), those of find_memberships. Changes nothing.
  Status memberships(std::uint64_t id, Span<Real> degrees) const;

  // Of everything that later results depend on.
  std::uint64_t state_digest() const;

  const SelectorType& type() const { return *type_; }
  const Ranking& ranking() const { return ranking_; }
  const InfoList& info() const { return info_; }
  const StreamMemory& memory() const { return memory_; }

 private:
  friend class RankerImage;
  static constexpr std::size_t tree_bytes(const RankerConfig& config) {
    if (config.redundancy == Redundancy::none || config.tree == nullptr) return 0;
    return config.tree->required_bytes(config.memory.features);
  }
  static constexpr bool classifies(const SelectorType& type) {
    return type.answers != nullptr && type.answers->predict != nullptr;
  }
  Status after_change(const Status& status);
  Status score_and_order(std::uint32_t top);

  StreamMemory memory_;
  Ranking ranking_;
  InfoList info_;
  const SelectorType* type_ = nullptr;
  Selector* selector_ = nullptr;
  RedundancyTree* tree_ = nullptr;  // if redundancy is to be eliminated
  const TreeElimination* elimination_ = nullptr;
  Span<Real> scaled_;  // m: a sample to be classified
};

}  // namespace whittle

#endif  // WHITTLE_RANK_FEATURE_RANKER_H_
