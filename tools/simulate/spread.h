// Mean and standard deviation of one feature over all readings.
#ifndef WHITTLE_TOOLS_SIMULATE_SPREAD_H_
#define WHITTLE_TOOLS_SIMULATE_SPREAD_H_

#include <cstddef>

#include "tools/simulate/readings.h"

namespace whittle::simulate {

struct Spread {
  double mean = 0;
  double deviation = 0;
};

Spread spread_of(const Readings& readings, std::size_t feature);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_SPREAD_H_
