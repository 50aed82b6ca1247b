// Refusals: which samples, pairs, late labels and rescalings the core would not take, and the first
// reasons, for warnings. The core may be in this process or on a node: what is said is the same.
#ifndef WHITTLE_TOOLS_CLI_REFUSALS_H_
#define WHITTLE_TOOLS_CLI_REFUSALS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/plan.h"
#include "tools/cli/script.h"
#include "whittle/base/status.h"

namespace whittle::cli {

class Refusals {
 public:
  explicit Refusals(const Plan& plan) : plan_(plan) {}

  // What came of a step of the plan's script; `reason` as describe() words it.
  void add(const Step& step, StatusCode code, const std::string& reason);

  // The core had taken in, or refused, so many steps of the script before: what came of them is not
  // known here.
  void resumed(const std::vector<Step>& script, std::size_t steps);

  // `samples`: how many of them in all, when that is known better than by what was added (a lost
  // answer, a stream that was resumed).
  void report(const Console& console, std::size_t samples) const;
  void report(const Console& console) const;
  std::size_t samples() const { return samples_.count; }

 private:
  struct List {
    std::size_t count = 0;
    std::vector<std::string> first;
    void add(const std::string& text);
    // Names the first, and if there are more, how many `all` are; `of_what`: since when.
    void report(const Console& console, std::size_t all, const char* noun,
                const std::string& of_what) const;
  };

  void report_others(const Console& console, const std::string& of_what) const;
  std::string of_what_is_known() const;

  std::string about(const Step& step, StatusCode code, const std::string& reason) const;

  const Plan& plan_;
  List samples_;
  List pairs_;
  List labels_;
  List rescalings_;
  std::string since_;  // "": since the first step
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_REFUSALS_H_
