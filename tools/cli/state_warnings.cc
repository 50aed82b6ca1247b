#include "tools/cli/state_warnings.h"

#include "whittle/node/snapshot_header.h"
#include "whittle/node/text.h"

namespace whittle::cli {
namespace {

constexpr char kTooSmall[] = "arena too small";  // how such a refusal begins

}  // namespace

// "": it holds a whole snapshot, or has never held one.
std::string StateWarnings::fault_of(unsigned slot) const {
  if (storage_.was_missing(slot)) {
    return storage_.was_missing(1 - slot) ? "" : "was missing, and has been made anew";
  }
  const std::uint64_t bytes = storage_.file_bytes(slot);
  if (bytes == 0) return "is empty";
  SnapshotHeader header;
  const Status read =
      storage_.read(slot, 0, {reinterpret_cast<std::uint8_t*>(&header), sizeof header});
  if (!read.ok()) return storage_.failure().substr(storage_.file(slot).size() + 2);
  char text[96];
  const Status status = header.check(identity_, Text(text));
  if (status.code() == StatusCode::not_found) {
    return bytes > kSnapshotHeaderBytes ? "holds a snapshot that was begun and not finished" : "";
  }
  if (bytes < kSnapshotHeaderBytes ||
      (header.whole() && bytes - kSnapshotHeaderBytes < header.body_bytes)) {
    return "has been cut off at " + std::to_string(bytes) + " bytes";
  }
  return status.ok() ? "" : text;
}

void StateWarnings::restored(const Status& status) {
  std::string faults;
  bool told = false;
  const std::string refusal = snapshots_.refusal();
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    const std::string fault = fault_of(slot);
    if (fault.empty()) continue;
    told = told || fault == refusal;
    faults += storage_.file(slot) + ": " + fault + "; ";
  }
  if (!refusal.empty() && !told)
    faults = "newest snapshot not restored: " + refusal + "; " + faults;
  if (faults.empty()) return;
  faults += status.ok() ? "the node goes on from the snapshot that is left"
                        : "the node starts with nothing";
  if (refusal.rfind(kTooSmall, 0) == 0) {
    faults +=
        "; start it again with a larger --arena before its next snapshots take the place of "
        "that one";
  }
  warn(console_, faults);
}

void StateWarnings::look() {
  const std::uint64_t begun = storage_.begun() - begun_;
  const std::uint32_t failed = snapshots_.failed() - failed_;
  begun_ += begun;
  failed_ += failed;
  if (begun > failed) said_ = false;
  if (failed == 0 || said_) return;
  said_ = true;
  const std::string why = storage_.failure();
  warn(console_,
       "snapshot not written: " + (why.empty() ? "it does not read back as it was written" : why) +
           "; said again only once one has been written; whittle info --to counts them");
}

}  // namespace whittle::cli
