// Why a node has never ranked, as far as it can be told from what it holds and answers.
#ifndef WHITTLE_TOOLS_SIMULATE_UNRANKED_H_
#define WHITTLE_TOOLS_SIMULATE_UNRANKED_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/simulate/lack.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/rank/pruning.h"

namespace whittle::simulate {

// What keeps its pruner from asking for a ranking.
Unranked not_asked(const FeaturePruner& pruner);

// What it lacks that was asked and answered so ("" if it did, and no feature has a score).
// `varied`: by feature, whether what it sensed of it did.
Unranked refused(const std::string& answer, const StreamMemory& memory,
                 const std::vector<bool>& varied);

// Of the features that varied, those that the scale takes for constant, if it learned one.
std::size_t taken_for_constant(const StreamMemory& memory, const std::vector<bool>& varied);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_UNRANKED_H_
