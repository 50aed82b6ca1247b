#include "tools/simulate/notes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "tools/simulate/lack.h"
#include "tools/simulate/markup.h"
#include "tools/simulate/report.h"

namespace whittle::simulate {
namespace {

using Nodes = std::vector<std::size_t>;

constexpr std::size_t kShown = 8;
constexpr double kManyDropped = 0.1;  // of its readings, by a node

constexpr char kUnscaledAdvice[] =
    "what may help where no scale is learned: a smaller --learn N (in the warm-up, --prune "
    "warm_up=N, every sample is sensed whole), more rows a node (fewer --nodes); --learn 0 if none "
    "is to be";
constexpr char kDroppedAdvice[] =
    "what may help nodes that drop readings: a line that loses less (--loss); what is dropped "
    "never comes to the host, and can have no label";
constexpr char kUnlabelledAdvice[] =
    "what may help where no label comes: a larger --label-rate, a --label-delay of fewer samples "
    "than a node has, more rows a node (--nodes), a line that loses less (--loss)";

// "fisher, top: 2 of 4 nodes (1, 3) "
std::string some_nodes(const RunRecord& run, const Nodes& nodes) {
  std::string out = run_name(run) + ": " + std::to_string(nodes.size()) + " of " +
                    std::to_string(run.nodes.size()) +
                    (run.nodes.size() == 1 ? " node (" : " nodes (");
  const std::size_t shown = std::min(nodes.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) {
    out += (i == 0 ? "" : ", ") + std::to_string(nodes[i] + 1);
  }
  return out + (shown < nodes.size() ? ", ...) " : ") ");
}

void add_unranked(const RunRecord& run, Lack lack, Trouble* trouble) {
  std::map<std::string, Nodes> by_reason;
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const Unranked& unranked = run.nodes[i].unranked;
    if (unranked.lack == lack) by_reason[unranked.reason].push_back(i);
  }
  for (const auto& [reason, nodes] : by_reason) {
    trouble->notes.push_back(some_nodes(run, nodes) +
                             "never ranked and sensed everything: " + reason);
  }
}

void add_flat(const RunRecord& run, Trouble* trouble) {
  Nodes nodes;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const NodeRecord& node = run.nodes[i];
    if (node.flat == 0 || node.unranked.lack != Lack::nothing) continue;
    nodes.push_back(i);
    most = std::max(most, node.flat);
  }
  if (nodes.empty()) return;
  trouble->notes.push_back(some_nodes(run, nodes) + "took features for constant, up to " +
                           std::to_string(most) +
                           ", that vary, but not where the scale was learned");
}

void add_unscaled(const Record& record, Trouble* trouble) {
  const std::string learn = "--learn " + std::to_string(record.learn) + ": ";
  bool any = false;
  for (const RunRecord& run : record.runs) {
    Nodes nodes;
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      if (run.nodes[i].unscaled) nodes.push_back(i);
    }
    any = any || !nodes.empty();
    if (nodes.empty() || record.learn > record.samples) continue;
    trouble->notes.push_back(learn + some_nodes(run, nodes) +
                             "learned from fewer samples (most selectors learn from whole ones "
                             "only); nothing is scaled there");
  }
  if (!any || record.learn <= record.samples) return;
  trouble->notes.push_back(learn + "each node has only " + std::to_string(record.samples) +
                           (record.samples == 1 ? " sample" : " samples") + "; nothing is scaled");
}

void add_dropped(const RunRecord& run, Trouble* trouble) {
  Nodes nodes;
  std::uint64_t dropped = 0, samples = 0;
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const NodeRecord& node = run.nodes[i];
    if (static_cast<double>(node.dropped) <= kManyDropped * static_cast<double>(node.samples)) {
      continue;
    }
    nodes.push_back(i);
    dropped += node.dropped;
    samples += node.samples;
  }
  if (nodes.empty()) return;
  trouble->notes.push_back(some_nodes(run, nodes) + "dropped " + std::to_string(dropped) + " of " +
                           std::to_string(samples) + " readings (" +
                           percent(static_cast<double>(dropped) / static_cast<double>(samples)) +
                           "): the line loses too many frames");
}

void add_unlabelled(const Record& record, Trouble* trouble) {
  if (record.classes.empty()) return;
  const auto unlabelled = [](const RunRecord& run) {
    return std::all_of(run.nodes.begin(), run.nodes.end(),
                       [](const NodeRecord& node) { return node.labels + node.late_labels == 0; });
  };
  const auto count = std::count_if(record.runs.begin(), record.runs.end(), unlabelled);
  if (count == 0) return;
  trouble->notes.push_back(
      "in " + std::to_string(count) + " of " + std::to_string(record.runs.size()) +
      (record.runs.size() == 1 ? " run" : " runs") + " no label came to any node: 0 of " +
      std::to_string(record.nodes * record.samples) + " samples had one");
}

Trouble* open(const char* advice, std::vector<Trouble>* all) {
  all->emplace_back();
  all->back().advice = advice;
  return &all->back();
}

}  // namespace

std::vector<Trouble> troubles(const Record& record) {
  std::vector<Trouble> all;
  for (const LackType& lack : kLacks) {
    Trouble* const trouble = open(lack.advice, &all);
    for (const RunRecord& run : record.runs) {
      add_unranked(run, lack.lack, trouble);
      if (lack.lack == Lack::scale) add_flat(run, trouble);
    }
  }
  add_unscaled(record, open(kUnscaledAdvice, &all));
  Trouble* const dropped = open(kDroppedAdvice, &all);
  for (const RunRecord& run : record.runs) add_dropped(run, dropped);
  add_unlabelled(record, open(kUnlabelledAdvice, &all));
  const auto none = [](const Trouble& trouble) { return trouble.notes.empty(); };
  all.erase(std::remove_if(all.begin(), all.end(), none), all.end());
  return all;
}

}  // namespace whittle::simulate
