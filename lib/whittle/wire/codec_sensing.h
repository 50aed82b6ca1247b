// Codec of the messages of the sensing role: like codec.h, in files of their own, so that a node
// without the role links none of it (codec_sensing_node.cc, codec_sensing_host.cc).
#ifndef WHITTLE_WIRE_CODEC_SENSING_H_
#define WHITTLE_WIRE_CODEC_SENSING_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "whittle/base/span.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/limits.h"

namespace whittle {

using ToSensor = whittle_v1_ToSensor;
using FromSensor = whittle_v1_FromSensor;

// As decode and encode of codec.h. Every ToNode is a ToSensor too, with no body.
bool decode(Span<const std::uint8_t> payload, ToSensor& message);          // the node's side
std::size_t encode(const FromSensor& message, Span<std::uint8_t> buffer);  // likewise
bool decode(Span<const std::uint8_t> payload, FromSensor& message);        // the host's side
std::size_t encode(const ToSensor& message, Span<std::uint8_t> buffer);    // likewise

// Features of a node that senses, at most: a reading carries a bit and a value of each.
inline constexpr std::size_t kMaxSensedFeatures = kMaxSampleFeatures - 8;
inline constexpr std::size_t kCostsChunk = std::extent_v<decltype(whittle_v1_Costs::features)>;
inline constexpr std::size_t kLargestReading = 1 + 3 + 2 * (1 + 10) + (1 + 5) +
                                               (1 + 3 + (kMaxSensedFeatures + 7) / 8) +
                                               (1 + 3 + 4 * kMaxSensedFeatures);
static_assert(kLargestReading <= kMaxPayload && 1 + 3 + whittle_v1_Sensing_size <= kMaxPayload &&
                  kEnvelopeBytes + whittle_v1_Policy_size <= kMaxPayload &&
                  kEnvelopeBytes + whittle_v1_Costs_size <= kMaxPayload,
              "WHITTLE_MAX_PAYLOAD is too small for the sensing role");

}  // namespace whittle

#endif  // WHITTLE_WIRE_CODEC_SENSING_H_
