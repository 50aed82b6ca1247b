#include "tools/cli/record_rules.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tools/cli/energy_rules.h"
#include "tools/cli/error.h"
#include "tools/cli/mask_rules.h"
#include "tools/cli/node_rules.h"
#include "tools/cli/policies.h"
#include "tools/cli/rounding.h"
#include "tools/cli/selectors.h"
#include "tools/cli/text.h"
#include "tools/simulate/means.h"
#include "tools/simulate/recovery.h"
#include "tools/simulate/report.h"
#include "tools/simulate/series.h"

namespace whittle::cli {
namespace {

using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;
using Series = std::vector<double>;

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

double mean_of_nodes(const RunRecord& run, double NodeRecord::*value) {
  simulate::Means means(1);
  for (const NodeRecord& node : run.nodes) means.add({node.*value});
  return means.values().front();
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
    {"mean_sensed", &RunRecord::mean_sensed, "the mean of its nodes",
     [](const Record&, const RunRecord& run) { return mean_of_nodes(run, &NodeRecord::sensed); }},
    {"stability", &RunRecord::stability, "the mean of its nodes",
     [](const Record&, const RunRecord& run) {
       return mean_of_nodes(run, &NodeRecord::stability);
     }},
    {"recovery", &RunRecord::recovery, "by drift_at and accuracy", simulate::recovery_of},
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

void check_names(const RecordValue& json, const Record& record, const RunRecord& run) {
  if (all_selectors().find(run.selector.c_str()) == nullptr) {
    json.at("selector").refuse("a name that `whittle selectors` lists");
  }
  try {
    parse_policies({run.policy}, 0, {});
  } catch (const UsageError&) {
    json.at("policy").refuse(std::string("one of ") + kPolicyHelp);
  }
  for (std::size_t i = 0; i < record.runs.size(); ++i) {
    if (run_name(record.runs[i]) != run_name(run)) continue;
    json.at("policy").refuse("another one: runs[" + std::to_string(i) + "] is of " +
                             in_quotes(run_name(run)) + " already");
  }
}

// Without a label that has come to a node, on lines that lose none, the host knows none either.
bool knows_no_label(const RunRecord& run) {
  return std::all_of(run.nodes.begin(), run.nodes.end(), [](const NodeRecord& node) {
    return node.labels + node.late_labels == 0 && node.up.lost + node.down.lost == 0;
  });
}

const char* why_no_accuracy(const Record& record, const RunRecord& run) {
  const bool any = std::any_of(run.nodes.begin(), run.nodes.end(),
                               [](const NodeRecord& node) { return node.received > 0; });
  if (!any) return "null: no node's samples were received";
  if (record.classes.empty()) return "null: there are no classes";
  return knows_no_label(run) ? "null: no label came to any node" : nullptr;
}

// The weights of its mean, how many samples were told, are not in a record.
void check_accuracy(const RecordValue& json, const Record& record, const RunRecord& run) {
  const char* const none = why_no_accuracy(record, run);
  double least = 1, most = 0;
  for (std::size_t i = 0; i < run.accuracy.size(); ++i) {
    if (std::isnan(run.accuracy[i])) continue;
    if (none != nullptr) json.at("accuracy").items()[i].refuse(none);
    least = std::min(least, run.accuracy[i]);
    most = std::max(most, run.accuracy[i]);
  }
  const double mean = run.mean_accuracy;
  if (least > most) {
    if (!std::isnan(mean)) json.at("mean_accuracy").refuse("null: accuracy has nothing else");
  } else if (std::isnan(mean) || is_below(mean, least) || is_below(most, mean)) {
    json.at("mean_accuracy")
        .refuse("from " + shown(least) + " to " + shown(most) + ", within accuracy");
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

bool not_there(double value) { return std::isnan(value); }

bool is_null(const Series& series) { return std::all_of(series.begin(), series.end(), not_there); }

bool has_null(const Series& series) { return std::any_of(series.begin(), series.end(), not_there); }

// Whether a node ever asks for a ranking.
bool asks(const RunRecord& run) {
  return ranks_features(run) &&
         std::any_of(run.nodes.begin(), run.nodes.end(), [](const NodeRecord& node) {
           return node.unranked.lack != simulate::Lack::samples;
         });
}

void check_ranks(const RecordValue& json, const Record& record, const RunRecord& run) {
  const bool asked = asks(run);
  for (std::size_t r = 0; r < run.scores.size(); ++r) {
    if (std::isnan(run.scores[r])) continue;
    if (!asked) json.at("scores").items()[r].refuse("null: no node of it ranks");
    if (is_null(run.ranks.back())) {
      json.at("scores").items()[r].refuse("null: the last row of ranks has no ranking");
    }
  }
  for (std::size_t i = 0; i < run.ranks.size(); ++i) {
    const Series& ranks = run.ranks[i];
    if (is_null(ranks)) continue;
    const RecordValue row = json.at("ranks").items()[i];
    if (!asked) row.refuse("one of null only: no node of it ranks");
    if (has_null(ranks)) {
      row.refuse("one of numbers, or of null only: all features are ranked, or none");
    }
    if (record.nodes == 1) check_order(row, ranks);
    check_mean_ranks(row, ranks);
  }
}

}  // namespace

void check_run(const RecordValue& json, const Record& record, const RunRecord& run) {
  check_names(json, record, run);
  check_nodes(json, record, run);
  check_masks(json, record, run);
  check_totals(json, record, run);
  check_energy(json, record, run);
  check_accuracy(json, record, run);
  check_ranks(json, record, run);
}

}  // namespace whittle::cli
