#include "whittle/node/slot_stream.h"

#include <algorithm>

#include "whittle/wire/crc32.h"

namespace whittle {
namespace {

constexpr std::size_t kChunk = 64;  // whole words

}  // namespace

Status SlotWriter::add(Span<const std::uint8_t> bytes) {
  crc_ = crc32(bytes, crc_);
  for (const std::uint8_t byte : bytes) {
    buffer_[filled_++] = byte;
    if (filled_ < buffer_.size()) continue;
    if (const Status status = write(filled_); !status.ok()) return status;
  }
  return {};
}

Status SlotWriter::add(const ObjectImage& image) {
  std::uint8_t chunk[kChunk];
  for (std::size_t at = 0; at < image.size(); at += kChunk) {
    const std::size_t count = std::min(kChunk, image.size() - at);
    image.read(at, {chunk, count});
    if (const Status status = add({chunk, count}); !status.ok()) return status;
  }
  return {};
}

Status SlotWriter::finish() {
  while (filled_ % storage_.write_unit() != 0) buffer_[filled_++] = 0xFF;
  return filled_ == 0 ? Status() : write(filled_);
}

Status SlotWriter::write(std::size_t count) {
  const Status status = storage_.write(slot_, at_, buffer_.subspan(0, count));
  at_ += count;
  filled_ = 0;
  return status;
}

Status SlotReader::read(Span<std::uint8_t> out) {
  if (out.size() > left()) return {StatusCode::data_loss, "snapshot damaged: sizes"};
  if (const Status status = storage_.read(slot_, at_, out); !status.ok()) return status;
  at_ += out.size();
  crc_ = crc32(out, crc_);
  return {};
}

Status SlotReader::read(const ImagePlace& from, ObjectImage& image) {
  std::uint8_t chunk[kChunk];
  for (std::size_t at = 0; at < image.size(); at += kChunk) {
    const std::size_t count = std::min(kChunk, image.size() - at);
    if (const Status status = read({chunk, count}); !status.ok()) return status;
    image.overlay(from, at, {chunk, count});
  }
  return {};
}

Status SlotReader::check(std::uint32_t crc) const {
  SlotReader rest = *this;
  std::uint8_t chunk[kChunk];
  while (rest.left() > 0) {
    const Status status = rest.read({chunk, std::min(kChunk, rest.left())});
    if (!status.ok()) return status;
  }
  return rest.crc_ == crc ? Status() : Status(StatusCode::data_loss, "snapshot damaged");
}

}  // namespace whittle
