// Refusals: which samples and pairs the core would not take, and the first reasons, for warnings.
// The core may be in this process or on a node: what is said is the same.
#ifndef WHITTLE_TOOLS_CLI_REFUSALS_H_
#define WHITTLE_TOOLS_CLI_REFUSALS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/plan.h"
#include "whittle/base/status.h"

namespace whittle::cli {

class Refusals {
 public:
  explicit Refusals(const Plan& plan) : plan_(plan) {}

  // Row `i` of the data, pair `i` of the plan, was refused; `reason` as describe() words it.
  void add_sample(std::size_t i, const std::string& reason);
  void add_pair(std::size_t i, StatusCode code, const std::string& reason);

  // `samples`: how many of them in all, when that is known better than by what was added (a lost
  // answer).
  void report(const Console& console, std::size_t samples) const;
  void report(const Console& console) const { report(console, samples_.count); }
  std::size_t samples() const { return samples_.count; }

 private:
  struct List {
    std::size_t count = 0;
    std::vector<std::string> first;
    void add(const std::string& text);
    void report(const Console& console, std::size_t all, const char* noun) const;
  };

  const Plan& plan_;
  List samples_;
  List pairs_;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_REFUSALS_H_
