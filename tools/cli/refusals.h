// Refusals: which samples the core would not take, and the first reasons, for a warning.
#ifndef WHITTLE_TOOLS_CLI_REFUSALS_H_
#define WHITTLE_TOOLS_CLI_REFUSALS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/dataset.h"

namespace whittle::cli {

class Refusals {
 public:
  // Row `i` of `data` was refused for `reason`.
  void add(const Dataset& data, std::size_t i, const std::string& reason);
  // How many in all, when that is known better than by what was added (a lost answer).
  void report(const Console& console, std::size_t refused) const;
  std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kShown = 3;
  std::size_t count_ = 0;
  std::vector<std::string> first_;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_REFUSALS_H_
