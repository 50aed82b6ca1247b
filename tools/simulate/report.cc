#include "tools/simulate/report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/simulate/charts.h"
#include "tools/simulate/markup.h"
#include "tools/simulate/record_csv.h"
#include "tools/simulate/report_style.h"

namespace whittle::simulate {
namespace {

constexpr std::size_t kFeaturesShown = 30;
constexpr std::size_t kLinesShown = 8;

std::vector<double> positions(const Record& record) {
  return {record.checkpoints.begin(), record.checkpoints.end()};
}

std::string summary(const Record& record) {
  Table table({"run", "accuracy", "last third", "sensed", "last third", "on the line",
               "bytes saved", "energy", "energy saved", "alarms", "recovered after", "stability"});
  const RunRecord& all = record.runs.front();
  for (const RunRecord& run : record.runs) {
    table.add({run_name(run), percent(run.mean_accuracy), percent(run.late_accuracy),
               percent(run.mean_sensed), percent(run.late_sensed), with_unit(run.total_bytes, "B"),
               percent(1 - run.total_bytes / all.total_bytes), with_unit(run.total_energy, "J"),
               percent(1 - run.total_energy / all.total_energy), std::to_string(run.alarms.size()),
               decimal(run.recovery, 0), decimal(run.stability, 2)});
  }
  return "<h2>What it saves, and what it costs</h2>\n" + table.html() +
         "<p>Accuracy is the host's: each sample gets the class of the nearest of the newest 200 "
         "labelled ones, over what was sensed, before its own label is known. Sensed: the mean "
         "share of the features. Saved: against the run with all features. Recovered after: "
         "samples of a node from the drift until the accuracy is no more than 2 points below that "
         "with all features. Stability: Nogueira's, 1 where masks do not change.</p>\n";
}

std::string savings(const Record& record) {
  const RunRecord& all = record.runs.front();
  std::vector<Point> energy, bytes;
  for (std::size_t i = 0; i < record.runs.size(); ++i) {
    const RunRecord& run = record.runs[i];
    const double accuracy = 100 * run.mean_accuracy;
    energy.push_back({run_name(run), 100 * (1 - run.total_energy / all.total_energy), accuracy, i});
    bytes.push_back({run_name(run), 100 * (1 - run.total_bytes / all.total_bytes), accuracy, i});
  }
  return "<div class=\"charts\">" +
         scatter_chart({"Energy saved against accuracy", "energy saved, %", "accuracy, %"},
                       energy) +
         scatter_chart({"Bytes saved against accuracy", "bytes saved, %", "accuracy, %"}, bytes) +
         "</div>\n";
}

// Mean over a few neighbours, so that a line can be followed.
std::vector<double> smoothed(const std::vector<double>& series) {
  std::vector<double> out;
  for (std::size_t i = 0; i < series.size(); ++i) {
    double sum = 0, count = 0;
    for (std::size_t k = i < 1 ? 0 : i - 1; k < std::min(series.size(), i + 2); ++k) {
      if (std::isnan(series[k])) continue;
      sum += series[k];
      ++count;
    }
    out.push_back(count > 0 ? sum / count : std::nan(""));
  }
  return out;
}

std::string over_time(const Record& record) {
  std::vector<Series> accuracy, sensed, energy, bytes;
  for (std::size_t i = 0; i < record.runs.size(); ++i) {
    const RunRecord& run = record.runs[i];
    std::vector<double> per_cent = smoothed(run.accuracy), shares = run.sensed;
    std::vector<double> per_sample, per_sample_bytes;
    for (double& value : per_cent) value *= 100;
    for (double& value : shares) value *= 100;
    for (std::size_t k = 0; k < record.checkpoints.size(); ++k) {
      const auto samples = static_cast<double>(
          record.nodes * (record.checkpoints[k] - (k == 0 ? 0 : record.checkpoints[k - 1])));
      per_sample.push_back(1e6 * run.energy[k] / samples);
      per_sample_bytes.push_back(run.bytes[k] / samples);
    }
    accuracy.push_back({run_name(run), std::move(per_cent), i});
    sensed.push_back({run_name(run), std::move(shares), i});
    energy.push_back({run_name(run), std::move(per_sample), i});
    bytes.push_back({run_name(run), std::move(per_sample_bytes), i});
  }
  const auto axes = [&](const char* title, const char* y, bool from_zero) {
    return Axes{
        title, "samples of each node", y, from_zero, false, static_cast<double>(record.drift_at)};
  };
  const std::vector<double> x = positions(record);
  return "<h2>Over time</h2>\n<div class=\"charts\">" +
         line_chart(axes("Accuracy", "%, mean of three checkpoints", false), x, accuracy) +
         line_chart(axes("Features sensed", "%", true), x, sensed) +
         line_chart(axes("Energy of a sample", "µJ", true), x, energy) +
         line_chart(axes("Bytes of a sample, both ways", "bytes", true), x, bytes) + "</div>\n";
}

double last_rank(const RunRecord& run, std::size_t feature) {
  return run.ranks.empty() ? std::nan("") : run.ranks.back()[feature];
}

// Features, best first by their rank in the end.
std::vector<std::size_t> by_rank(const Record& record, const RunRecord& run) {
  std::vector<std::size_t> order(record.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double first = last_rank(run, a), second = last_rank(run, b);
    return std::isnan(second) ? !std::isnan(first) : first < second;
  });
  return order;
}

std::string one_run(const Record& record, const RunRecord& run) {
  std::vector<std::size_t> order = by_rank(record, run);
  const std::size_t shown = std::min(order.size(), kFeaturesShown);
  const std::vector<double> x = positions(record);
  std::vector<Band> bands;
  std::vector<Bar> bars;
  std::vector<Series> ranks;
  for (std::size_t place = 0; place < shown; ++place) {
    const std::size_t feature = order[place];
    std::vector<double> shares, rank;
    for (const auto& mask : run.masks) shares.push_back(mask[feature]);
    for (const auto& row : run.ranks) rank.push_back(row[feature]);
    bands.push_back({record.features[feature], std::move(shares)});
    bars.push_back({record.features[feature], run.scores[feature], run.kept[feature]});
    if (place < kLinesShown) ranks.push_back({record.features[feature], std::move(rank), place});
  }
  std::vector<double> alarms;
  for (const Alarm& alarm : run.alarms) alarms.push_back(static_cast<double>(alarm.sample));
  Axes axes{"Mask over time",
            "samples of each node",
            "",
            false,
            true,
            static_cast<double>(record.drift_at),
            std::move(alarms)};
  std::string out = "<h3>" + escaped(run_name(run)) + "</h3>\n<div class=\"charts\">" +
                    band_chart(axes, x, bands);
  axes.title = "Rank over time, of the best in the end";
  axes.y = "rank, mean over the nodes";
  out += line_chart(axes, x, ranks);
  out +=
      bar_chart({"Scores in the end, best first; ✓ kept", "score, mean over the nodes", ""}, bars);
  out += "</div>\n";
  if (shown < order.size()) {
    out += "<p>The best " + std::to_string(shown) + " of " + std::to_string(order.size()) +
           " features; the CSV files below have all.</p>\n";
  }
  return out;
}

std::string runs(const Record& record) {
  std::string out = "<h2>Masks, ranks and scores</h2>\n";
  for (const RunRecord& run : record.runs) {
    if (&run != &record.runs.front()) out += one_run(record, run);
  }
  return out + "<p>A triangle at the top: a node's alarm of drift.</p>\n";
}

std::string alarms(const Record& record) {
  std::string out = "<h2>Alarms</h2>\n";
  bool any = false;
  for (const RunRecord& run : record.runs) {
    if (run.alarms.empty()) continue;
    any = true;
    out += "<p><strong>" + escaped(run_name(run)) + "</strong>:";
    std::vector<Alarm> listed = run.alarms;
    const std::size_t shown = std::min<std::size_t>(listed.size(), 24);
    for (std::size_t i = 0; i < shown; ++i) {
      out += (i == 0 ? " node " : "; node ") + std::to_string(listed[i].node + 1) + " at sample " +
             std::to_string(listed[i].sample + 1);
    }
    if (shown < listed.size()) out += " and " + std::to_string(listed.size() - shown) + " more";
    out += "</p>\n";
  }
  return out + (any ? "" : "<p>No node raised one.</p>\n");
}

std::string nodes(const Record& record) {
  std::string out = "<h2>Nodes and their lines</h2>\n";
  for (const RunRecord& run : record.runs) {
    Table table({"node", "samples", "received", "labels", "too late", "sensed", "energy", "arena",
                 "frames up", "lost", "sent again", "twice", "frames down", "lost", "alarms"});
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      const NodeRecord& node = run.nodes[i];
      table.add({"node " + std::to_string(i + 1), std::to_string(node.samples),
                 std::to_string(node.received), std::to_string(node.labels),
                 std::to_string(node.late_labels), percent(node.sensed),
                 with_unit(node.energy, "J"), with_unit(static_cast<double>(node.arena_bytes), "B"),
                 std::to_string(node.up.frames), std::to_string(node.up.lost),
                 std::to_string(node.up.resent), std::to_string(node.up.duplicates),
                 std::to_string(node.down.frames), std::to_string(node.down.lost),
                 std::to_string(node.alarms)});
    }
    out += "<h3>" + escaped(run_name(run)) + "</h3>\n" + table.html();
  }
  return out +
         "<p>Received: samples at the host, each once. Too late: labels whose sample the node "
         "held no more, or never held. Twice: frames that had come already, since their "
         "acknowledgement was lost; they do not count.</p>\n";
}

