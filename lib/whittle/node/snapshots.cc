#include "whittle/node/snapshots.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

#include "whittle/node/text.h"
#include "whittle/wire/crc32.h"

namespace whittle {
namespace {

static_assert(std::is_trivially_copyable_v<RankerConfig>, "saved as bytes");
static_assert(std::is_trivially_destructible_v<FeatureRanker>, "made anew in place");

template <typename T>
Span<std::uint8_t> bytes_of(T& object) {
  return {reinterpret_cast<std::uint8_t*>(&object), sizeof object};
}

Status damaged(const char* reason) { return {StatusCode::data_loss, reason}; }

// Writes bytes to a slot in whole buffers, and sums them up.
class SlotWriter {
 public:
  SlotWriter(Storage& storage, unsigned slot, std::size_t at, Span<std::uint8_t> buffer)
      : storage_(storage), slot_(slot), at_(at), buffer_(buffer) {}

  Status add(Span<const std::uint8_t> bytes) {
    crc_ = crc32(bytes, crc_);
    for (const std::uint8_t byte : bytes) {
      buffer_[filled_++] = byte;
      if (filled_ < buffer_.size()) continue;
      if (const Status status = write(filled_); !status.ok()) return status;
    }
    return {};
  }
  // What has not been written yet, padded to whole write units.
  Status finish() {
    while (filled_ % storage_.write_unit() != 0) buffer_[filled_++] = 0xFF;
    return filled_ == 0 ? Status() : write(filled_);
  }
  std::uint32_t crc() const { return crc_; }

 private:
  Status write(std::size_t count) {
    const Status status = storage_.write(slot_, at_, buffer_.subspan(0, count));
    at_ += count;
    filled_ = 0;
    return status;
  }

