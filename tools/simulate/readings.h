// Readings: what the sensors of a simulated fleet will read, row by row, and the truth about it.
#ifndef WHITTLE_TOOLS_SIMULATE_READINGS_H_
#define WHITTLE_TOOLS_SIMULATE_READINGS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle::simulate {

inline constexpr std::uint32_t kNoClass = ~std::uint32_t{0};

struct Readings {
  std::string name;                   // of the data, for the report
  std::vector<std::string> features;  // names of the m features
  std::vector<std::string> classes;   // names of class 0, 1, ...
  std::vector<Real> values;           // rows() x m, row by row; NaN: missing
  std::vector<std::uint32_t> truth;   // by row; kNoClass: nobody knows

  std::size_t rows() const { return truth.size(); }
  Span<const Real> row(std::size_t i) const {
    return {values.data() + i * features.size(), features.size()};
  }
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_READINGS_H_
