// Nodes that were to prune and never did, for people.
#ifndef WHITTLE_TOOLS_SIMULATE_UNRANKED_H_
#define WHITTLE_TOOLS_SIMULATE_UNRANKED_H_

#include <string>
#include <vector>

#include "tools/simulate/record.h"

namespace whittle::simulate {

// "fisher, top: 2 of 4 nodes (1, 3) never ranked and sensed everything: fisher needs labelled
// samples of two classes", one for each run and reason.
std::vector<std::string> unranked_notes(const Record& record);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_UNRANKED_H_
