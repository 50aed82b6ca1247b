#include "whittle/select/held_moment.h"

#include "whittle/base/lanes.h"

namespace whittle {

HeldMoment held_moment(const HeldPoints& points, std::size_t feature) {
  HeldMoment moment;
  CompensatedSum sum;
  for (const Slot slot : points.order()) {
    const Real value = points.row(slot)[feature];
    if (is_missing(value)) continue;
    if (moment.count == 0) moment.origin = value;
    moment.constant = moment.constant && value == moment.origin;
    moment.count += Real(1);
    sum.add(value - moment.origin);
  }
  if (moment.count == 0) return moment;
  moment.mean = sum.value() / moment.count;
  CompensatedSum squares;
  for (const Slot slot : points.order()) {
    const Real value = points.row(slot)[feature];
    if (is_missing(value)) continue;
    const Real d = (value - moment.origin) - moment.mean;
    squares.add(d * d);
  }
  moment.deviations = squares.value();
  return moment;
}

}  // namespace whittle
