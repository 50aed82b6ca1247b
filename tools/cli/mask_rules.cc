#include "tools/cli/mask_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tools/cli/policies.h"
#include "tools/cli/rounding.h"

namespace whittle::cli {
namespace {

using simulate::FeatureCosts;
using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;
using Series = std::vector<double>;

// Of the nodes: those that sense everything throughout.
double share_of_whole(const Record& record, const RunRecord& run) {
  if (run.policy == "all") return 1;
  const auto unranked =
      std::count_if(run.nodes.begin(), run.nodes.end(),
                    [](const NodeRecord& node) { return !node.unranked.reason.empty(); });
  return static_cast<double>(unranked) / static_cast<double>(record.nodes);
}

// Of a sample, mean. The features of a group are sensed together.
double cost_of_shares(const FeatureCosts& costs, const Series& shares) {
  double cost = 0;
  Series of_group(costs.groups.size());
  for (std::size_t r = 0; r < shares.size(); ++r) {
    cost += costs.cost_of(r) * shares[r];
    if (costs.group_of(r) != kOwnUnit) of_group[costs.group_of(r)] = shares[r];
  }
  for (std::size_t g = 0; g < of_group.size(); ++g) cost += costs.group_cost[g] * of_group[g];
  return cost;
}

// A sample senses one feature at least, and so does the mask of a node.
void check_shares(const RecordValue& json, const Record& record, const RunRecord& run) {
  const auto features = static_cast<double>(record.features.size());
  const double whole = share_of_whole(record, run);
  for (std::size_t i = 0; i < run.masks.size(); ++i) {
    const Series& mask = run.masks[i];
    const double shares = sum(mask);
    if (shares < 1 - kRounding) {
      json.at("masks").items()[i].refuse(
          "one of shares that sum to 1 or more: a sample senses one feature at least");
    }
    for (std::size_t r = 0; r < mask.size(); ++r) {
      if (!is_below(mask[r], whole)) continue;
      json.at("masks").items()[i].items()[r].refuse(
          shown(whole) + " or more: the share of the nodes that sense everything");
    }
    const std::string by = ", by masks[" + std::to_string(i) + "]";
    if (differ(run.sensed[i], shares / features)) {
      json.at("sensed").items()[i].refuse(shown(shares / features) + by);
    }
    const double cost = cost_of_shares(record.costs, mask);
    if (differ(run.cost[i], cost)) json.at("cost").items()[i].refuse(shown(cost) + by);
  }
}

// In the end a feature is kept if half of the nodes keep it: each of them can keep another one.
void check_kept(const RecordValue& json, const Record& record, const RunRecord& run) {
  const std::size_t too_few = (record.nodes + 1) / 2 - 1;  // nodes for one feature to be kept
  const auto kept = std::count(run.kept.begin(), run.kept.end(), true);
  if (kept == 0 && record.nodes > too_few * record.features.size()) {
    json.at("kept").refuse("one with true in it: each node keeps one feature at least");
  }
  if (static_cast<std::size_t>(kept) < run.kept.size() && share_of_whole(record, run) >= 0.5) {
    json.at("kept").refuse("one of true only: half of the nodes or more sense everything");
  }
}

// The budget that a policy has, or no bound. A node reckons in single precision, and lets pass what
// is a part in 10^5 too much.
double budget_of(const RunRecord& run) {
  const PruningConfig pruning = parse_policies({run.policy}, 0, {}).front().pruning;
  constexpr double kPassed = 1e-4;
  return pruning.rule == PruningRule::budget ? (1 + kPassed) * static_cast<double>(pruning.budget)
                                             : std::numeric_limits<double>::infinity();
}

// What masks may cost from one checkpoint to the next, sum over the nodes.
class MaskCosts {
 public:
  MaskCosts(const Record& record, const RunRecord& run)
      : nodes_(static_cast<double>(record.nodes)),
        never_ranked_(std::round(nodes_ * share_of_whole(record, run))),
        all_(cost_of(record.costs, std::vector<bool>(record.features.size(), true))),
        cheapest_(cheapest_unit(record.costs, record.features.size())),
        dearest_(std::min(all_, budget_of(run))),
        kept_(cost_of(record.costs, run.kept)),
        waiting_(nodes_) {}

  double least() const { return never_ranked_ * all_ + (nodes_ - never_ranked_) * cheapest_; }
  double most() const { return waiting_ * all_ + (nodes_ - waiting_) * dearest_; }
  // In the end at least half of the nodes pay for what is kept, and fewer for what is not.
  double least_kept() const { return std::max(least(), kept_ * half()); }
  double most_kept() const {
    return std::min(most(), kept_ * nodes_ + (all_ - kept_) * (half() - 1));
  }

  // A node that has ranked has a mask by ranking from then on.
  void saw(double cost) {
    constexpr double kSlack = 1e-3;  // of a node
    if (all_ <= cheapest_) return;
    const double dear = (cost - nodes_ * cheapest_) / (all_ - cheapest_);
    waiting_ = std::min(waiting_, std::floor(dear + kSlack));
  }
  void end() { waiting_ = std::min(waiting_, never_ranked_); }

 private:
  double half() const { return std::ceil(nodes_ / 2); }

  double nodes_, never_ranked_;
  double all_, cheapest_, dearest_;  // the latter: of a mask by ranking
  double kept_;
  double waiting_;  // nodes that may not have ranked yet
};

// A node's mask has one unit at least, and everything until it has ranked.
void check_mask_costs(const RecordValue& json, const Record& record, const RunRecord& run) {
  const auto nodes = static_cast<double>(record.nodes);
  MaskCosts costs(record, run);
  for (std::size_t i = 0; i < run.mask_cost.size(); ++i) {
    const bool last = i + 1 == run.mask_cost.size();
    if (last) costs.end();
    const double least = (last ? costs.least_kept() : costs.least()) / nodes;
    const double most = (last ? costs.most_kept() : costs.most()) / nodes;
    costs.saw(run.mask_cost[i] * nodes);
    if (!is_below(run.mask_cost[i], least) && !is_below(most, run.mask_cost[i])) continue;
    json.at("mask_cost")
        .items()[i]
        .refuse("from " + shown(least) + " to " + shown(most) +
                ", by policy, costs, kept and the nodes that never ranked");
  }
}

}  // namespace

void check_masks(const RecordValue& json, const Record& record, const RunRecord& run) {
  check_shares(json, record, run);
  check_kept(json, record, run);
  check_mask_costs(json, record, run);
}

}  // namespace whittle::cli
