// FeaturePruner: from a ranking to what is sensed. It says before each sample which features to
// sense, sees what came, and turns a new ranking into a new mask now and then.
//
//   PruningConfig config; config.features = 8; config.top = 3;
//   alignas(kArenaAlignment) static unsigned char buffer[FeaturePruner::required_bytes(config)];
//   FeaturePruner pruner; Arena arena(buffer, sizeof buffer);
//   pruner.create(arena, config);
//   for (;;) {
//     const Span<const bool> sense = pruner.next_mask();
//     ...                                      // read the features with sense[r], NaN elsewhere
//     pruner.observe(values);
//     if (pruner.learns()) ranker.observe({values, ...});
//     if (pruner.update_due()) pruner.update(ranker);
//   }
//
// What is sensed of a sample: everything during warm-up, until the first ranking, and for
// `recovery` samples after an alarm of the drift detector; else the features of the mask and the
// pruned units whose turn it is to be probed. So a pruned feature keeps being scored, and can come
// back. When a unit is probed follows from the config's seed alone, never from values or labels:
// what is missing is missing at random, so means and class balance stay unbiased (docs/pruning.md
// tells which scores can be compared all the same: LearnFrom).
//
// Cost: next_mask O(m); observe O(m), and what DriftDetector costs; update O(m log m), under a
// budget at most search_steps more. Memory: required_bytes(config), constexpr, exact.
#ifndef WHITTLE_RANK_PRUNING_H_
#define WHITTLE_RANK_PRUNING_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/lanes.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/rank/drift.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/rank/pruning_config.h"
#include "whittle/rank/pruning_policy.h"
#include "whittle/rank/pruning_probes.h"
#include "whittle/rank/pruning_units.h"
#include "whittle/rank/ranking.h"
#include "whittle/rank/stability.h"

namespace whittle {

// Counted since create().
struct PruningStatistics {
  std::uint64_t samples = 0;
  std::uint64_t full_samples = 0;  // of which every feature was sensed
  std::uint64_t cells = 0;         // values sensed; all would be samples x m
  std::uint64_t probes = 0;        // a pruned unit, once
  std::uint64_t updates = 0;       // rankings turned into a mask
  std::uint64_t mask_changes = 0;  // updates that changed the mask
  std::uint64_t switches = 0;      // units switched by them
  std::uint64_t alarms = 0;
};

// All but create() and created() are for a pruner that has been created.
class FeaturePruner {
 public:
  FeaturePruner() = default;
  FeaturePruner(const FeaturePruner&) = delete;
  FeaturePruner& operator=(const FeaturePruner&) = delete;

  static constexpr std::size_t required_bytes(const PruningConfig& config) {
    return ByteCount{}
        .bytes(PruningUnits::required_bytes(config))
        .bytes(PruningPolicy::required_bytes(config))
        .bytes(DriftDetector::required_bytes(drift_config(config)))
        .bytes(MaskStability::required_bytes(config.features, config.stability_masks))
        .array<bool>(config.features)
        .total();
  }

  // Places everything in `arena`, once. Errors: invalid_argument or out_of_range (a config that
  // makes no sense, naming the field); resource_exhausted (value: bytes needed);
  // failed_precondition if created already. Nothing is placed on error.
  Status create(Arena& arena, const PruningConfig& config);
  bool created() const { return config_.features > 0; }

  // Before the first next_mask(). The group (0..groups-1, or kOwnUnit) and the cost of features
  // first, first + 1, ...: what sensing, storing and sending it takes, in any one unit. Without:
  // no group, cost 1. Errors: failed_precondition (too late), out_of_range (past the features; no
  // such group: value), invalid_argument (sizes differ, a cost negative or not finite).
  Status set_features(std::size_t first, Span<const std::uint32_t> groups, Span<const Real> costs) {
    return units_.set_features(first, groups, costs);
  }
  // What a group costs beside its features, once if it is sensed. Without: 0. Errors: likewise.
  Status set_group_costs(std::size_t first, Span<const Real> costs) {
    return units_.set_group_costs(first, costs);
  }

