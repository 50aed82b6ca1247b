// What a sender should be warned of when the node was to save its state now and then.
#ifndef WHITTLE_TOOLS_CLI_SNAPSHOT_WARNINGS_H_
#define WHITTLE_TOOLS_CLI_SNAPSHOT_WARNINGS_H_

#include <cstdint>
#include <string>

#include "tools/cli/console.h"
#include "tools/client/node_client.h"

namespace whittle::cli {

// How far the node's snapshots have come at the end of a stream.
struct SnapshotsOfStream {
  std::uint32_t failed = 0;     // of those that were due during the stream
  std::uint64_t first_seq = 0;  // of the stream's first message
  std::uint64_t due_seq = 0;    // of the sample after which the last one was due; 0: none was
  std::uint64_t durable_seq = 0;
  std::string durable_row;  // the last row in a snapshot: "room.csv:12"
};

// Snapshots that failed from `before` to `after`; the count starts anew when the node restarts.
std::uint32_t failed_between(const whittle_v1_Info& before, const whittle_v1_Info& after,
                             bool restarted);

// Warns if a snapshot failed: whether a restart of the node would lose rows, and what to do.
void warn_of_snapshots(const SnapshotsOfStream& snapshots, const std::string& address,
                       const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SNAPSHOT_WARNINGS_H_
