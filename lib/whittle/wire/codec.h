// Codec: messages to bytes and back, both ways of the line. The structs are nanopb's (whittle.pb.h,
// from whittle.proto); nothing is allocated. nanopb calls itself once per level of nesting, which
// is three at most (message, body, parameter or info entry): about 1 KiB of stack on a Cortex-M4.
//
// A node links codec_node.cc only, a host codec_host.cc only.
#ifndef WHITTLE_WIRE_CODEC_H_
#define WHITTLE_WIRE_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "whittle.pb.h"
#include "whittle/base/span.h"

namespace whittle {

using ToNode = whittle_v1_ToNode;
using FromNode = whittle_v1_FromNode;

// Each decode returns whether the payload is a message within its bounds. If not, `message` holds
// rubbish (whatever came before the fault) and must not be read.
//
// Each encode returns the size of the message in `buffer`, or 0 if it does not fit or breaks its
// bounds; a buffer of kMaxPayload takes every message.

// The node's side.
bool decode(Span<const std::uint8_t> payload, ToNode& message);
std::size_t encode(const FromNode& message, Span<std::uint8_t> buffer);
// The seq of a ToNode whose body cannot be decoded, so that it can be answered. False if not even
// the fields can be told apart.
bool decode_seq(Span<const std::uint8_t> payload, std::uint64_t& seq);

// The host's side.
bool decode(Span<const std::uint8_t> payload, FromNode& message);
std::size_t encode(const ToNode& message, Span<std::uint8_t> buffer);

// The number in an enum field. proto3 lets any number through, and in C++ merely reading an enum
// outside its range is undefined.
template <typename Enum>
std::uint32_t enum_number(const Enum& field) {
  std::underlying_type_t<Enum> number;
  std::memcpy(&number, &field, sizeof number);
  return static_cast<std::uint32_t>(number);
}

}  // namespace whittle

#endif  // WHITTLE_WIRE_CODEC_H_
