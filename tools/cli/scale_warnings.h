// Warnings of values that their scale, or the lack of one, makes of no use.
#ifndef WHITTLE_TOOLS_CLI_SCALE_WARNINGS_H_
#define WHITTLE_TOOLS_CLI_SCALE_WARNINGS_H_

#include "tools/cli/console.h"
#include "tools/cli/plan.h"
#include "tools/cli/result.h"

namespace whittle::cli {

// Warns if the scale was to be learned from more samples than there were, or from samples in which
// a feature did not vary yet, so that rows lost its values, and if features have no score of use,
// or one that is off, since their squares do not fit the core's precision.
void warn_of_scale(const Plan& plan, const Result& result, const Console& console);

// What may be why there is no ranking: features whose squares do not fit the core's precision, as
// they are or as the learned scale makes them, or without a gain, of which a selector that computes
// distances says no more than that the graph has no edge or that distances overflow.
void warn_of_failure(const Plan& plan, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SCALE_WARNINGS_H_
