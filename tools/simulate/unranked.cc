#include "tools/simulate/unranked.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "tools/simulate/report.h"

namespace whittle::simulate {
namespace {

constexpr std::size_t kShown = 8;

std::string numbers(const std::vector<std::size_t>& nodes) {
  std::string out;
  const std::size_t shown = std::min(nodes.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) {
    out += (i == 0 ? "" : ", ") + std::to_string(nodes[i] + 1);
  }
  return shown < nodes.size() ? out + ", ..." : out;
}

}  // namespace

std::vector<std::string> unranked_notes(const Record& record) {
  std::vector<std::string> notes;
  for (const RunRecord& run : record.runs) {
    std::map<std::string, std::vector<std::size_t>> by_reason;
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      if (!run.nodes[i].unranked.empty()) by_reason[run.nodes[i].unranked].push_back(i);
    }
    for (const auto& [reason, nodes] : by_reason) {
      notes.push_back(run_name(run) + ": " + std::to_string(nodes.size()) + " of " +
                      std::to_string(run.nodes.size()) +
                      (run.nodes.size() == 1 ? " node (" : " nodes (") + numbers(nodes) +
                      ") never ranked and sensed everything: " + reason);
    }
  }
  return notes;
}

}  // namespace whittle::simulate
