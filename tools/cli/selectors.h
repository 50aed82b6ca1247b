// The selectors this program knows: all there are.
#ifndef WHITTLE_TOOLS_CLI_SELECTORS_H_
#define WHITTLE_TOOLS_CLI_SELECTORS_H_

#include <string>

#include "whittle/select/catalog.h"

namespace whittle::cli {

Catalog all_selectors();

// Throws UsageError, listing the selectors, if there is no such one.
const SelectorType& find_selector(const std::string& id);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SELECTORS_H_
