// Ranks some samples of a data set, a few of them with their label.
#ifndef WHITTLE_TOOLS_EVIDENCE_RANK_ROWS_H_
#define WHITTLE_TOOLS_EVIDENCE_RANK_ROWS_H_

#include <cstddef>
#include <vector>

#include "tools/cli/dataset.h"
#include "tools/evidence/agreement.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::evidence {

using Rows = std::vector<std::size_t>;

// The selector with its default parameters, but for one.
RankerConfig config_with(const SelectorType& type, const char* name = nullptr, Real value = 0);

// Ranks the samples `rows`, those that are in `labelled` with their class, the others without.
// Throws std::runtime_error if they cannot be ranked.
Ranks rank_rows(RankerConfig config, const cli::Dataset& data, const Rows& rows,
                const Rows& labelled);

}  // namespace whittle::evidence

#endif  // WHITTLE_TOOLS_EVIDENCE_RANK_ROWS_H_
