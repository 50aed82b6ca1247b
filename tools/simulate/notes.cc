#include "tools/simulate/notes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "tools/simulate/markup.h"
#include "tools/simulate/report.h"

namespace whittle::simulate {
namespace {

using Nodes = std::vector<std::size_t>;

constexpr std::size_t kShown = 8;
constexpr double kManyDropped = 0.1;  // of its readings, by a node

constexpr char kUnrankedAdvice[] =
    "what may help nodes that never rank: more or sooner labels (--label-rate, --label-delay), "
    "rows in another order, more of them a node (--nodes), an earlier first mask (--prune "
    "warm_up=N, update_every=N)";
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

void add_unranked(const RunRecord& run, Trouble* trouble) {
  std::map<std::string, Nodes> by_reason;
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    if (!run.nodes[i].unranked.empty()) by_reason[run.nodes[i].unranked].push_back(i);
  }
  for (const auto& [reason, nodes] : by_reason) {
    trouble->notes.push_back(some_nodes(run, nodes) +
                             "never ranked and sensed everything: " + reason);
  }
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

}  // namespace

std::vector<Trouble> troubles(const Record& record) {
  std::vector<Trouble> all = {{{}, kUnrankedAdvice}, {{}, kDroppedAdvice}, {{}, kUnlabelledAdvice}};
  for (const RunRecord& run : record.runs) {
    add_unranked(run, &all[0]);
    add_dropped(run, &all[1]);
  }
  add_unlabelled(record, &all[2]);
  const auto none = [](const Trouble& trouble) { return trouble.notes.empty(); };
  all.erase(std::remove_if(all.begin(), all.end(), none), all.end());
  return all;
}

}  // namespace whittle::simulate
