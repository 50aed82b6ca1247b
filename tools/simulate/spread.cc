#include "tools/simulate/spread.h"

#include <cmath>

namespace whittle::simulate {

Spread spread_of(const Readings& readings, std::size_t feature) {
  double count = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < readings.rows(); ++i) {
    const auto x = static_cast<double>(readings.row(i)[feature]);
    if (!std::isfinite(x)) continue;
    ++count;
    const double before = x - (count > 1 ? sum / (count - 1) : 0);
    sum += x;
    squares += before * (x - sum / count);
  }
  if (count == 0) return {};
  return {sum / count, std::sqrt(squares / count)};
}

}  // namespace whittle::simulate
