#include "whittle/select/universum_terms.h"

namespace whittle {

Real UniversumTerms::of(const StreamMemory& memory, std::size_t feature,
                        const HeldMoment& held) const {
  const Moments& moments = memory.moments();
  const Moment u = moments.of(moments.universum(), feature);
  if (u.count == 0) return Real(0);
  const Real gain = memory.gain(feature);
  const Real variance = u.variance() * gain * gain;
  // The universum mean less the origin of the held ones, in an order that keeps digits.
  const Real mean = ((u.mean - memory.offset(feature)) * gain - held.origin) + u.mean_rest * gain;
  const Real shift = mean - held.mean;
  const Real distance = shift * shift + variance + held.deviations / held.count;
  const Real spread = Real(2) * (printed_norm ? u.count * variance : variance);
  return alpha * distance - beta * spread;
}

}  // namespace whittle
