// Pruning policies as people write them.
#ifndef WHITTLE_TOOLS_CLI_POLICIES_H_
#define WHITTLE_TOOLS_CLI_POLICIES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/simulate/policy.h"

namespace whittle::cli {

inline constexpr char kPolicyHelp[] =
    "all, random, once, top, decision, threshold=SCORE or budget=COST";

// `keep`: features that random, once and top keep, 0: half of them. `assignments`: "name=value" of
// what the pruner does with every rule. Throws UsageError: one is none, saying what there is; two
// are the same, however they are written.
std::vector<simulate::Policy> parse_policies(const std::vector<std::string>& texts,
                                             std::uint32_t keep,
                                             const std::vector<std::string>& assignments);

// "warm_up (samples sensed whole at the start): a whole number from 0 to 4294967295, default 256",
// one a line.
std::string describe_pruning();

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_POLICIES_H_
