#include "tools/cli/refusals.h"

#include "tools/cli/text.h"

namespace whittle::cli {

void Refusals::add(const Dataset& data, std::size_t i, const std::string& reason) {
  ++count_;
  if (first_.size() == kShown) return;
  const std::size_t feature = data.first_not_finite(i);
  const std::string where = feature < data.features() ? data.where(i, feature) : data.where(i);
  first_.push_back(where + ": sample refused: " + reason);
}

void Refusals::report(const Console& console, std::size_t refused) const {
  for (const std::string& text : first_) warn(console, text);
  if (refused > first_.size()) {
    warn(console, counted(refused, "sample") + " refused in all; the ranking is of the others");
  }
}

}  // namespace whittle::cli
