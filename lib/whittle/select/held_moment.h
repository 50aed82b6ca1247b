// HeldMoment: mean and spread of one feature over the held points that have it.
#ifndef WHITTLE_SELECT_HELD_MOMENT_H_
#define WHITTLE_SELECT_HELD_MOMENT_H_

#include <cstddef>

#include "whittle/base/real.h"
#include "whittle/memory/held_points.h"

namespace whittle {

struct HeldMoment {
  Real count = 0;        // points that have the feature
  Real origin = 0;       // the oldest one's value
  Real mean = 0;         // less the origin
  Real deviations = 0;   // sum of (f - mean)^2 (SS)
  bool constant = true;  // max == min, or no value at all
};

// In scaled units, as points are held. Cost: two passes over the points.
HeldMoment held_moment(const HeldPoints& points, std::size_t feature);

}  // namespace whittle

#endif  // WHITTLE_SELECT_HELD_MOMENT_H_
