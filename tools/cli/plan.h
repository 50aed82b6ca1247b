// Plan: what `rank` and `stream` do with a file, worked out before the first sample moves. Both
// make it here, so both rank with the same memory, parameters and scaling.
#ifndef WHITTLE_TOOLS_CLI_PLAN_H_
#define WHITTLE_TOOLS_CLI_PLAN_H_

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "tools/cli/dataset.h"
#include "tools/cli/scaling.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::cli {

enum class Format { table, json, csv };

struct RankOptions {
  std::string file;
  std::string selector;
  DatasetOptions dataset;
  Scaling scaling = Scaling::none;
  std::vector<std::string> parameters;  // "key=value"
  std::uint32_t top = 0;                // how many to select; 0: all that have a score
  Format format = Format::table;
};

struct Plan {
  RankerConfig config;
  Dataset data;
  Scale scale;
};

// Checks the options, reads the file, finds the scale. Without parameters the memory holds every
// sample of the file; distances between points are kept only if some may have to leave.
// Throws UsageError and Error.
Plan make_plan(const RankOptions& options, std::istream& in);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_PLAN_H_
