// ProbeSchedule: when pruned units are sensed all the same, so that they can come back.
//
// Samples are counted in periods of P. In each period every unit is probed once: all in the same
// sample, or one after the other, spread evenly over the period. Where in the period it starts is
// drawn anew for each, from a seed: probes keep no step with labels or with a period of the signal,
// and no sample is more likely to be probed than another. Deterministic.
#ifndef WHITTLE_RANK_PRUNING_PROBES_H_
#define WHITTLE_RANK_PRUNING_PROBES_H_

#include <cstdint>

#include "whittle/base/digest.h"
#include "whittle/base/random.h"

namespace whittle {

class ProbeSchedule {
 public:
  ProbeSchedule() = default;
  // `period`: P; 0: nothing is probed.
  ProbeSchedule(std::uint32_t period, bool together, std::uint64_t seed)
      : random_(seed), period_(period), together_(together) {
    if (period_ > 0) start_ = random_.below(period_);
  }

  // Whether unit `number` of `units` is probed in the current sample.
  bool probes(std::uint32_t number, std::uint32_t units) const {
    if (period_ == 0) return false;
    const std::uint64_t spread =
        together_ ? 0 : std::uint64_t{number} * period_ / (units == 0 ? 1 : units);
    return (start_ + spread) % period_ == place_;
  }

  void advance() {
    if (period_ == 0 || ++place_ < period_) return;
    place_ = 0;
    start_ = random_.below(period_);
  }

  void digest(Digest& digest) const {
    digest.add(place_);
    digest.add(start_);
  }

 private:
  Random random_{0};
  std::uint32_t period_ = 0;
  std::uint32_t place_ = 0;  // of the current sample in its period
  std::uint32_t start_ = 0;  // of the period's first probe
  bool together_ = false;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_PRUNING_PROBES_H_
