// Energy models as people write them.
#ifndef WHITTLE_TOOLS_CLI_ENERGY_H_
#define WHITTLE_TOOLS_CLI_ENERGY_H_

#include <string>

#include "tools/simulate/energy.h"

namespace whittle::cli {

// The name of a model, or amounts in microjoules: "sample=5,feature=2,byte=0", each at most once.
// What is not among them stays as in the first model; name and source of the result say so. Throws
// UsageError: it is neither.
simulate::EnergyModel parse_energy(const std::string& text);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_ENERGY_H_
