#include "snapshots.h"

#ifdef WHITTLE_SEMIHOSTING
#include "ports/cortex_m/build_id.h"
#include "ports/cortex_m/semihosting_storage.h"

// The files sensing.0 and sensing.1 in the emulator's folder. In a product a driver of the chip's
// flash stands in their place (docs/snapshots.md).
whittle::NodeSnapshots* node_snapshots(const char* board) {
  static whittle::ports::SemihostingStorage storage("sensing", 128 * 1024);
  static whittle::NodeSnapshots snapshots(storage, {whittle::ports::build_id(), board});
  return &snapshots;
}
#else
whittle::NodeSnapshots* node_snapshots(const char*) { return nullptr; }
#endif
