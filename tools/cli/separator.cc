#include "tools/cli/separator.h"

namespace whittle::cli {
namespace {

constexpr std::string_view kOthers = ";\t|";

// A blank with something on both sides.
bool has_inner_blank(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  const std::size_t last = text.find_last_not_of(kBlanks);
  return first != std::string_view::npos && text.substr(first, last - first).find(' ') < last;
}

}  // namespace

Separator::Separator(std::string_view header) {
  if (header.find(',') != std::string_view::npos) return;
  if (const std::size_t at = header.find_first_of(kOthers); at != std::string_view::npos) {
    separator_ = header[at];
  } else if (has_inner_blank(header)) {
    separator_ = ' ';
  }
}

// Where something else separates, a comma may be a decimal point.
std::string Separator::fault_in(std::string_view text) const {
  if (separator_ == ',') return "";
  if (separator_ == ' ') {
    if (!has_inner_blank(text)) return "";
    return "the values look separated by blanks, not by ','; convert the file before: awk -v OFS=, "
           "'{gsub(/,/, \".\"); $1 = $1} 1'";
  }
  if (text.find(separator_) == std::string_view::npos) return "";
  const std::string name = separator_ == '\t' ? "\\t" : std::string(1, separator_);
  return "the values look separated by '" + name + "', not by ','; convert the file before: tr '," +
         name + "' '.,'";
}

}  // namespace whittle::cli
