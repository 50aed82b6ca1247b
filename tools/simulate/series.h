// Means of the series of a run, a value a checkpoint.
#ifndef WHITTLE_TOOLS_SIMULATE_SERIES_H_
#define WHITTLE_TOOLS_SIMULATE_SERIES_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tools/simulate/record.h"

namespace whittle::simulate {

// Of the values from `first` on, before `last`, that are there; NaN if none is.
inline double mean_of(const std::vector<double>& series, std::size_t first, std::size_t last) {
  double sum = 0, count = 0;
  for (std::size_t i = first; i < std::min(last, series.size()); ++i) {
    if (std::isnan(series[i])) continue;
    sum += series[i];
    ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

// Over the last third of the checkpoints.
inline double late_mean(const Record& record, const std::vector<double>& series) {
  return mean_of(series, record.checkpoints.size() * 2 / 3, series.size());
}

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_SERIES_H_
