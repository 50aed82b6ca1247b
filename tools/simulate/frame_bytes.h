// How long the frames are that a node and its host exchange (lib/whittle/wire), at most: a protobuf
// message, its CRC, byte stuffing and the end. Stuffing costs one byte less for every 254 bytes
// that hold a zero.
#ifndef WHITTLE_TOOLS_SIMULATE_FRAME_BYTES_H_
#define WHITTLE_TOOLS_SIMULATE_FRAME_BYTES_H_

#include <cstddef>
#include <cstdint>

namespace whittle::simulate {

constexpr std::size_t varint_bytes(std::uint64_t value) {
  std::size_t bytes = 1;
  for (; value > 127; value >>= 7) ++bytes;
  return bytes;
}

// A field of bytes: its tag, how long it is, and what it holds.
constexpr std::size_t field_bytes(std::size_t content) {
  return 1 + varint_bytes(content) + content;
}

constexpr std::size_t framed(std::size_t payload) {
  const std::size_t checked = payload + 4;
  return checked + (checked + 253) / 254 + 1;
}

// A Reading of which `sensed` features travel. `mask`: the number of the mask, 0 for all features;
// `beside`: m, if something was sensed beside it, else 0.
constexpr std::size_t reading_bytes(std::uint64_t sample, std::uint32_t mask, std::size_t sensed,
                                    std::size_t beside) {
  const std::size_t number = 1 + varint_bytes(sample);
  const std::size_t body = 2 * number + (mask == 0 ? 0 : 1 + varint_bytes(mask)) +
                           (beside == 0 ? 0 : field_bytes((beside + 7) / 8)) +
                           (sensed == 0 ? 0 : field_bytes(4 * sensed));
  return framed(field_bytes(body));
}

// The Mask that is announced before the first reading that has it.
constexpr std::size_t mask_bytes(std::uint64_t seq, std::uint32_t mask, std::size_t features) {
  const std::size_t body = 1 + varint_bytes(seq) + 1 + varint_bytes(mask) + 1 +
                           varint_bytes(features) + field_bytes((features + 7) / 8);
  return framed(field_bytes(body));
}

constexpr std::size_t label_bytes(std::uint64_t seq, std::uint32_t label) {
  const std::size_t body = 1 + varint_bytes(seq) + 1 + varint_bytes(label);
  return framed(1 + varint_bytes(seq) + field_bytes(body));
}

// Readings that acknowledges; a seq of two bytes.
inline constexpr std::size_t kAckBytes = framed(1 + field_bytes(3));

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_FRAME_BYTES_H_
