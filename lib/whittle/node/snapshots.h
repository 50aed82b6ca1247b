// Snapshots: the whole state of a FeatureRanker, kept in a Storage so that it outlives a power cut.
//
//   Snapshots snapshots(storage, {build_id(), "my board"});
//   snapshots.restore(ranker, arena, config);             // at the start; not_found: there is none
//   snapshots.save(&ranker, whole_arena, &config, seq);   // now and then
//
// Two slots take turns: a snapshot is written to the one that does not hold the newest, its header
// last, and read back. So one that is cut off at any byte leaves the one before it; a snapshot that
// save() has reported is there. Restored is the newest that is whole and of this very program, and
// the ranker then goes on to the same bits as if nothing had happened (rank/ranker_image.h says
// why). What is refused: docs/snapshots.md.
//
// The bytes of a snapshot are trusted as those of RAM are: its CRCs find accidents, not intent.
//
// Cost: save writes and reads kSnapshotHeaderBytes + sizeof(RankerConfig) + record +
// sizeof(FeatureRanker) + FeatureRanker::required_bytes + part, and erases as much; restore reads
// that twice. Memory: sizeof(Snapshots), no buffer for the whole.
#ifndef WHITTLE_NODE_SNAPSHOTS_H_
#define WHITTLE_NODE_SNAPSHOTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "whittle/base/arena.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/node/slot_stream.h"
#include "whittle/node/snapshot_header.h"
#include "whittle/node/snapshot_part.h"
#include "whittle/node/storage.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/rank/ranker_image.h"

namespace whittle {

// Beside the ranker: the application's own bytes, whose meaning it knows.
using Record = Span<std::uint8_t>;
using ConstRecord = Span<const std::uint8_t>;

class Snapshots {
 public:
  // `storage` and what `identity` refers to must outlive this. The storage is not touched yet.
  Snapshots(Storage& storage, const ProgramIdentity& identity)
      : storage_(storage), identity_(identity) {}

  // Bytes of a slot that a snapshot of such a ranker takes.
  static constexpr std::size_t required_bytes(const RankerConfig& config, std::size_t record = 0) {
    return kSnapshotHeaderBytes + sizeof(RankerConfig) + record + sizeof(FeatureRanker) +
           FeatureRanker::required_bytes(config);
  }
  // Errors: failed_precondition (the program has no build id), out_of_range (more than a slot;
  // value: bytes needed).
  Status check(std::size_t bytes) const;

  // Saves a ranker that was created from `config` in `arena`, as it was before (a copy of it), or,
  // with ranker nullptr, that there is none. `seq`: how far the application had come. Nothing but
  // the storage changes. Errors: those of check and of the storage; data_loss (what was written
  // does not read back).
  Status save(FeatureRanker* ranker, const Arena& arena, const RankerConfig* config,
              std::uint64_t seq, ConstRecord record = {}, SnapshotPart* part = nullptr);

  // Creates `ranker`, which must not be created yet, in `arena` as the newest snapshot has it, and
  // fills `config`, `record` and `part`; a snapshot without a ranker leaves ranker, arena and
  // config alone. Errors: not_found (there is no snapshot); else why the newest was refused, which
  // is then told by refusal(), too: failed_precondition (another program, board, version or width;
  // no build id), data_loss (damaged), invalid_argument (the record has another size; a part is
  // missing, or not asked for), resource_exhausted (the arena is too small; value: bytes needed),
  // those of the storage and of the part. Nothing but `record` is then changed. An older snapshot
  // that is restored instead is no error, but told by refusal().
  Status restore(FeatureRanker& ranker, Arena& arena, std::optional<RankerConfig>& config,
                 Record record = {}, SnapshotPart* part = nullptr);

  // The seq of the snapshot saved or restored last, or of the newest whole one that was refused: no
  // sender need have kept what came before it. 0: there is none.
  std::uint64_t seq() const { return seq_; }
  // Why the newest snapshot was not restored, naming both sides; "" if it was, or there was none.
  const char* refusal() const { return refusal_; }

 private:
  struct Found {  // in a slot
    SnapshotHeader header;
    Status status;  // whether it can be read
  };
  // What a snapshot is of, or is restored into.
  struct Target {
    FeatureRanker& ranker;
    Arena& arena;
    std::optional<RankerConfig>& config;
    Record record;
    SnapshotPart* part;
  };
  struct Source {
    const RankerImage* image;  // nullptr: no ranker
    const RankerConfig* config;
    ConstRecord record;
    SnapshotPart* part;
  };
  void look(Found (&found)[kSlots]);
  Status check_sizes(const SnapshotHeader& header, const Target& target) const;
  Status check_body(unsigned slot, const SnapshotHeader& header);
  Status load(unsigned slot, const SnapshotHeader& header, const Target& target);
  Status load_ranker(SlotReader& in, const SnapshotHeader& header, const RankerConfig& saved,
                     const Target& target);
  Status write(unsigned slot, const Source& source, SnapshotHeader& header);
  Status write_body(SlotWriter& body, const Source& source, SnapshotHeader& header);
  Status seal(unsigned slot, SnapshotHeader& header);

  Storage& storage_;
  ProgramIdentity identity_;
  bool looked_ = false;
  unsigned newest_ = 1;           // slot of the newest snapshot: the next goes to the other
  std::uint64_t generation_ = 0;  // of that; 0: there is none
  std::uint64_t seq_ = 0;
  char refusal_[96] = {};
  alignas(8) std::uint8_t buffer_[kMaxWriteUnit];
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SNAPSHOTS_H_
