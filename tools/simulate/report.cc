#include "tools/simulate/report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/simulate/charts.h"
#include "tools/simulate/markup.h"
#include "tools/simulate/notes.h"
#include "tools/simulate/record_csv.h"
#include "tools/simulate/report_comparison.h"
#include "tools/simulate/report_style.h"

namespace whittle::simulate {
namespace {

constexpr std::size_t kFeaturesShown = 30;
constexpr std::size_t kLinesShown = 8;

std::vector<double> positions(const Record& record) {
  return {record.checkpoints.begin(), record.checkpoints.end()};
}

// With the group that it is in.
std::string feature_name(const Record& record, std::size_t feature) {
  const std::string group = record.costs.group_name(feature);
  return record.features[feature] + (group.empty() ? "" : " · " + group);
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
    const std::string name = feature_name(record, feature);
    bands.push_back({name, std::move(shares)});
    bars.push_back({name, run.scores[feature], run.kept[feature]});
    if (place < kLinesShown) ranks.push_back({name, std::move(rank), place});
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
  if (!std::isnan(last_rank(run, order.front()))) {  // else nothing was ranked
    axes.title = "Rank over time, of the best in the end";
    axes.y = "rank, mean over the nodes";
    out += line_chart(axes, x, ranks);
    out += bar_chart({"Scores in the end, best first; ✓ kept", "score, mean over the nodes", ""},
                     bars);
  }
  out += "</div>\n";
  if (shown < order.size()) {
    out += "<p>The best " + std::to_string(shown) + " of " + std::to_string(order.size()) +
           " features; the CSV files below have all.</p>\n";
  }
  return out;
}

std::string notes(const Record& record) {
  std::string out;
  for (const Trouble& trouble : troubles(record)) {
    for (const std::string& note : trouble.notes) {
      out += "<p><strong>" + escaped(note) + "</strong></p>\n";
    }
    out += "<p>" + escaped(trouble.advice) + "</p>\n";
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
                 "frames up", "lost", "sent again", "twice", "dropped", "frames down", "lost",
                 "alarms"});
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      const NodeRecord& node = run.nodes[i];
      table.add({"node " + std::to_string(i + 1), std::to_string(node.samples),
                 std::to_string(node.received), std::to_string(node.labels),
                 std::to_string(node.late_labels), percent(node.sensed),
                 with_unit(node.energy, "J"), with_unit(static_cast<double>(node.arena_bytes), "B"),
                 std::to_string(node.up.frames), std::to_string(node.up.lost),
                 std::to_string(node.up.resent), std::to_string(node.up.duplicates),
                 std::to_string(node.dropped), std::to_string(node.down.frames),
                 std::to_string(node.down.lost), std::to_string(node.alarms)});
    }
    out += "<h3>" + escaped(run_name(run)) + "</h3>\n" + table.html();
  }
  return out +
         "<p>Received: samples at the host, each once. Too late: labels whose sample the node "
         "held no more, or never held. Sent again: readings and masks that the host had not "
         "acknowledged in time, or missed; twice: those of them that had come already, which do "
         "not count. Dropped: readings for which the node had no more room.</p>\n";
}

std::string costs_table(const Record& record) {
  const FeatureCosts& costs = record.costs;
  if (!costs.given()) return "";
  Table table({"feature", "cost", "group", "its cost", "sensing it"});
  const std::size_t shown = std::min(record.features.size(), kFeaturesShown);
  for (std::size_t r = 0; r < shown; ++r) {
    const std::uint32_t group = costs.group_of(r);
    table.add({record.features[r], number(costs.cost_of(r)), costs.group_name(r),
               group == kOwnUnit ? "" : number(costs.group_cost[group]),
               number(sensing_energy(costs, record.energy, r)) + " µJ"});
  }
  return "<h3>What features cost</h3>\n" + table.html() +
         (shown < record.features.size() ? "<p>features.csv below has all.</p>\n" : "");
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
  return out + "</dl>\n" + costs_table(record);
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
  page += ".</p>\n" + notes(record) + comparison(record) + runs(record) + alarms(record) +
          nodes(record) + settings(record) + downloads(record);
  return page + "</main>\n</body></html>\n";
}

}  // namespace whittle::simulate
