// What fits in a message and in a frame, from the build's WHITTLE_MAX_PAYLOAD.
#ifndef WHITTLE_WIRE_LIMITS_H_
#define WHITTLE_WIRE_LIMITS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "whittle.pb.h"

#ifndef WHITTLE_MAX_PAYLOAD
#error \
    "WHITTLE_MAX_PAYLOAD is not defined: link whittle_node, or define it as whittle_node was built"
#endif

namespace whittle {

inline constexpr std::size_t kMaxPayload = WHITTLE_MAX_PAYLOAD;  // bytes of one message

// Features of one sample message, of one scale message, of one page of a ranking; classes of one
// memberships message.
inline constexpr std::size_t kMaxSampleFeatures =
    std::extent_v<decltype(whittle_v1_Sample::features)>;
inline constexpr std::size_t kScaleChunk = std::extent_v<decltype(whittle_v1_Scale::offset)>;
inline constexpr std::size_t kPageFeatures = std::extent_v<decltype(whittle_v1_Ranking::scores)>;
inline constexpr std::size_t kMaxMemberships =
    std::extent_v<decltype(whittle_v1_Memberships::degrees)>;

// Bytes of the messages a configured node is sent, at most. A 32-bit number takes up to 5 bytes, a
// tag 1, a seq 10, the length of a vector or a submessage up to 5.
inline constexpr std::size_t kEnvelopeBytes = 1 + 10 + 1 + 5;
inline constexpr std::size_t kControlPayload = kEnvelopeBytes + 2 * (1 + 10) + 2;  // constraint
constexpr std::size_t sample_payload(std::size_t features) {
  return kEnvelopeBytes + (1 + 5) + (1 + 5 + 4 * features) + (1 + 1) + (1 + 5);
}
constexpr std::size_t scale_payload(std::size_t features) {
  return kEnvelopeBytes + (1 + 5) + 2 * (1 + 5 + 4 * features);
}

// nanopb's size of a message counts a tag per element of a vector; on the line a packed vector has
// one tag and a length.
constexpr std::size_t packed(std::size_t nanopb_size, std::size_t vectors, std::size_t elements) {
  return nanopb_size - vectors * elements + vectors * (1 + 3);
}
// nanopb counts 3 bytes for the number of a feature, which below 2^14 takes 2.
inline constexpr std::size_t kShortNumbers = kMaxSampleFeatures < (1U << 14) ? kPageFeatures : 0;
inline constexpr std::size_t kLargestRanking =
    1 + 3 + packed(whittle_v1_Ranking_size, 2, kPageFeatures) - kShortNumbers;
inline constexpr std::size_t kLargestMemberships =
    1 + 3 + packed(whittle_v1_Memberships_size, 1, kMaxMemberships);

static_assert(sample_payload(kMaxSampleFeatures) <= kMaxPayload &&
                  scale_payload(kScaleChunk) <= kMaxPayload &&
                  kEnvelopeBytes + whittle_v1_Configure_size <= kMaxPayload &&
                  kLargestRanking <= kMaxPayload && kLargestMemberships <= kMaxPayload &&
                  1 + 3 + whittle_v1_Info_size <= kMaxPayload &&
                  1 + 3 + whittle_v1_Error_size <= kMaxPayload &&
                  1 + 3 + whittle_v1_Stats_size <= kMaxPayload,
              "WHITTLE_MAX_PAYLOAD is too small for the bounds in whittle.options.in");
static_assert(kMaxSampleFeatures <= std::numeric_limits<std::uint16_t>::max(),
              "the wire's order of features is 16 bits wide");
static_assert(kMaxPayload <= std::numeric_limits<pb_size_t>::max());

}  // namespace whittle

#endif  // WHITTLE_WIRE_LIMITS_H_