  // What to sense of the next sample, by feature: the same until observe(). `all`: every feature,
  // as for a sample that will get a label; it must be asked for before the sample is read.
  Span<const bool> next_mask(bool all = false);

  // What came: m values, NaN where there is none; the mask was that of next_mask(). Errors:
  // invalid_argument (not m values: value). Nothing changes then. True in `alarm`, if given: the
  // drift detector has raised an alarm with this sample.
  Status observe(Span<const Real> values, bool* alarm = nullptr);

  // Whether the selector's memory is to take the sample observed last (LearnFrom).
  bool learns() const { return config_.learn_from == LearnFrom::every_sample || last_full_; }

  // Whether it is time to rank and update.
  bool update_due() const { return !sensing_all() && since_update_ >= config_.update_every; }

  // Chooses the mask anew from a ranking of the m features. May be called at any time; while
  // everything is sensed (warm-up, recovery) it changes nothing. Errors: failed_precondition (no
  // valid ranking, or no feature has a score), invalid_argument (not m features). The mask is then
  // left as it is, until the next update is due.
  Status update(const Ranking& ranking, Direction direction);
  // The same, of a ranking made now, after at most `refine_iterations` steps of refining. Errors:
  // those of FeatureRanker::rank too.
  Status update(FeatureRanker& ranker, std::uint32_t refine_iterations = 0);

  // The mask as it stands, by feature, without probes; all true before the first update.
  Span<const bool> mask() const { return policy_.mask(); }
  // Its number: 0 is that of every feature; each mask after that has one more than the last.
  std::uint32_t mask_id() const { return mask_id_; }
  // Of the sample to come or just observed: whether all is sensed; which unit each feature is of
  // (the unit's first feature).
  bool full() const { return last_full_; }
  std::uint32_t unit_of(std::size_t feature) const { return units_.leader(feature); }
  // Warm-up or recovery.
  bool sensing_all() const { return warming_up() || recovering(); }
  bool recovering() const { return statistics_.samples < full_until_; }

  // What one sample costs with the mask alone, and with every feature.
  Real mask_cost() const { return policy_.cost(); }
  Real full_cost() const { return units_.total_cost(); }
  // What sensing has cost since create(), probes and full samples included.
  Real spent() const { return spent_.value(); }
  // Under a budget: at least this share of the value that the best choice could have had.
  Real optimality() const { return policy_.optimality(); }

  // Nogueira's stability of the last masks (MaskStability); kNoScore while there are fewer than 2.
  Real stability() const { return stability_.value(); }
  const DriftDetector& drift() const { return drift_; }
  const PruningStatistics& statistics() const { return statistics_; }
  const PruningConfig& config() const { return config_; }

  // Everything that later results depend on.
  void digest(Digest& digest) const;

 private:
  static constexpr DriftConfig drift_config(const PruningConfig& config) {
    return {config.features, config.drift_block, config.false_alarm_every};
  }
  static Status check(const PruningConfig& config);
  bool warming_up() const { return statistics_.samples < config_.warm_up; }
  void choose_sensed(bool all);
  void count_sensed();

  PruningConfig config_;
  PruningUnits units_;
  PruningPolicy policy_;
  ProbeSchedule probes_;
  DriftDetector drift_;
  MaskStability stability_;
  Span<bool> sense_;     // m: of the next sample
  bool chosen_ = false;  // sense_ is that of a sample not observed yet
  bool last_full_ = true;
  bool fresh_ = true;  // the next update starts anew: no margins, no dwell
  std::uint32_t mask_id_ = 0;
  std::uint32_t since_update_ = 0;
  std::uint64_t full_until_ = 0;  // samples
  CompensatedSum spent_;
  PruningStatistics statistics_;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_PRUNING_H_
