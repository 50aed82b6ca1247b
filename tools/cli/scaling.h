// Offsets and gains found in a first pass over a data set: scaled = (raw - offset) * gain.
#ifndef WHITTLE_TOOLS_CLI_SCALING_H_
#define WHITTLE_TOOLS_CLI_SCALING_H_

#include <cstddef>
#include <cstdint>
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

// Where the scale is learned from the first `learn` such samples, and again every `rescale_every`
// rows (0: never): the features that vary in the file, but not as far as the scale was last learned
// from. They have gain 0. None if there are fewer than `learn` samples.
std::vector<std::size_t> features_that_vary_too_late(const Dataset& data, std::uint32_t learn,
                                                     std::uint32_t rescale_every);

// Features that vary over such samples, but so much or so little that the squares of the
// differences, or their sum over all features and pairs, are past the core's precision or vanish in
// it. `gain`: what they are scaled by, one per feature, 0 where that does not matter; or empty.
std::vector<std::size_t> features_whose_squares_do_not_fit(const Dataset& data,
                                                           const std::vector<Real>& gain = {});

// Features that vary so little that the squares of the differences have few digits, or none: scores
// made of them are off by about one per cent or more. Not scaled.
std::vector<std::size_t> features_whose_squares_are_coarse(const Dataset& data);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SCALING_H_
