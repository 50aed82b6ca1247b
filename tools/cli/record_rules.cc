#include "tools/cli/record_rules.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "tools/cli/text.h"
#include "tools/simulate/report.h"
#include "tools/simulate/series.h"

namespace whittle::cli {
namespace {

using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;
using Series = std::vector<double>;

constexpr double kRounding = 1e-6;  // relative, of sums in another order

std::string shown(double value) {
  return std::isnan(value) ? "null" : RecordValue::Json(value).dump();
}

bool differ(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  return std::fabs(a - b) > kRounding * std::max(std::fabs(a), std::fabs(b));
}

double sum(const Series& series) { return std::accumulate(series.begin(), series.end(), 0.0); }

// Each checkpoint counts as often as it has samples.
double mean_of_samples(const Record& record, const Series& series) {
  double total = 0;
  std::size_t before = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    total += series[i] * static_cast<double>(record.checkpoints[i] - before);
    before = record.checkpoints[i];
  }
  return total / static_cast<double>(before);
}

double bytes_of_nodes(const Record&, const RunRecord& run) {
  std::uint64_t bytes = 0;
  for (const NodeRecord& node : run.nodes) bytes += node.up.bytes + node.down.bytes;
  return static_cast<double>(bytes);
}

double joules_of_nodes(const Record&, const RunRecord& run) {
  double joules = 0;
  for (const NodeRecord& node : run.nodes) joules += node.energy;
  return joules;
}

struct Total {
  const char* key;
  double RunRecord::*value;
  const char* what;
  double (*right)(const Record& record, const RunRecord& run);
};

constexpr Total kTotals[] = {
    {"total_bytes", &RunRecord::total_bytes, "the sum of bytes",
     [](const Record&, const RunRecord& run) { return sum(run.bytes); }},
    {"total_bytes", &RunRecord::total_bytes, "the bytes of its nodes, up and down", bytes_of_nodes},
    {"total_joules", &RunRecord::total_energy, "the sum of joules",
     [](const Record&, const RunRecord& run) { return sum(run.energy); }},
    {"total_joules", &RunRecord::total_energy, "the joules of its nodes", joules_of_nodes},
    {"mean_sensed", &RunRecord::mean_sensed, "the mean of sensed over the samples",
     [](const Record& record, const RunRecord& run) {
       return mean_of_samples(record, run.sensed);
     }},
    {"late_sensed", &RunRecord::late_sensed, "the mean of sensed over the last third",
     [](const Record& record, const RunRecord& run) { return late_mean(record, run.sensed); }},
    {"late_accuracy", &RunRecord::late_accuracy, "the mean of accuracy over the last third",
     [](const Record& record, const RunRecord& run) { return late_mean(record, run.accuracy); }},
    {"mean_cost", &RunRecord::mean_cost, "the mean of cost over the samples",
     [](const Record& record, const RunRecord& run) { return mean_of_samples(record, run.cost); }},
};

void check_totals(const RecordValue& json, const Record& record, const RunRecord& run) {
  for (const Total& total : kTotals) {
    const double right = total.right(record, run);
    if (differ(run.*total.value, right)) {
      json.at(total.key).refuse(shown(right) + ", " + total.what);
    }
  }
}

void check_new(const RecordValue& json, const Record& record, const RunRecord& run) {
  for (std::size_t i = 0; i < record.runs.size(); ++i) {
    if (run_name(record.runs[i]) != run_name(run)) continue;
    json.at("policy").refuse("another one: runs[" + std::to_string(i) + "] is of " +
                             in_quotes(run_name(run)) + " already");
  }
}

// A sample senses one feature at least, and so does the mask of a node. In the end a feature is
// kept if half of the nodes keep it: each of them can keep another one.
void check_masks(const RecordValue& json, const Record& record, const RunRecord& run) {
  const auto features = static_cast<double>(record.features.size());
  for (std::size_t i = 0; i < run.masks.size(); ++i) {
    const double shares = sum(run.masks[i]);
    if (shares < 1 - kRounding) {
      json.at("masks").items()[i].refuse(
          "one of shares that sum to 1 or more: a sample senses one feature at least");
    }
    if (differ(run.sensed[i], shares / features)) {
      json.at("sensed").items()[i].refuse(shown(shares / features) + ", the mean of masks[" +
                                          std::to_string(i) + "]");
    }
  }
  const std::size_t too_few = (record.nodes + 1) / 2 - 1;  // nodes for one feature to be kept
  const bool none = std::count(run.kept.begin(), run.kept.end(), true) == 0;
  if (none && record.nodes > too_few * record.features.size()) {
    json.at("kept").refuse("one with true in it: each node keeps one feature at least");
  }
}

// Of one node: each rank once.
void check_order(const RecordValue& json, const Series& ranks) {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (ranks[r] != std::round(ranks[r])) json.items()[r].refuse("a whole number, of one node");
    const auto same = std::find(ranks.begin(), ranks.end(), ranks[r]) - ranks.begin();
    if (static_cast<std::size_t>(same) == r) continue;
    json.items()[r].refuse("a rank that no other feature has: [" + std::to_string(same) +
                           "] has it");
  }
}

// Means of the ranks 1, 2, ... in any orders: the k lowest sum to 1 + ... + k at least, and all of
// them to as much.
void check_mean_ranks(const RecordValue& json, Series ranks) {
  std::sort(ranks.begin(), ranks.end());
  double lowest = 0, least = 0;
  for (std::size_t k = 1; k <= ranks.size(); ++k) {
    lowest += ranks[k - 1];
    least += static_cast<double>(k);
    if (lowest > least - kRounding * least && (k < ranks.size() || !differ(lowest, least)))
      continue;
    json.refuse("one of means of different ranks: its lowest " + std::to_string(k) + " sum to " +
                shown(lowest) + ", must sum to " + shown(least) +
                (k < ranks.size() ? " or more" : ""));
  }
}

void check_ranks(const RecordValue& json, const Record& record, const RunRecord& run) {
  for (std::size_t i = 0; i < run.ranks.size(); ++i) {
    const Series& ranks = run.ranks[i];
    const auto none =
        std::count_if(ranks.begin(), ranks.end(), [](double rank) { return std::isnan(rank); });
    if (static_cast<std::size_t>(none) == ranks.size()) continue;
    const RecordValue row = json.at("ranks").items()[i];
    if (none > 0) row.refuse("one of numbers, or of null only: all features are ranked, or none");
    if (record.nodes == 1) check_order(row, ranks);
    check_mean_ranks(row, ranks);
  }
}

}  // namespace

void check_run(const RecordValue& json, const Record& record, const RunRecord& run) {
  check_new(json, record, run);
  check_totals(json, record, run);
  check_masks(json, record, run);
  check_ranks(json, record, run);
}

}  // namespace whittle::cli
