#include "tools/cli/node_rules.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools/cli/rounding.h"
#include "tools/simulate/virtual_node.h"
#include "whittle/wire/frame.h"

namespace whittle::cli {
namespace {

using simulate::LineRecord;
using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;

// What is neither received nor dropped waits, and only for a frame that got lost.
void check_received(const RecordValue& json, const NodeRecord& node) {
  const bool waits = node.up.lost > 0 || node.down.lost > 0;
  const std::uint64_t most = node.samples - node.dropped;
  const std::uint64_t least =
      most - (waits ? std::min<std::uint64_t>(simulate::kKeptReadings, most) : 0);
  if (node.received >= least && node.received <= most) return;
  std::string wanted = std::to_string(most) + ": all samples but those dropped";
  if (waits) {
    wanted = "from " + std::to_string(least) + " to " + wanted + ", and up to " +
             std::to_string(simulate::kKeptReadings) + " that wait";
  }
  json.at("received").refuse(wanted);
}

// `taken`: readings, or labels, that the other end has taken in: each was written once before it
// was written again, and came once before it came again.
void check_line(const RecordValue& json, const LineRecord& line, std::uint64_t taken) {
  if (line.resent > line.frames || taken > line.frames - line.resent) {
    json.at("frames").refuse("no fewer than resent and what came for the first time");
  }
  const std::uint64_t most = std::min(line.resent, line.frames - line.lost - taken);
  if (line.duplicates > most) {
    json.at("duplicates")
        .refuse("no more than " + std::to_string(most) + ": sent again, and not lost");
  }
  // Divided, since a product may overflow.
  if (line.frames > line.bytes / frame_bytes(0) || (line.frames == 0 && line.bytes > 0)) {
    json.at("bytes").refuse(line.frames == 0 ? std::string("0: there are no frames")
                                             : std::to_string(frame_bytes(0)) +
                                                   " or more for each of the frames");
  }
}

struct Rule {
  const char* key;
  bool broken;
  const char* wanted;
};

void check_node(const RecordValue& json, const Record& record, bool ranks, const NodeRecord& node) {
  const bool scales = ranks && record.learn > 0;
  const bool unranked = !node.unranked.reason.empty();
  const Rule rules[] = {
      {"labels", node.late_labels > node.received || node.labels > node.received - node.late_labels,
       "such that, with late_labels, it is no more than received"},
      {"received", node.received > node.up.frames - node.up.lost,
       "no more than the frames up that were not lost"},
      {"labels", node.labels + node.late_labels > node.down.frames - node.down.lost,
       "no more, with late_labels, than the frames down that were not lost"},
      {"unscaled", node.unscaled && !scales, "false: no scale is to be learned"},
      {"flat", node.flat > 0 && (!scales || node.unscaled), "0: no scale has been learned"},
      {"unranked", unranked && !ranks, "null: no node of this policy ranks"},
      {"sensed", unranked && is_below(node.sensed, 1),
       "1: a node that never ranked senses everything"},
      {"stability", unranked && !std::isnan(node.stability),
       "null: a node that never ranked has one mask only"},
  };
  for (const Rule& rule : rules) {
    if (rule.broken) json.at(rule.key).refuse(rule.wanted);
  }
  check_received(json, node);
  check_line(json.at("up"), node.up, node.received);
  check_line(json.at("down"), node.down, node.labels + node.late_labels);
}

void check_alarms(const std::vector<RecordValue>& nodes, const RunRecord& run) {
  std::vector<std::uint64_t> counts(nodes.size());
  for (const simulate::Alarm& alarm : run.alarms) ++counts[alarm.node];
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (run.nodes[i].alarms == counts[i]) continue;
    nodes[i].at("alarms").refuse(std::to_string(counts[i]) +
                                 ": as many as the run has of this node");
  }
}

}  // namespace

bool ranks_features(const RunRecord& run) { return run.policy != "all" && run.policy != "random"; }

void check_nodes(const RecordValue& json, const Record& record, const RunRecord& run) {
  const std::vector<RecordValue> nodes = json.at("nodes").items();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    check_node(nodes[i], record, ranks_features(run), run.nodes[i]);
  }
  check_alarms(nodes, run);
}

}  // namespace whittle::cli