std::string settings(const Record& record) {
  std::string out = "<h2>Settings</h2>\n<dl>\n";
  const auto add = [&](const std::string& name, const std::string& value) {
    out += "<dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd>\n";
  };
  for (const auto& [name, value] : record.settings) add(name, value);
  const EnergyModel& energy = record.energy;
  add("energy, " + energy.name, decimal(energy.sample, 3) + " µJ a sample, " +
                                    decimal(energy.feature, 3) + " µJ a feature, " +
                                    decimal(energy.byte_up, 3) + " µJ a byte sent, " +
                                    decimal(energy.byte_down, 3) + " µJ a byte received");
  add("source of these numbers", energy.source);
  return out + "</dl>\n";
}

std::string downloads(const Record& record) {
  std::string out = "<section class=\"screen\"><h2>The numbers</h2>\n<ul>";
  for (const CsvFile& file : csv_files(record)) {
    out += "<li><a download=\"" + file.name + "\" href=\"data:text/csv;base64," +
           base64(file.text) + "\">" + file.name + "</a>: " + escaped(file.content) + "</li>\n";
  }
  return out + "</ul></section>\n";
}

}  // namespace

std::string run_name(const RunRecord& run) {
  if (run.policy == "all") return "all features";
  return run.policy == "random" ? "random features" : run.selector + ", " + run.policy;
}

