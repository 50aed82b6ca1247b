// SlotWriter, SlotReader: the body of a snapshot, in order, and its CRC-32.
//
// Errors of all calls: those of the storage. Cost: that of the bytes. Memory: a SlotWriter gathers
// in a buffer of its caller, a SlotReader needs none.
#ifndef WHITTLE_NODE_SLOT_STREAM_H_
#define WHITTLE_NODE_SLOT_STREAM_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/node/storage.h"
#include "whittle/rank/object_image.h"

namespace whittle {

// Writes in whole buffers, whose size is a multiple of the write unit.
class SlotWriter {
 public:
  SlotWriter(Storage& storage, unsigned slot, std::size_t at, Span<std::uint8_t> buffer)
      : storage_(storage), slot_(slot), at_(at), buffer_(buffer) {}

  Status add(Span<const std::uint8_t> bytes);
  Status add(const ObjectImage& image);
  // What has not been written yet, padded to whole write units.
  Status finish();
  std::uint32_t crc() const { return crc_; }

 private:
  Status write(std::size_t count);

  Storage& storage_;
  unsigned slot_;
  std::size_t at_;
  Span<std::uint8_t> buffer_;
  std::size_t filled_ = 0;
  std::uint32_t crc_ = 0;
};

class SlotReader {
 public:
  SlotReader(Storage& storage, unsigned slot, std::size_t at, std::size_t bytes)
      : storage_(storage), slot_(slot), at_(at), end_(at + bytes) {}

  std::size_t left() const { return end_ - at_; }
  // The next bytes. Errors: data_loss too (fewer are left).
  Status read(Span<std::uint8_t> out);
  // Lays the next bytes over an image: those of one that was read at `from`. On error some of them.
  Status read(const ImagePlace& from, ObjectImage& image);
  // Whether all bytes, those read and those left, have this CRC. Errors: data_loss too (another).
  Status check(std::uint32_t crc) const;

 private:
  Storage& storage_;
  unsigned slot_;
  std::size_t at_;
  std::size_t end_;
  std::uint32_t crc_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SLOT_STREAM_H_