  Storage& storage_;
  unsigned slot_;
  std::size_t at_;
  Span<std::uint8_t> buffer_;
  std::size_t filled_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace

Status Snapshots::check(std::size_t bytes) const {
  if (identity_.build.empty()) {
    return {StatusCode::failed_precondition, "the program has no build id"};
  }
  if (bytes > storage_.slot_bytes()) {
    return {StatusCode::out_of_range, "slot too small for a snapshot: bytes needed", bytes};
  }
  return {};
}

void Snapshots::look(Found (&found)[kSlots]) {
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    SnapshotHeader& header = found[slot].header;
    found[slot].status = storage_.read(slot, 0, bytes_of(header));
    if (!found[slot].status.ok()) header.magic = 0;
    if (!header.whole()) header.generation = 0;
    if (header.generation > generation_) {
      newest_ = slot;
      generation_ = header.generation;
    }
  }
  looked_ = true;
}

Status Snapshots::save(FeatureRanker* ranker, const Arena& arena, const RankerConfig* config,
                       std::uint64_t seq, ConstRecord record) {
  SnapshotHeader header;
  std::size_t bytes = kSnapshotHeaderBytes + sizeof(RankerConfig) + record.size();
  std::size_t arena_bytes = 0;
  if (ranker != nullptr) {
    bytes = required_bytes(*config, record.size());
    arena_bytes = FeatureRanker::required_bytes(*config);
    header.state_digest = ranker->state_digest();
  }
  if (const Status status = check(bytes); !status.ok()) return status;
  if (!looked_) {
    Found found[kSlots];
    look(found);
  }
  header.name(identity_);
  header.generation = generation_ + 1;
  header.seq = seq;
  header.record_bytes = static_cast<std::uint32_t>(record.size());
  header.body_bytes = static_cast<std::uint32_t>(bytes - kSnapshotHeaderBytes);
  const unsigned slot = 1 - newest_;
  Status status = storage_.erase(slot, bytes);
  if (status.ok() && ranker != nullptr) {
    const RankerImage image(*ranker, Span<unsigned char>(arena.next(), arena_bytes));
    status = write(slot, &image, config, record, header);
  } else if (status.ok()) {
    status = write(slot, nullptr, nullptr, record, header);
  }
  if (!status.ok()) return status;
  newest_ = slot;
  generation_ = header.generation;
  seq_ = seq;
  return {};
}

Status Snapshots::write(unsigned slot, const RankerImage* image, const RankerConfig* config,
                        ConstRecord record, SnapshotHeader& header) {
  SlotWriter body(storage_, slot, kSnapshotHeaderBytes, buffer_);
  std::uint8_t chunk[64] = {};
  for (std::size_t at = 0; at < sizeof(RankerConfig); at += sizeof chunk) {
    const std::size_t count = std::min(sizeof chunk, sizeof(RankerConfig) - at);
    if (config != nullptr) {
      std::memcpy(chunk, reinterpret_cast<const std::uint8_t*>(config) + at, count);
    }
    if (const Status status = body.add({chunk, count}); !status.ok()) return status;
  }
  if (const Status status = body.add(record); !status.ok()) return status;
  if (image != nullptr) {
    header.image_bytes = static_cast<std::uint32_t>(image->size());
    header.object_at = image->place().object;
    header.arena_at = image->place().arena;
    header.program_at = image->place().program;
    for (std::size_t at = 0; at < image->size(); at += sizeof chunk) {
      const std::size_t count = std::min(sizeof chunk, image->size() - at);
      image->read(at, {chunk, count});
      if (const Status status = body.add({chunk, count}); !status.ok()) return status;
    }
  }
  if (const Status status = body.finish(); !status.ok()) return status;
  header.body_crc = body.crc();
  header.seal();
  // The body must be there before the header says that it is.
  if (const Status status = storage_.flush(); !status.ok()) return status;
  SlotWriter front(storage_, slot, 0, buffer_);
  if (const Status status = front.add(bytes_of(header)); !status.ok()) return status;
  if (const Status status = front.finish(); !status.ok()) return status;
  if (const Status status = storage_.flush(); !status.ok()) return status;
  SnapshotHeader written;
  if (const Status status = storage_.read(slot, 0, bytes_of(written)); !status.ok()) return status;
  if (std::memcmp(&written, &header, sizeof header) != 0 || !check_body(slot, header).ok()) {
    return damaged("the snapshot does not read back as written");
  }
  return {};
}

Status Snapshots::check_body(unsigned slot, const SnapshotHeader& header) {
  std::uint32_t crc = 0;
  for (std::size_t at = 0; at < header.body_bytes; at += sizeof buffer_) {
    const std::size_t count = std::min<std::size_t>(sizeof buffer_, header.body_bytes - at);
    const Status status = storage_.read(slot, kSnapshotHeaderBytes + at, {buffer_, count});
    if (!status.ok()) return status;
    crc = crc32({buffer_, count}, crc);
  }
  return crc == header.body_crc ? Status() : damaged("snapshot damaged");
}

Status Snapshots::restore(FeatureRanker& ranker, Arena& arena, std::optional<RankerConfig>& config,
                          Record record) {
  refusal_[0] = '\0';
  if (const Status status = check(0); !status.ok()) return status;
  Found found[kSlots];
  generation_ = 0;
  look(found);
  const unsigned newer = found[1].header.generation > found[0].header.generation ? 1 : 0;
  Status first(StatusCode::not_found, "no snapshot");
  for (const unsigned slot : {newer, 1 - newer}) {
    const SnapshotHeader& header = found[slot].header;
    Status status = found[slot].status;
    char text[sizeof refusal_] = {};
    if (status.ok()) status = header.check(identity_, Text(text));
    if (status.ok()) {
      status = load(slot, header, ranker, arena, config, record);
      if (!status.ok()) Text(text).add(status);
    }
    if (status.ok()) {
      newest_ = slot;
      seq_ = header.seq;
      return {};
    }
    if (first.code() != StatusCode::not_found) continue;
    first = status;
    std::memcpy(refusal_, text, sizeof refusal_);
    if (header.whole()) seq_ = header.seq;
  }
  return first;
}

Status Snapshots::load(unsigned slot, const SnapshotHeader& header, FeatureRanker& ranker,
                       Arena& arena, std::optional<RankerConfig>& config, Record record) {
  const std::size_t body = sizeof(RankerConfig) + header.record_bytes + header.image_bytes;
  if (header.record_bytes != record.size()) {
    return {StatusCode::invalid_argument, "snapshot of another application"};
  }
  if (header.body_bytes != body || kSnapshotHeaderBytes + body > storage_.slot_bytes()) {
    return damaged("snapshot damaged: sizes");
  }
  if (const Status status = check_body(slot, header); !status.ok()) return status;
  alignas(RankerConfig) std::uint8_t config_bytes[sizeof(RankerConfig)];
  std::size_t at = kSnapshotHeaderBytes;
  if (const Status status = storage_.read(slot, at, config_bytes); !status.ok()) return status;
  std::uint32_t crc = crc32(config_bytes);
  at += sizeof config_bytes;
  if (const Status status = storage_.read(slot, at, record); !status.ok()) return status;
  crc = crc32(record, crc);
  if (header.image_bytes == 0)
    return crc == header.body_crc ? Status() : damaged("snapshot damaged");
  RankerConfig saved = *std::launder(reinterpret_cast<const RankerConfig*>(config_bytes));
  RankerImage::move_config(header.place(), saved);
  if (header.image_bytes != sizeof(FeatureRanker) + FeatureRanker::required_bytes(saved)) {
    return damaged("snapshot damaged: size of the ranker");
  }
  const Arena before = arena;
  if (const Status status = ranker.create(arena, saved); !status.ok()) return status;
  const Span<unsigned char> bytes(before.next(), FeatureRanker::required_bytes(saved));
  const Status status = overlay(slot, header, RankerImage(ranker, bytes), crc);
  if (status.ok() && ranker.state_digest() == header.state_digest) {
    config = saved;
    return {};
  }
  new (&ranker) FeatureRanker();
  arena = before;
  return status.ok() ? damaged("snapshot damaged: digest of the state") : status;
}

Status Snapshots::overlay(unsigned slot, const SnapshotHeader& header, RankerImage image,
                          std::uint32_t crc) {
  const std::size_t first = kSnapshotHeaderBytes + header.body_bytes - header.image_bytes;
  for (std::size_t at = 0; at < image.size(); at += sizeof buffer_) {
    const std::size_t count = std::min(sizeof buffer_, image.size() - at);
    const Status status = storage_.read(slot, first + at, {buffer_, count});
    if (!status.ok()) return status;
    crc = crc32({buffer_, count}, crc);
    image.overlay(header.place(), at, {buffer_, count});
  }
  if (crc != header.body_crc) return damaged("snapshot damaged");
  image.finish(header.place());
  return {};
}

}  // namespace whittle
