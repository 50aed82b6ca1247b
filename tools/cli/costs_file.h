// The CSV file that says what features cost and which of them one sensor gives together
// (docs/simulation.md).
//
// A header row names the columns: `feature`, and in any order any of `cost` (default 1), `group`,
// `group_cost` (default 0) and `energy` (microjoules). A row for each feature of which there is
// something to say; an empty cell is the default.
#ifndef WHITTLE_TOOLS_CLI_COSTS_FILE_H_
#define WHITTLE_TOOLS_CLI_COSTS_FILE_H_

#include <istream>
#include <string>
#include <vector>

#include "tools/simulate/costs.h"

namespace whittle::cli {

// Of the features with these names. Throws Error, which names file, line and column: a column or a
// feature that there is not, or twice; a number that is none or negative; a group whose cost is
// said differently; a file that cannot be read.
simulate::FeatureCosts read_costs(std::istream& in, const std::string& name,
                                  const std::vector<std::string>& features);
// The same for a file, or standard input (`in`) if the path is "-".
simulate::FeatureCosts read_costs_file(const std::string& path, std::istream& in,
                                       const std::vector<std::string>& features);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_COSTS_FILE_H_
