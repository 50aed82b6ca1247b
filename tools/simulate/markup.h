// Pieces of HTML and SVG.
#ifndef WHITTLE_TOOLS_SIMULATE_MARKUP_H_
#define WHITTLE_TOOLS_SIMULATE_MARKUP_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace whittle::simulate {

// Text between tags or in a quoted attribute.
std::string escaped(std::string_view text);

// A number with so many decimals, with an exponent if it is huge; "–" for NaN.
std::string decimal(double value, int decimals);
// "12.3 %" of a share; "12.3 kB", "4.56 mJ": three digits and a prefix.
std::string percent(double share);
std::string with_unit(double value, const char* unit);

// With at most six digits.
std::string number(double value);

std::string base64(std::string_view bytes);

// A table that a narrow page shows as one block per row: cells carry their column's name.
class Table {
 public:
  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string html() const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_MARKUP_H_
