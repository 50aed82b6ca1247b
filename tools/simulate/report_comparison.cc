#include "tools/simulate/report_comparison.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tools/simulate/charts.h"
#include "tools/simulate/markup.h"
#include "tools/simulate/report.h"

namespace whittle::simulate {
namespace {

std::string summary(const Record& record) {
  std::vector<std::string> columns = {
      "run",         "accuracy", "last third",   "sensed", "last third",      "on the line",
      "bytes saved", "energy",   "energy saved", "alarms", "recovered after", "stability"};
  if (record.costs.given()) columns.emplace_back("cost of a sample");
  Table table(columns);
  const RunRecord& all = record.runs.front();
  for (const RunRecord& run : record.runs) {
    std::vector<std::string> cells = {run_name(run),
                                      percent(run.mean_accuracy),
                                      percent(run.late_accuracy),
                                      percent(run.mean_sensed),
                                      percent(run.late_sensed),
                                      with_unit(run.total_bytes, "B"),
                                      percent(1 - run.total_bytes / all.total_bytes),
                                      with_unit(run.total_energy, "J"),
                                      percent(1 - run.total_energy / all.total_energy),
                                      std::to_string(run.alarms.size()),
                                      decimal(run.recovery, 0),
                                      decimal(run.stability, 2)};
    if (record.costs.given()) cells.push_back(number(run.mean_cost));
    table.add(std::move(cells));
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
  std::vector<Series> accuracy, sensed, energy, bytes, cost, mask_cost;
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
    cost.push_back({run_name(run), run.cost, i});
    mask_cost.push_back({run_name(run), run.mask_cost, i});
  }
  const auto axes = [&](const char* title, const char* y, bool from_zero) {
    return Axes{
        title, "samples of each node", y, from_zero, false, static_cast<double>(record.drift_at)};
  };
  const std::vector<double> x(record.checkpoints.begin(), record.checkpoints.end());
  std::string out =
      "<h2>Over time</h2>\n<div class=\"charts\">" +
      line_chart(axes("Accuracy", "%, mean of three checkpoints", false), x, accuracy) +
      line_chart(axes("Features sensed", "%", true), x, sensed) +
      line_chart(axes("Energy of a sample", "µJ", true), x, energy) +
      line_chart(axes("Bytes of a sample, both ways", "bytes", true), x, bytes);
  if (record.costs.given()) {
    out +=
        line_chart(axes("Cost of the mask in force", "mean over the nodes", true), x, mask_cost) +
        line_chart(axes("Cost of a sample, probes too", "mean", true), x, cost);
  }
  return out + "</div>\n";
}

}  // namespace

std::string comparison(const Record& record) {
  return summary(record) + savings(record) + over_time(record);
}

}  // namespace whittle::simulate
