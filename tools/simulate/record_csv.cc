#include "tools/simulate/record_csv.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace whittle::simulate {
namespace {

// One row after the other; a cell that is NaN stays empty.
class Csv {
 public:
  Csv& operator<<(std::string_view cell) {
    start_cell();
    if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
      text_ += cell;
      return *this;
    }
    text_ += '"';
    for (const char c : cell) {
      if (c == '"') text_ += '"';
      text_ += c;
    }
    text_ += '"';
    return *this;
  }
  Csv& operator<<(double cell) {
    start_cell();
    if (std::isnan(cell)) return *this;
    char digits[64];
    const auto end =
        std::to_chars(digits, digits + sizeof digits, cell, std::chars_format::general, 6).ptr;
    text_.append(digits, end);
    return *this;
  }
  Csv& operator<<(std::uint64_t cell) { return *this << std::to_string(cell); }
  void end_row() {
    text_ += '\n';
    fresh_ = true;
  }
  const std::string& text() const { return text_; }

 private:
  void start_cell() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }
  std::string text_;
  bool fresh_ = true;
};

template <typename... Cells>
void row(Csv& csv, const Cells&... cells) {
  (csv << ... << cells);
  csv.end_row();
}

// With a cell for each feature behind the others.
template <typename Features, typename... Cells>
void row_of_features(Csv& csv, const Features& features, const Cells&... cells) {
  (csv << ... << cells);
  for (const auto& feature : features) csv << feature;
  csv.end_row();
}

std::string series_csv(const Record& record) {
  Csv csv;
  row(csv, "selector", "policy", "sample", "accuracy", "sensed", "bytes", "joules", "cost",
      "mask_cost");
  for (const RunRecord& run : record.runs) {
    for (std::size_t i = 0; i < record.checkpoints.size(); ++i) {
      row(csv, run.selector, run.policy, std::uint64_t{record.checkpoints[i]}, run.accuracy[i],
          run.sensed[i], run.bytes[i], run.energy[i], run.cost[i], run.mask_cost[i]);
    }
  }
  return csv.text();
}

std::string by_feature_csv(const Record& record,
                           std::vector<std::vector<double>> RunRecord::*series) {
  Csv csv;
  row_of_features(csv, record.features, "selector", "policy", "sample");
  for (const RunRecord& run : record.runs) {
    for (std::size_t i = 0; i < record.checkpoints.size(); ++i) {
      row_of_features(csv, (run.*series)[i], run.selector, run.policy,
                      std::uint64_t{record.checkpoints[i]});
    }
  }
  return csv.text();
}

std::string ranks_csv(const Record& record) { return by_feature_csv(record, &RunRecord::ranks); }

std::string masks_csv(const Record& record) { return by_feature_csv(record, &RunRecord::masks); }

std::string features_csv(const Record& record) {
  Csv csv;
  row(csv, "selector", "policy", "feature", "score", "kept", "group", "cost", "group_cost",
      "microjoules");
  const FeatureCosts& costs = record.costs;
  for (const RunRecord& run : record.runs) {
    for (std::size_t r = 0; r < record.features.size(); ++r) {
      row(csv, run.selector, run.policy, record.features[r], run.scores[r],
          run.kept[r] ? "true" : "false", costs.group_name(r), costs.cost_of(r),
          costs.group_of(r) == kOwnUnit ? 0.0 : costs.group_cost[costs.group_of(r)],
          sensing_energy(costs, record.energy, r));
    }
  }
  return csv.text();
}

std::string nodes_csv(const Record& record) {
  Csv csv;
  row(csv, "selector", "policy", "node", "samples", "received", "dropped", "labels", "late_labels",
      "alarms", "arena_bytes", "sensed", "joules", "stability", "up_frames", "up_lost", "up_resent",
      "up_duplicates", "up_bytes", "down_frames", "down_lost", "down_resent", "down_duplicates",
      "down_bytes", "unranked", "lacks", "unscaled", "flat");
  for (const RunRecord& run : record.runs) {
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      const NodeRecord& node = run.nodes[i];
      row(csv, run.selector, run.policy, std::uint64_t{i + 1}, node.samples, node.received,
          node.dropped, node.labels, node.late_labels, node.alarms, node.arena_bytes, node.sensed,
          node.energy, node.stability, node.up.frames, node.up.lost, node.up.resent,
          node.up.duplicates, node.up.bytes, node.down.frames, node.down.lost, node.down.resent,
          node.down.duplicates, node.down.bytes, node.unranked.reason,
          lack_name(node.unranked.lack), std::uint64_t{node.unscaled}, node.flat);
    }
  }
  return csv.text();
}

std::string alarms_csv(const Record& record) {
  Csv csv;
  row(csv, "selector", "policy", "node", "sample");
  for (const RunRecord& run : record.runs) {
    for (const Alarm& alarm : run.alarms) {
      row(csv, run.selector, run.policy, std::uint64_t{alarm.node + 1},
          std::uint64_t{alarm.sample + 1});
    }
  }
  return csv.text();
}

struct Writer {
  const char* name;
  const char* content;
  std::string (*write)(const Record& record);
};

constexpr Writer kWriters[] = {
    {"summary.csv", "one row per run", summary_csv},
    {"series.csv", "accuracy, features sensed, bytes and energy over time", series_csv},
    {"ranks.csv", "rank of every feature over time, mean over the nodes", ranks_csv},
    {"masks.csv", "share of the samples that have a feature, over time", masks_csv},
    {"features.csv", "scores and what is kept, in the end", features_csv},
    {"nodes.csv", "nodes and their lines", nodes_csv},
    {"alarms.csv", "alarms of drift", alarms_csv},
};

}  // namespace

std::string summary_csv(const Record& record) {
  Csv csv;
  row(csv, "selector", "policy", "accuracy", "late_accuracy", "sensed", "late_sensed", "bytes",
      "bytes_saved", "joules", "energy_saved", "alarms", "recovery", "stability", "cost");
  const RunRecord& all = record.runs.front();
  for (const RunRecord& run : record.runs) {
    row(csv, run.selector, run.policy, run.mean_accuracy, run.late_accuracy, run.mean_sensed,
        run.late_sensed, run.total_bytes, 1 - run.total_bytes / all.total_bytes, run.total_energy,
        1 - run.total_energy / all.total_energy, std::uint64_t{run.alarms.size()}, run.recovery,
        run.stability, run.mean_cost);
  }
  return csv.text();
}

std::vector<std::string> csv_names() {
  std::vector<std::string> names;
  for (const Writer& writer : kWriters) names.emplace_back(writer.name);
  return names;
}

std::vector<CsvFile> csv_files(const Record& record) {
  std::vector<CsvFile> files;
  for (const Writer& writer : kWriters) {
    files.push_back({writer.name, writer.content, writer.write(record)});
  }
  return files;
}

}  // namespace whittle::simulate
