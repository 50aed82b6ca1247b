#include "whittle/node/text.h"

namespace whittle {

Text& Text::add(const char* text) {
  while (*text != '\0' && end_ != last_) *end_++ = *text++;
  *end_ = '\0';
  return *this;
}

Text& Text::add(std::uint64_t number) {
  char digits[21];  // 2^64 - 1 has 20
  char* first = digits + sizeof digits - 1;
  *first = '\0';
  do {
    // Divided by ten in 16-bit limbs: a 64-bit division is a library call of a kilobyte.
    std::uint32_t rest = 0;
    std::uint64_t quotient = 0;
    for (int shift = 48; shift >= 0; shift -= 16) {
      const std::uint32_t limb =
          rest << 16 | (static_cast<std::uint32_t>(number >> shift) & 0xFFFFU);
      quotient = quotient << 16 | limb / 10;
      rest = limb % 10;
    }
    number = quotient;
    *--first = static_cast<char>('0' + rest);
  } while (number != 0);
  return add(first);
}

Text& Text::add_hex(Span<const std::uint8_t> bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  for (const std::uint8_t byte : bytes) {
    const char digits[] = {kDigits[byte >> 4], kDigits[byte & 15], '\0'};
    add(digits);
  }
  return *this;
}

Text& Text::add(const Status& status) {
  add(status.reason());
  if (status.has_value()) add(": ").add(status.value());
  return *this;
}

}  // namespace whittle
