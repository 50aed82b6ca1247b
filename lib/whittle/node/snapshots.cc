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
                       std::uint64_t seq, ConstRecord record, SnapshotPart* part) {
  SnapshotHeader header;
  if (part != nullptr) header.part_bytes = static_cast<std::uint32_t>(part->bytes());
  std::size_t bytes =
      kSnapshotHeaderBytes + sizeof(RankerConfig) + record.size() + header.part_bytes;
  std::size_t arena_bytes = 0;
  if (ranker != nullptr) {
    bytes = required_bytes(*config, record.size() + header.part_bytes);
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
    status = write(slot, {&image, config, record, part}, header);
  } else if (status.ok()) {
    status = write(slot, {nullptr, nullptr, record, part}, header);
  }
  if (!status.ok()) return status;
  newest_ = slot;
  generation_ = header.generation;
  seq_ = seq;
  return {};
}

Status Snapshots::write(unsigned slot, const Source& source, SnapshotHeader& header) {
  SlotWriter body(storage_, slot, kSnapshotHeaderBytes, buffer_);
  if (const Status status = write_body(body, source, header); !status.ok()) return status;
  if (const Status status = body.finish(); !status.ok()) return status;
  header.body_crc = body.crc();
  return seal(slot, header);
}

Status Snapshots::write_body(SlotWriter& body, const Source& source, SnapshotHeader& header) {
  std::uint8_t chunk[64] = {};
  for (std::size_t at = 0; at < sizeof(RankerConfig); at += sizeof chunk) {
    const std::size_t count = std::min(sizeof chunk, sizeof(RankerConfig) - at);
    if (source.config != nullptr) {
      std::memcpy(chunk, reinterpret_cast<const std::uint8_t*>(source.config) + at, count);
    }
    if (const Status status = body.add({chunk, count}); !status.ok()) return status;
  }
  if (const Status status = body.add(source.record); !status.ok()) return status;
  if (const RankerImage* const image = source.image; image != nullptr) {
    header.image_bytes = static_cast<std::uint32_t>(image->size());
    header.object_at = image->place().object;
    header.arena_at = image->place().arena;
    header.program_at = image->place().program;
    if (const Status status = body.add(*image); !status.ok()) return status;
  }
  return source.part == nullptr ? Status() : source.part->save(body);
}

// The body must be there before the header says that it is.
Status Snapshots::seal(unsigned slot, SnapshotHeader& header) {
  header.seal();
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
                          Record record, SnapshotPart* part) {
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
      status = load(slot, header, {ranker, arena, config, record, part});
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

Status Snapshots::check_sizes(const SnapshotHeader& header, const Target& target) const {
  const std::size_t body =
      sizeof(RankerConfig) + header.record_bytes + header.image_bytes + header.part_bytes;
  if (header.record_bytes != target.record.size() ||
      (header.part_bytes == 0) != (target.part == nullptr)) {
    return {StatusCode::invalid_argument, "snapshot of another application"};
  }
  if (header.body_bytes != body || kSnapshotHeaderBytes + body > storage_.slot_bytes()) {
    return damaged("snapshot damaged: sizes");
  }
  return {};
}

Status Snapshots::load(unsigned slot, const SnapshotHeader& header, const Target& target) {
  if (const Status status = check_sizes(header, target); !status.ok()) return status;
  if (const Status status = check_body(slot, header); !status.ok()) return status;
  SlotReader in(storage_, slot, kSnapshotHeaderBytes, header.body_bytes);
  alignas(RankerConfig) std::uint8_t config_bytes[sizeof(RankerConfig)];
  if (const Status status = in.read(config_bytes); !status.ok()) return status;
  if (const Status status = in.read(target.record); !status.ok()) return status;
  if (header.image_bytes == 0) {
    const Status status = in.check(header.body_crc);
    return status.ok() && target.part != nullptr ? target.part->load(in) : status;
  }
  const Arena before = target.arena;
  RankerConfig saved = *std::launder(reinterpret_cast<const RankerConfig*>(config_bytes));
  RankerImage::move_config(header.place(), saved);
  Status status = load_ranker(in, header, saved, target);
  if (status.ok() && target.part != nullptr) status = target.part->load(in);
  if (status.ok()) {
    target.config = saved;
    return {};
  }
  new (&target.ranker) FeatureRanker();
  target.arena = before;
  return status;
}

Status Snapshots::load_ranker(SlotReader& in, const SnapshotHeader& header,
                              const RankerConfig& saved, const Target& target) {
  if (header.image_bytes != sizeof(FeatureRanker) + FeatureRanker::required_bytes(saved)) {
    return damaged("snapshot damaged: size of the ranker");
  }
  unsigned char* const bytes = target.arena.next();
  if (const Status status = target.ranker.create(target.arena, saved); !status.ok()) return status;
  RankerImage image(target.ranker,
                    Span<unsigned char>(bytes, FeatureRanker::required_bytes(saved)));
  if (const Status status = in.read(header.place(), image); !status.ok()) return status;
  if (const Status status = in.check(header.body_crc); !status.ok()) return status;
  image.finish(header.place());
  if (target.ranker.state_digest() == header.state_digest) return {};
  return damaged("snapshot damaged: digest of the state");
}

}  // namespace whittle
