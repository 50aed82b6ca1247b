// PruningPolicy: from scores to the mask, by one of the rules of PruningConfig.
//
// So that the mask does not flutter: a unit that was switched less than `dwell` samples ago stays
// as it is, and one that is in the mask has a head start on one that is not: `rank_margin`
// positions (top), `score_margin` of the threshold (threshold) or of its value (budget); none under
// the selector's own decision, where dwell alone holds. Units that must stay count first: neither
// `top` nor the budget is passed on their account. A unit without a score is not chosen. The mask
// is never empty: if nothing qualifies it is the best unit, under a budget the cheapest.
//
// Cost: O(m log m), under a budget what BudgetSearch costs. Memory: 14 bytes and a Real per
// feature, and under a budget 2 Reals and 2 bytes more.
#ifndef WHITTLE_RANK_PRUNING_POLICY_H_
#define WHITTLE_RANK_PRUNING_POLICY_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/rank/pruning_budget.h"
#include "whittle/rank/pruning_config.h"
#include "whittle/rank/pruning_units.h"
#include "whittle/rank/ranking.h"

namespace whittle {

class PruningPolicy {
 public:
  static constexpr std::size_t required_bytes(const PruningConfig& config) {
    const std::size_t m = config.features;
    return ByteCount{}
        .array<bool>(m)
        .array<bool>(m)
        .array<Real>(m)
        .array<std::uint32_t>(m)
        .array<std::uint32_t>(m)
        .array<std::uint64_t>(m)
        .bytes(BudgetSearch::required_bytes(config.rule == PruningRule::budget ? m : 0))
        .total();
  }
  // Both must outlive the policy.
  void place(Arena& arena, const PruningConfig& config, const PruningUnits& units);

  // Chooses anew, at sample number `now`. `fresh`: as if nothing had been chosen before. Returns
  // how many units were switched. Errors: failed_precondition (no feature has a score); nothing
  // changes then.
  Status choose(const Ranking& ranking, Direction direction, std::uint64_t now, bool fresh,
                std::uint32_t* switched);

  Span<const bool> mask() const { return mask_; }
  Real cost() const;  // of the mask, a sample
  Real optimality() const { return budget_.optimality(); }

  void digest(Digest& digest) const;

 private:
  // What a choice is made from.
  struct Update {
    const Ranking& ranking;
    Direction direction;
    std::uint64_t now;
    bool fresh;
  };
  bool look_up(const Ranking& ranking);
  bool locked(const Update& update, std::size_t unit) const;
  bool keeps(const Update& update, std::size_t unit) const { return !update.fresh && mask_[unit]; }
  void choose_top(const Update& update);
  void choose_better(const Update& update);
  void choose_decided(const Update& update);
  void choose_within_budget(const Update& update);
  void value_units(const Ranking& ranking);
  void choose_one();
  std::uint32_t apply(const Update& update);

  const PruningConfig* config_ = nullptr;
  const PruningUnits* units_ = nullptr;
  Span<bool> mask_;                  // by feature
  Span<bool> wanted_;                // by unit: what is being chosen
  Span<Real> values_;                // by unit
  Span<std::uint32_t> position_;     // by unit: of its best feature that has a score
  Span<std::uint32_t> order_;        // units in the order they are considered in
  Span<std::uint64_t> switched_at_;  // by unit: sample
  BudgetSearch budget_;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_PRUNING_POLICY_H_
