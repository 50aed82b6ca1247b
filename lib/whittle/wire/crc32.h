// CRC-32/ISO-HDLC (the CRC of Ethernet, zip and PNG): polynomial 0x04C11DB7 reflected, initial
// value and final xor 0xFFFFFFFF. Check value: crc32("123456789") == 0xCBF43926.
//
// Cost: two look-ups in a table of 16 words per byte.
#ifndef WHITTLE_WIRE_CRC32_H_
#define WHITTLE_WIRE_CRC32_H_

#include <cstdint>

#include "whittle/base/span.h"

namespace whittle {

// The CRC of `bytes`; given the CRC of what came before as `previous`, that of both together.
std::uint32_t crc32(Span<const std::uint8_t> bytes, std::uint32_t previous = 0);

// The CRC of any bytes that end in their own CRC, little-endian.
inline constexpr std::uint32_t kCrc32Residue = 0x2144DF1CU;

}  // namespace whittle

#endif  // WHITTLE_WIRE_CRC32_H_
