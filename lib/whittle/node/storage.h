// Storage: where snapshots are kept: two slots of memory that outlives a power cut, as flash is.
//
// A slot is erased (all bytes then read 0xFF), then written in pieces, each place at most once
// between two erasures, all places but the first kSnapshotHeaderBytes in order and those last. It
// may lose power at any moment, within any call; what was written before the last flush must then
// still read as written, whatever happened to the other slot. A place that was being written or
// erased may read as anything.
//
// ports/ implements it for files; docs/snapshots.md says what a driver of a flash chip must do.
// Errors of all calls: whatever the driver has to say, data_loss if nothing else; a snapshot is
// then not taken, or not restored, and the one before it remains.
#ifndef WHITTLE_NODE_STORAGE_H_
#define WHITTLE_NODE_STORAGE_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"
#include "whittle/base/status.h"

namespace whittle {

inline constexpr unsigned kSlots = 2;
inline constexpr std::size_t kMaxWriteUnit = 256;

class Storage {
 public:
  // Bytes of one slot. Slots share no page: erasing one leaves the other alone.
  virtual std::size_t slot_bytes() const = 0;

  // Places and sizes of writes are multiples of this: a power of two, at most kMaxWriteUnit.
  virtual std::size_t write_unit() const = 0;

  // Erases the first `bytes` of a slot, and what else is on the same pages.
  virtual Status erase(unsigned slot, std::size_t bytes) = 0;
  virtual Status write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) = 0;
  virtual Status read(unsigned slot, std::size_t at, Span<std::uint8_t> out) = 0;

  // Returns when all that was written is safe from a power cut.
  virtual Status flush() = 0;

 protected:
  ~Storage() = default;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_STORAGE_H_