std::string report_page(const Record& record) {
  const std::string title = "Pruning " + escaped(record.data);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>" +
      title + "</title>\n<style>" + kReportStyle + "</style></head>\n<body>\n<main>\n<h1>" + title +
      "</h1>\n<p>A simulation of " + std::to_string(record.nodes) + " nodes, " +
      std::to_string(record.samples) + " samples each, " + std::to_string(record.features.size()) +
      " features, " + std::to_string(record.classes.size()) + " classes";
  if (record.drift_at > 0) {
    page += "; the readings change abruptly at sample " + std::to_string(record.drift_at) +
            " of each node";
  }
  page += ".</p>\n" + summary(record) + savings(record) + over_time(record) + runs(record) +
          alarms(record) + nodes(record) + settings(record) + downloads(record);
  return page + "</main>\n</body></html>\n";
}

std::string summary_table(const Record& record) {
  const std::vector<std::string> head = {"run",    "accuracy",       "last third",
                                         "sensed", "bytes saved",    "energy saved",
                                         "alarms", "recovered after"};
  std::vector<std::vector<std::string>> rows = {head};
  const RunRecord& all = record.runs.front();
  for (const RunRecord& run : record.runs) {
    rows.push_back({run_name(run), percent(run.mean_accuracy), percent(run.late_accuracy),
                    percent(run.mean_sensed), percent(1 - run.total_bytes / all.total_bytes),
                    percent(1 - run.total_energy / all.total_energy),
                    std::to_string(run.alarms.size()), decimal(run.recovery, 0)});
  }
  std::string out;
  for (auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == "–") row[i] = "-";
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, other[i].size());
      const std::string room(width - std::min(width, row[i].size()), ' ');
      out += i == 0 ? row[i] + room : "  " + room + row[i];
    }
    out += '\n';
  }
  return out;
}

}  // namespace whittle::simulate
