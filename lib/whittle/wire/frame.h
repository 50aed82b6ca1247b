// Frames: how messages are told apart on a line that loses, changes and invents bytes.
//
//   frame = COBS(payload || CRC-32(payload), little-endian) 0x00
//
// COBS (Cheshire and Baker 1999) writes the content without a zero byte: blocks of a code byte n
// and the n - 1 non-zero bytes that follow, each block but one of code 255 standing for a zero
// after it. So a zero ends a frame whatever went wrong before it, and the next frame is read in
// step again.
#ifndef WHITTLE_WIRE_FRAME_H_
#define WHITTLE_WIRE_FRAME_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"

namespace whittle {

inline constexpr std::size_t kCrcBytes = 4;

// Bytes on the line of the frame around a payload, at most.
constexpr std::size_t frame_bytes(std::size_t payload) {
  const std::size_t content = payload + kCrcBytes;
  return content + content / 254 + 1 + 1;  // a code per 254 bytes started, the zero at the end
}

class ByteSink {
 public:
  virtual void write(Span<const std::uint8_t> bytes) = 0;

 protected:
  ~ByteSink() = default;
};

// Writes the frame around `payload`, in pieces of at most 320 bytes; a frame of up to 64 bytes is
// one piece.
void write_frame(Span<const std::uint8_t> payload, ByteSink& sink);

struct FrameCounts {
  std::uint64_t good = 0;
  std::uint64_t crc_errors = 0;
  std::uint64_t framing_errors = 0;  // broken COBS, too short for a CRC, too long for the buffer
};

// Reads frames out of bytes as they come.
class Deframer {
 public:
  // `buffer` takes the payload and its CRC: the longest payload + kCrcBytes. It may be used for
  // anything else between a push that returned true and the next one.
  explicit Deframer(Span<std::uint8_t> buffer) : buffer_(buffer) {}

  // Takes one byte. True when it ends a good frame, whose payload() is then in the buffer. Bad
  // frames are dropped and counted; empty ones (zeros in a row) are not errors.
  bool push(std::uint8_t byte);
  Span<const std::uint8_t> payload() const { return buffer_.subspan(0, payload_size_); }

  const FrameCounts& counts() const { return counts_; }

 private:
  void take(std::uint8_t byte);
  bool finish();

  Span<std::uint8_t> buffer_;
  std::size_t size_ = 0;          // bytes decoded of the frame now coming
  std::size_t payload_size_ = 0;  // of the last good frame
  std::uint8_t block_left_ = 0;   // bytes to come of the current block
  bool zero_due_ = false;         // the current block stands for a zero after it
  bool started_ = false;
  bool too_long_ = false;
  FrameCounts counts_;
};

}  // namespace whittle

#endif  // WHITTLE_WIRE_FRAME_H_
