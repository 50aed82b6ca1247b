// SensorDriver: the sensors of a node, as an application or a board has them.
#ifndef WHITTLE_NODE_SENSING_DRIVER_H_
#define WHITTLE_NODE_SENSING_DRIVER_H_

#include <cstddef>

#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

class SensorDriver {
 public:
  // m, the same always.
  virtual std::size_t features() const = 0;

  // Reads the features with mask[r] into values[r]; NaN (kNoScore) where a sensor has no value.
  // Everything else it may let sleep; what it writes there is not looked at.
  virtual void read(Span<const bool> mask, Span<Real> values) = 0;

 protected:
  ~SensorDriver() = default;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SENSING_DRIVER_H_
