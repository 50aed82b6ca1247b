// The page that shows a record: one HTML file that needs nothing else, no script and no network.
#ifndef WHITTLE_TOOLS_SIMULATE_REPORT_H_
#define WHITTLE_TOOLS_SIMULATE_REPORT_H_

#include <string>

#include "tools/simulate/record.h"

namespace whittle::simulate {

std::string report_page(const Record& record);

// "fisher, top"; the run of all features has no selector that matters.
std::string run_name(const RunRecord& run);

// A table for a terminal: one line per run.
std::string summary_table(const Record& record);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_REPORT_H_
