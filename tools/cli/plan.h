// Plan: what `rank` and `stream` do with a file, worked out before the first sample moves. Both
// make it here, so both rank with the same memory, parameters and scaling.
#ifndef WHITTLE_TOOLS_CLI_PLAN_H_
#define WHITTLE_TOOLS_CLI_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/dataset.h"
#include "tools/cli/pairs.h"
#include "tools/cli/scaling.h"
#include "tools/cli/test_rows.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::cli {

enum class Format { table, json, csv };

struct RankOptions {
  std::string file;
  std::string selector;
  DatasetOptions dataset;
  Scaling scaling = Scaling::none;
  std::vector<std::string> parameters;  // "key=value"
  std::string pairs;                    // a file of explicit pairs, or nothing
  std::uint32_t top = 0;                // how many to select; 0: all that have a score
  std::uint32_t label_delay = 0;        // rows after which a row's label follows; 0: with it
  std::uint32_t rescale_every = 0;      // rows after which the scale is learned again; 0: never
  std::string predict;                  // a file of rows to be classified, or nothing
  bool memberships = false;             // of every row that is held in the end
  bool plot = false;                    // scores as bars, in a terminal
  Format format = Format::table;
};

struct Plan {
  RankerConfig config;
  Dataset data;
  Pairs pairs;
  Scale scale;  // empty for scaling none, and if the scale is learned
  std::uint32_t label_delay = 0;
  std::uint32_t rescale_every = 0;
  std::optional<TestRows> test;
  bool memberships = false;
};

// Checks the options, reads the files, finds the scale. What the command line leaves open:
//   labelled, window  every sample of the file if something reads held samples (the selector,
//                     redundancy, pairs, late labels), else none; the window then has room for
//                     the samples that wait for their labels, too
//   geometry          with a codebook: hybrid if a window is given, else codebook; else window
//   codebook          kDefaultCodebook prototypes if the geometry has them
//   pairs             as many as the file of pairs has
// Warns of parameters and pairs that have no effect; such pairs are left out. Throws UsageError and
// Error.
Plan make_plan(const RankOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_PLAN_H_
