// What a reader of a result should be warned of.
#ifndef WHITTLE_TOOLS_CLI_WARNINGS_H_
#define WHITTLE_TOOLS_CLI_WARNINGS_H_

#include "tools/cli/console.h"
#include "tools/cli/plan.h"
#include "tools/cli/result.h"

namespace whittle::cli {

// Warns of what warn_of_scale() does, if the solver had not converged when max_iter ended it, and
// if clusters collapsed.
void warn_of_result(const Plan& plan, const Result& result, const Console& console);

// Warns if most classes have one row only, as where the label is a measured number, and if no row
// has the label that was given as that of universum samples.
void warn_of_labels(const Dataset& data, const DatasetOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_WARNINGS_H_
