#include "tools/cli/snapshot_warnings.h"

namespace whittle::cli {

std::uint32_t failed_between(const whittle_v1_Info& before, const whittle_v1_Info& after,
                             bool restarted) {
  const bool anew = restarted || after.failed_snapshots < before.failed_snapshots;
  return after.failed_snapshots - (anew ? 0 : before.failed_snapshots);
}

void warn_of_snapshots(const SnapshotsOfStream& snapshots, const std::string& address,
                       const Console& console) {
  const bool late = snapshots.durable_seq < snapshots.due_seq;
  if (!late && snapshots.failed == 0) return;
  const std::string failed = std::to_string(snapshots.failed) + " failed";
  std::string text = "of the node's snapshots " + failed + ", the last that was due did not";
  if (late && snapshots.durable_seq < snapshots.first_seq) {
    text = "the node has no snapshot of this stream (" + failed + "): a restart loses all of it";
  } else if (late) {
    text = "the node's last snapshots are missing (" + failed +
           "): a restart loses what came after " + snapshots.durable_row;
  }
  warn(console, text +
                    "; see that the node's storage has room and can be written: the node says "
                    "why it could not, `whittle info --to " +
                    address + "` how often");
}

}  // namespace whittle::cli
