#include "tools/cli/dataset.h"

#include <algorithm>
#include <cmath>

#include "tools/cli/number.h"
#include "tools/cli/text.h"

namespace whittle::cli {

std::size_t Dataset::count(SampleKind kind) const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [kind](const Row& row) { return row.kind == kind; }));
}

Span<const Real> Dataset::values_of(std::size_t i) const {
  return Span<const Real>(values.data() + i * features(), features());
}

Sample Dataset::sample(std::size_t i) const {
  return Sample{values_of(i), rows[i].kind, rows[i].label};
}

std::size_t Dataset::first_infinite(std::size_t i) const {
  const Span<const Real> row = values_of(i);
  return static_cast<std::size_t>(
      std::find_if(row.begin(), row.end(), [](Real value) { return std::isinf(value); }) -
      row.begin());
}

bool Dataset::is_usable(std::size_t i) const {
  const Span<const Real> row = values_of(i);
  return first_infinite(i) == features() && !std::all_of(row.begin(), row.end(), is_missing);
}

std::string Dataset::where(std::size_t i) const {
  return file + ":" + std::to_string(rows[i].line);
}

std::string Dataset::where(std::size_t i, std::size_t feature) const {
  return where(i) + ":" + std::to_string(fields[feature] + 1) + ": column " +
         in_quotes(names[feature]);
}

std::string Dataset::not_taken(std::size_t i, const std::string& what,
                               const std::string& reason) const {
  const std::size_t feature = first_infinite(i);
  if (feature == features()) return where(i) + ": " + what + ": " + reason;
  const auto found = too_large.find({i, feature});
  return where(i, feature) + ": " + what + ": " +
         (found == too_large.end() ? "infinite value" : past_range<Real>(found->second));
}

}  // namespace whittle::cli
