// Offsets and gains found in a first pass over a data set: scaled = (raw - offset) * gain.
#ifndef WHITTLE_TOOLS_CLI_SCALING_H_
#define WHITTLE_TOOLS_CLI_SCALING_H_

#include <vector>

#include "tools/cli/dataset.h"
#include "whittle/base/real.h"
#include "whittle/memory/memory_config.h"

namespace whittle::cli {

struct Scale {
  std::vector<Real> offset;  // one per feature; both empty for Scaling::none
  std::vector<Real> gain;
};

// minmax: to [0, 1]; zscore: mean 0, population standard deviation 1; over the present values of
// all samples that are neither universum nor refused, in double precision. A constant feature gets
// gain 0. Throws Error: a spread too small or too large for the core's precision, naming the
// column.
Scale find_scale(const Dataset& data, Scaling scaling);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SCALING_H_
