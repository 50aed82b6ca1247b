#include "tools/cli/text.h"

#include <algorithm>

namespace whittle::cli {

std::string in_quotes(std::string_view text, std::size_t most) {
  std::string out = "'";
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      constexpr char digits[] = "0123456789abcdef";
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + (text.size() > most ? "...'" : "'");
}

std::string listed(const std::vector<std::string>& items, std::size_t most) {
  std::string out;
  const std::size_t shown = std::min(items.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += ", ";
    out += items[i];
  }
  if (shown < items.size()) out += " and " + std::to_string(items.size() - shown) + " more";
  return out;
}

std::string counted(std::size_t count, std::string_view noun) {
  std::string out = std::to_string(count) + " ";
  out += noun;
  return count == 1 ? out : out + "s";
}

}  // namespace whittle::cli
