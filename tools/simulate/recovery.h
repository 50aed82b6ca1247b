// How long a run takes to recover from a drift.
#ifndef WHITTLE_TOOLS_SIMULATE_RECOVERY_H_
#define WHITTLE_TOOLS_SIMULATE_RECOVERY_H_

#include "tools/simulate/record.h"

namespace whittle::simulate {

// Samples from the drift to the first checkpoint from which on `run` keeps up with the first run of
// the record (with itself, if there is none yet), at once and in the long run; NaN: none, or there
// is no drift.
double recovery_of(const Record& record, const RunRecord& run);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_RECOVERY_H_
