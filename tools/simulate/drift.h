// Drift: an abrupt change of what the features mean, at a set sample.
#ifndef WHITTLE_TOOLS_SIMULATE_DRIFT_H_
#define WHITTLE_TOOLS_SIMULATE_DRIFT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/simulate/readings.h"

namespace whittle::simulate {

enum class DriftKind {
  none,
  permute,  // every feature reads what another one read before
  rescale,  // every feature times 0.5 to 2, half of them turned over, about its mean
  shift,    // every feature moved by 3 of its standard deviations, up or down
};

struct Drift {
  DriftKind kind = DriftKind::none;
  std::size_t at = 0;  // sample of each node from which on it holds
};

// The readings after the drift; they have no drift of their own.
class Drifted {
 public:
  Drifted(const Readings& readings, DriftKind kind, std::uint64_t seed);
  // Row `i` as it is read; `x` has m places.
  void read(std::size_t i, bool after, Real* x) const;

 private:
  const Readings& readings_;
  std::vector<std::size_t> from_;  // feature that is read
  std::vector<double> gain_, offset_;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_DRIFT_H_
