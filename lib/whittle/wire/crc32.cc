#include "whittle/wire/crc32.h"

#include <cstddef>

namespace whittle {
namespace {

struct NibbleTable {
  std::uint32_t entries[16] = {};
};

constexpr NibbleTable make_table() {
  NibbleTable table;
  for (std::uint32_t nibble = 0; nibble < 16; ++nibble) {
    std::uint32_t crc = nibble;
    for (int bit = 0; bit < 4; ++bit) crc = (crc & 1U) != 0 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
    table.entries[nibble] = crc;
  }
  return table;
}

constexpr NibbleTable kTable = make_table();

}  // namespace

std::uint32_t crc32(Span<const std::uint8_t> bytes, std::uint32_t previous) {
  std::uint32_t crc = ~previous;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    crc = crc >> 4 ^ kTable.entries[crc & 15U];
    crc = crc >> 4 ^ kTable.entries[crc & 15U];
  }
  return ~crc;
}

}  // namespace whittle
