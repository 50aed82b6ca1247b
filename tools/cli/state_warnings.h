// StateWarnings: says on standard error what is wrong with a node's snapshots in files: those it
// finds at the start, and those it cannot write. A node is not stopped by either.
#ifndef WHITTLE_TOOLS_CLI_STATE_WARNINGS_H_
#define WHITTLE_TOOLS_CLI_STATE_WARNINGS_H_

#include <cstdint>
#include <string>

#include "ports/posix/file_storage.h"
#include "tools/cli/console.h"
#include "whittle/base/status.h"
#include "whittle/node/node_snapshots.h"

namespace whittle::cli {

class StateWarnings {
 public:
  // All must outlive it.
  StateWarnings(posix::FileStorage& storage, const NodeSnapshots& snapshots,
                const ProgramIdentity& identity, const Console& console)
      : storage_(storage), snapshots_(snapshots), identity_(identity), console_(console) {}

  // What NodeSnapshots::restore() has found. Nothing to be said of files that were not there yet,
  // nor of those of a node that ended before its first snapshot.
  void restored(const Status& status);

  // After the node has worked: a snapshot that was not written, once until one has been.
  void look();

 private:
  std::string fault_of(unsigned slot) const;

  posix::FileStorage& storage_;
  const NodeSnapshots& snapshots_;
  ProgramIdentity identity_;
  const Console& console_;
  std::uint64_t begun_ = 0;
  std::uint32_t failed_ = 0;
  bool said_ = false;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_STATE_WARNINGS_H_
