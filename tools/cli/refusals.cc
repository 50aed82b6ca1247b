#include "tools/cli/refusals.h"

#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

constexpr std::size_t kShown = 3;

}  // namespace

void Refusals::List::add(const std::string& text) {
  ++count;
  if (first.size() < kShown) first.push_back(text);
}

void Refusals::List::report(const Console& console, std::size_t all, const char* noun) const {
  for (const std::string& text : first) warn(console, text);
  if (all > first.size()) {
    warn(console, counted(all, noun) + " refused in all; the ranking is of the others");
  }
}

void Refusals::add_sample(std::size_t i, const std::string& reason) {
  const Dataset& data = plan_.data;
  const std::size_t feature = data.first_infinite(i);
  const std::string where = feature < data.features() ? data.where(i, feature) : data.where(i);
  samples_.add(where + ": sample refused: " + reason);
}

void Refusals::add_pair(std::size_t i, StatusCode code, const std::string& reason) {
  const Pair& pair = plan_.pairs.list[i];
  const std::string rows =
      "rows " + std::to_string(pair.earlier + 1) + " and " + std::to_string(pair.later + 1);
  // Ids differ between here and a node; rows do not.
  const std::string why = code == StatusCode::not_found
                              ? "not both are held when the later one has come (--param window=N "
                                "and labelled=N say how many are), or one was refused"
                              : reason;
  pairs_.add(plan_.pairs.where(i) + ": pair refused, " + rows + ": " + why);
}

void Refusals::report(const Console& console, std::size_t samples) const {
  samples_.report(console, samples, "sample");
  pairs_.report(console, pairs_.count, "pair");
}

}  // namespace whittle::cli
