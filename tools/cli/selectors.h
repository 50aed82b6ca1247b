// The selectors this program knows: all there are.
#ifndef WHITTLE_TOOLS_CLI_SELECTORS_H_
#define WHITTLE_TOOLS_CLI_SELECTORS_H_

#include <string>

#include "whittle/rank/feature_ranker.h"
#include "whittle/select/catalog.h"

namespace whittle::cli {

Catalog all_selectors();

// Throws UsageError, listing the selectors, if there is no such one.
const SelectorType& find_selector(const std::string& id);

// Whether explicit pairs can change the scores of this selector with these parameters.
bool reads_pairs(const RankerConfig& config);
// Those of which they can: "cs1, ls (use_labels=true)".
std::string pair_readers();

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SELECTORS_H_
