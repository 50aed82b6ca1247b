#include "whittle/wire/frame.h"

#include "whittle/wire/crc32.h"

namespace whittle {
namespace {

constexpr std::uint8_t kFullBlock = 255;  // 254 bytes and no zero

// COBS on the way to a sink. The code byte of a block comes before its bytes, so a block is
// gathered before it is written; short ones are gathered further, since a write may cost a system
// call.
class CobsWriter {
 public:
  explicit CobsWriter(ByteSink& sink) : sink_(sink) {}

  void put(std::uint8_t byte) {
    if (byte != 0) {
      buffer_[used_++] = byte;
      ++code_;
    }
    if (byte == 0 || code_ == kFullBlock) next_block();
  }

  void finish() {
    // A full block needs none after it, but may have one: it says the same.
    buffer_[code_at_] = code_;
    buffer_[used_++] = 0;
    sink_.write(Span<const std::uint8_t>(buffer_, used_));
  }

 private:
  static constexpr std::size_t kEnough = 64;

  void next_block() {
    buffer_[code_at_] = code_;
    if (used_ > kEnough) {
      sink_.write(Span<const std::uint8_t>(buffer_, used_));
      used_ = 0;
    }
    code_at_ = used_++;
    code_ = 1;
  }

  ByteSink& sink_;
  std::size_t code_at_ = 0;
  std::size_t used_ = 1;
  std::uint8_t code_ = 1;
  std::uint8_t buffer_[kEnough + kFullBlock + 1];
};

}  // namespace

void write_frame(Span<const std::uint8_t> payload, ByteSink& sink) {
  CobsWriter writer(sink);
  for (const std::uint8_t byte : payload) writer.put(byte);
  std::uint32_t crc = crc32(payload);
  for (std::size_t i = 0; i < kCrcBytes; ++i, crc >>= 8) {
    writer.put(static_cast<std::uint8_t>(crc & 0xFFU));
  }
  writer.finish();
}

bool Deframer::push(std::uint8_t byte) {
  if (byte == 0) return finish();
  started_ = true;
  if (block_left_ > 0) {
    --block_left_;
    take(byte);
  } else {
    if (zero_due_) take(0);
    block_left_ = static_cast<std::uint8_t>(byte - 1);
    zero_due_ = byte != kFullBlock;
  }
  return false;
}

void Deframer::take(std::uint8_t byte) {
  if (size_ < buffer_.size()) {
    buffer_[size_++] = byte;
  } else {
    too_long_ = true;
  }
}

bool Deframer::finish() {
  const bool started = started_;
  const bool broken = block_left_ > 0 || too_long_ || size_ < kCrcBytes;
  const std::size_t size = size_;
  size_ = 0;
  block_left_ = 0;
  zero_due_ = false;
  started_ = false;
  too_long_ = false;
  if (!started) return false;
  if (broken) {
    ++counts_.framing_errors;
    return false;
  }
  if (crc32(Span<const std::uint8_t>(buffer_.data(), size)) != kCrc32Residue) {
    ++counts_.crc_errors;
    return false;
  }
  ++counts_.good;
  payload_size_ = size - kCrcBytes;
  return true;
}

}  // namespace whittle
