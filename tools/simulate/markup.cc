#include "tools/simulate/markup.h"

#include <charconv>
#include <cmath>

namespace whittle::simulate {
namespace {

constexpr double kLongest = 1e9;  // what is larger is written with an exponent, so that tables hold

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        // XML and HTML have no place for other control characters.
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string decimal(double value, int decimals) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  const double unit = std::pow(10, -decimals);
  if (std::fabs(value) < unit / 2) value = 0;  // no "-0"
  if (std::fabs(value) >= kLongest) return number(value);
  char text[512];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr;
  return {text, end};
}

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr};
}

std::string percent(double share) {
  return std::isnan(share) ? "–" : decimal(100 * share, 1) + " %";
}

std::string with_unit(double value, const char* unit) {
  if (!std::isfinite(value)) return decimal(value, 0);
  static constexpr const char* kPrefixes[] = {"µ", "m", "", "k", "M", "G"};
  int prefix = 2;
  while (std::fabs(value) >= 1000 && prefix < 5) value /= 1000, ++prefix;
  while (value != 0 && std::fabs(value) < 1 && prefix > 0) value *= 1000, --prefix;
  const double size = std::fabs(value);
  return decimal(value, size >= 100 || value == 0 ? 0
                        : size >= 10              ? 1
                                                  : 2) +
         ' ' + kPrefixes[prefix] + unit;
}

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (unsigned k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63U];
    }
  }
  return out;
}

std::string Table::html() const {
  std::string out = "<table><thead><tr>";
  for (const std::string& column : columns_)
    out += "<th scope=\"col\">" + escaped(column) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const auto& row : rows_) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const char* const tag = i == 0 ? "th" : "td";
      out += std::string("<") + tag + (i == 0 ? " scope=\"row\"" : "") + " data-label=\"" +
             escaped(columns_[i]) + "\">" + escaped(row[i]) + "</" + tag + ">";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

}  // namespace whittle::simulate
