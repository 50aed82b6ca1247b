// The parts of the page that compare the runs: what each saves and costs, in all and over time.
#ifndef WHITTLE_TOOLS_SIMULATE_REPORT_COMPARISON_H_
#define WHITTLE_TOOLS_SIMULATE_REPORT_COMPARISON_H_

#include <string>

#include "tools/simulate/record.h"

namespace whittle::simulate {

std::string comparison(const Record& record);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_REPORT_COMPARISON_H_
