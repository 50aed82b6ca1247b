// What is amiss with the nodes of a record, for people, and what may help.
#ifndef WHITTLE_TOOLS_SIMULATE_NOTES_H_
#define WHITTLE_TOOLS_SIMULATE_NOTES_H_

#include <string>
#include <vector>

#include "tools/simulate/record.h"

namespace whittle::simulate {

struct Trouble {
  std::vector<std::string> notes;  // one or more
  std::string advice;
};

// Of each kind that there is:
// - nodes that were to prune and never did, for each lack (lack.h), run and reason: "fisher, top: 2
//   of 4 nodes (1, 3) never ranked and sensed everything: fisher needs labelled samples of two
//   classes"; with those that lack a scale, nodes whose scale takes some features for constant that
//   vary later;
// - nodes that learned from fewer samples than their scale takes;
// - nodes that dropped more than a tenth of their readings, for each run;
// - runs in which no label came to any node, though there are classes.
std::vector<Trouble> troubles(const Record& record);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_NOTES_H_
