// Numbers of a record that must be equal, but for rounding: sums in another order. NaN stands for
// null.
#ifndef WHITTLE_TOOLS_CLI_ROUNDING_H_
#define WHITTLE_TOOLS_CLI_ROUNDING_H_

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "tools/cli/record_value.h"

namespace whittle::cli {

inline constexpr double kRounding = 1e-6;  // relative

inline bool differ(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  return std::fabs(a - b) > kRounding * std::max(std::fabs(a), std::fabs(b));
}

inline bool is_below(double a, double b) { return a < b && differ(a, b); }

inline double sum(const std::vector<double>& series) {
  return std::accumulate(series.begin(), series.end(), 0.0);
}

inline std::string shown(double value) {
  return std::isnan(value) ? "null" : RecordValue::Json(value).dump();
}

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_ROUNDING_H_
