#include "tools/cli/column_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/cli/number.h"
#include "whittle/base/real.h"

namespace whittle::cli {
namespace {

constexpr std::size_t kRows = 256;    // kept at most
constexpr double kSteps = 512;        // fewer are coarse
constexpr double kFar = 1024;         // steps from there to values apart
constexpr std::size_t kFewApart = 3;  // that may stand for what is missing
constexpr auto kLeastNormal = static_cast<double>(std::numeric_limits<Real>::min());

struct Range {
  double least, most;
};

// The distance of neighbouring numbers of type T where the values of the range are largest.
template <typename T>
double step_of(const Range& range) {
  const double largest = std::max(std::abs(range.least), std::abs(range.most));
  constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
  const T rounded = static_cast<T>(std::min(largest, most));
  return static_cast<double>(rounded) - static_cast<double>(std::nextafter(rounded, T(0)));
}

bool fits_real(const Range& range) {
  return std::isfinite(to_real(range.least)) && std::isfinite(to_real(range.most));
}

double steps_in(const Range& range) {
  const double width = range.most - range.least;
  const bool noise = width <= 16 * step_of<double>(range);
  return noise || !fits_real(range) ? std::numeric_limits<double>::infinity()
                                    : width / step_of<Real>(range);
}

// The range of `count` values next to each other that has the fewest steps.
Range coarsest_range(const std::vector<double>& values, std::size_t count) {
  Range coarsest = {values.front(), values[count - 1]};
  for (std::size_t i = 1; i + count <= values.size(); ++i) {
    const Range range = {values[i], values[i + count - 1]};
    if (steps_in(range) < steps_in(coarsest)) coarsest = range;
  }
  return coarsest;
}

bool is_moved(double value) { return static_cast<double>(to_real(value)) != value; }

}  // namespace

void ColumnPrecision::add(const std::vector<double>& row) {
  normal_.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::abs(row[i]) >= kLeastNormal) normal_[i] = true;
  }
  ++rows_;
  if (kept_.size() < kRows) {
    kept_.push_back(row);
  } else if (const std::uint64_t place = random_() % rows_; place < kRows) {
    kept_[static_cast<std::size_t>(place)] = row;
  }
}

std::vector<double> ColumnPrecision::different_values(std::size_t column) const {
  std::vector<double> values;
  for (const std::vector<double>& row : kept_) {
    if (std::isfinite(row[column])) values.push_back(row[column]);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::optional<ColumnPrecision::Coarse> ColumnPrecision::coarse(std::size_t column) const {
  const std::vector<double> values = different_values(column);
  if (values.size() < 2) return std::nullopt;
  const Range range = coarsest_range(values, std::max<std::size_t>(2, (values.size() + 1) / 2));
  if (!(steps_in(range) < kSteps)) return std::nullopt;
  Coarse coarse = {step_of<Real>(range), {}};
  bool moved = false;
  for (const double value : values) {
    const double distance = std::max(range.least - value, value - range.most);
    moved = moved || (distance <= 0 && is_moved(value));
    if (distance > kFar * coarse.step) coarse.apart.push_back(value);
  }
  if (!moved) return std::nullopt;
  if (coarse.apart.size() > kFewApart) coarse.apart.clear();
  return coarse;
}

void ColumnPrecision::vanishes(std::size_t column, std::size_t line) {
  Vanished& vanished = vanished_[column];
  if (vanished.cells++ == 0) vanished.line = line;
}

std::optional<ColumnPrecision::Vanished> ColumnPrecision::vanished(std::size_t column) const {
  const auto found = vanished_.find(column);
  if (found == vanished_.end() || normal_[column]) return std::nullopt;
  return found->second;
}

}  // namespace whittle::cli
