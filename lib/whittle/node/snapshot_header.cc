#include "whittle/node/snapshot_header.h"

#include <cstddef>
#include <cstring>

#include "whittle/wire/crc32.h"

namespace whittle {
namespace {

constexpr std::size_t kSealed = offsetof(SnapshotHeader, crc);

Span<const std::uint8_t> bytes_of(const SnapshotHeader& header) {
  return {reinterpret_cast<const std::uint8_t*>(&header), kSealed};
}

Status differs(const char* reason) { return {StatusCode::failed_precondition, reason}; }

}  // namespace

void SnapshotHeader::name(const ProgramIdentity& identity) {
  for (std::size_t i = 0; i < sizeof build; ++i) {
    build[i] = i < identity.build.size() ? identity.build[i] : std::uint8_t{0};
  }
  Text(board).add(identity.board);
}

void SnapshotHeader::seal() { crc = crc32(bytes_of(*this)); }

bool SnapshotHeader::whole() const {
  return magic == kSnapshotMagic && version == kSnapshotVersion && crc == crc32(bytes_of(*this));
}

Status SnapshotHeader::check(const ProgramIdentity& here, Text text) const {
  if (magic != kSnapshotMagic) {
    const std::uint32_t erased = 0xFFFFFFFFU;
    if (magic == erased) return {StatusCode::not_found, "no snapshot"};
    text.add("not a snapshot, or damaged");
    return {StatusCode::data_loss, "not a snapshot, or damaged"};
  }
  if (version != kSnapshotVersion) {
    text.add("snapshot of format ").add(version).add(", this is ").add(kSnapshotVersion);
    return differs("snapshot of another format");
  }
  if (!whole()) {
    text.add("snapshot damaged: header");
    return {StatusCode::data_loss, "snapshot damaged: header"};
  }
  SnapshotHeader own;
  own.name(here);
  if (std::memcmp(board, own.board, sizeof board) != 0) {
    text.add("snapshot of board ").add(board).add(", this is ").add(own.board);
    return differs("snapshot of another board");
  }
  if (word_bytes != own.word_bytes) {
    text.add("snapshot with words of ").add(std::uint64_t{8} * word_bytes);
    text.add(" bits, here of ").add(std::uint64_t{8} * own.word_bytes);
    return differs("snapshot of another word size");
  }
  if (real_bytes != own.real_bytes) {
    text.add("snapshot with numbers of ").add(std::uint64_t{8} * real_bytes);
    text.add(" bits, here of ").add(std::uint64_t{8} * own.real_bytes);
    return differs("snapshot of another size of Real");
  }
  if (std::memcmp(build, own.build, sizeof build) != 0) {
    text.add("snapshot of build ").add_hex(Span<const std::uint8_t>(build, 6));
    text.add(", this is ").add_hex(Span<const std::uint8_t>(own.build, 6));
    return differs("snapshot of another build");
  }
  return {};
}

}  // namespace whittle
