// The name of a stream: a number from everything that a plan sends to a node. A node repeats it, so
// a sender that starts anew sees whether the node holds a part of this very stream.
#ifndef WHITTLE_TOOLS_CLI_STREAM_NAME_H_
#define WHITTLE_TOOLS_CLI_STREAM_NAME_H_

#include <cstdint>
#include <vector>

#include "tools/cli/plan.h"
#include "tools/cli/script.h"
#include "whittle/wire/codec.h"

namespace whittle::cli {

// Of `configure` it takes what changes the result. Never 0.
std::uint64_t stream_name(const Plan& plan, const std::vector<Step>& script,
                          const whittle_v1_Configure& configure);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_STREAM_NAME_H_
