// SnapshotHeader: what stands at the front of a slot, written last, so that a slot whose header is
// whole holds a whole snapshot.
//
//   0     header, padded with 0xFF to kSnapshotHeaderBytes
//   256   body: config (a RankerConfig), the application's record, the ranker's image
//         (RankerImage), the application's part (SnapshotPart); all by the layout of the program
//         that wrote it
//
// Only the very same program can read a body, so the header names the program: its build id, and
// for the reader of a refusal the board and the widths of words and Reals.
#ifndef WHITTLE_NODE_SNAPSHOT_HEADER_H_
#define WHITTLE_NODE_SNAPSHOT_HEADER_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/node/text.h"
#include "whittle/rank/ranker_image.h"

namespace whittle {

inline constexpr std::size_t kSnapshotHeaderBytes = 256;
inline constexpr std::uint32_t kSnapshotMagic = 0x50534857;  // "WHSP"
inline constexpr std::uint16_t kSnapshotVersion = 1;

// Which program this is, on which board: `build` differs between any two programs that differ (the
// linker's build id: ports/posix/build_id.h, ports/cortex_m/build_id.h).
struct ProgramIdentity {
  Span<const std::uint8_t> build;
  const char* board = "";
};

struct SnapshotHeader {
  std::uint32_t magic = kSnapshotMagic;
  std::uint16_t version = kSnapshotVersion;
  std::uint8_t word_bytes = sizeof(std::uintptr_t);
  std::uint8_t real_bytes = sizeof(Real);
  std::uint64_t generation = 0;  // of two snapshots, the newer has the larger one
  std::uint64_t seq = 0;
  std::uint64_t state_digest = 0;  // FeatureRanker::state_digest
  std::uint64_t object_at = 0;     // ImagePlace
  std::uint64_t arena_at = 0;
  std::uint64_t program_at = 0;
  std::uint32_t body_bytes = 0;
  std::uint32_t record_bytes = 0;
  std::uint32_t image_bytes = 0;  // 0: there was no ranker
  std::uint32_t body_crc = 0;     // CRC-32 of the body
  std::uint8_t build[20] = {};    // the first bytes of ProgramIdentity::build
  char board[20] = {};
  std::uint32_t part_bytes = 0;  // 0: there was no part
  std::uint32_t crc = 0;         // CRC-32 of all before it

  void name(const ProgramIdentity& identity);
  // Right after all else is.
  void seal();

  // Whether this program, called `here`, can read the snapshot. Errors: not_found (there is none),
  // data_loss (the header is damaged), failed_precondition (another version, program, board or
  // width), and why in `text`, naming both.
  Status check(const ProgramIdentity& here, Text text) const;
  // Whether the header has been written and not changed since.
  bool whole() const;

  ImagePlace place() const {
    return {static_cast<std::uintptr_t>(object_at), static_cast<std::uintptr_t>(arena_at),
            static_cast<std::uintptr_t>(program_at)};
  }
};
static_assert(sizeof(SnapshotHeader) == 120 && sizeof(SnapshotHeader) <= kSnapshotHeaderBytes);

}  // namespace whittle

#endif  // WHITTLE_NODE_SNAPSHOT_HEADER_H_
