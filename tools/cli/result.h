// Result: a ranking and what it was made from, ready to print. `rank` fills it from the core,
// `stream` from a node's answers; the printers do not know which.
#ifndef WHITTLE_TOOLS_CLI_RESULT_H_
#define WHITTLE_TOOLS_CLI_RESULT_H_

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/plan.h"
#include "whittle/base/real.h"
#include "whittle/select/info.h"

namespace whittle::cli {

struct Result {
  struct Samples {
    std::uint64_t labelled = 0;
    std::uint64_t unlabelled = 0;
    std::uint64_t universum = 0;
    std::uint64_t held = 0;
    std::uint64_t refused = 0;
  };
  struct Info {
    std::string name;
    InfoKind kind = InfoKind::real;
    Real number = 0;
    std::string text;
  };

  Samples samples;
  std::vector<Real> scores;          // by feature; NaN: no score
  std::vector<std::uint32_t> order;  // features, best first
  std::vector<bool> selected;        // by feature
  std::vector<Info> info;
};

// Warns if the scale was to be learned from more samples than there were.
void warn_of_scale(const Plan& plan, const Result& result, const Console& console);

// For people: a summary, then one aligned row per feature, best first.
void print_table(const Plan& plan, const Result& result, std::ostream& out);
// One line, the program's stable output.
void print_json(const Plan& plan, const Result& result, std::ostream& out);
// rank,index,name,score,selected; best first.
void print_csv(const Plan& plan, const Result& result, std::ostream& out);

void print(Format format, const Plan& plan, const Result& result, std::ostream& out);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_RESULT_H_
