#include "whittle/wire/crc32.h"

#include <gtest/gtest.h>

#include <cstring>

namespace whittle {
namespace {

Span<const std::uint8_t> bytes_of(const char* text) {
  return {reinterpret_cast<const std::uint8_t*>(text), std::strlen(text)};
}

TEST(Crc32, KnownValues) {
  EXPECT_EQ(crc32(bytes_of("123456789")), 0xCBF43926U);
  EXPECT_EQ(crc32(bytes_of("")), 0U);
  EXPECT_EQ(crc32(bytes_of("a")), 0xE8B7BE43U);
  EXPECT_EQ(crc32(bytes_of("The quick brown fox jumps over the lazy dog")), 0x414FA339U);
  const std::uint8_t zeros[32] = {};
  EXPECT_EQ(crc32(zeros), 0x190A55ADU);
  std::uint8_t ones[32];
  std::memset(ones, 0xFF, sizeof ones);
  EXPECT_EQ(crc32(ones), 0xFF6CAB0BU);
}

TEST(Crc32, GoesOnWhereItStopped) {
  const Span<const std::uint8_t> all = bytes_of("123456789");
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    const std::uint32_t first = crc32(all.subspan(0, cut));
    EXPECT_EQ(crc32(all.subspan(cut, all.size() - cut), first), 0xCBF43926U) << cut;
  }
}

TEST(Crc32, ResidueOfBytesWithTheirCrc) {
  std::uint8_t bytes[9 + 4];
  std::memcpy(bytes, "123456789", 9);
  for (std::size_t size = 0; size <= 9; ++size) {
    const std::uint32_t crc = crc32(Span<const std::uint8_t>(bytes, size));
    std::uint8_t content[13];
    std::memcpy(content, bytes, size);
    for (std::size_t i = 0; i < 4; ++i) {
      content[size + i] = static_cast<std::uint8_t>(crc >> (8 * i));
    }
    EXPECT_EQ(crc32(Span<const std::uint8_t>(content, size + 4)), kCrc32Residue) << size;
  }
}

}  // namespace
}  // namespace whittle
