#include "whittle/select/class_moments.h"

namespace whittle {

std::uint32_t classes_seen(const StreamMemory& memory) {
  std::uint32_t seen = 0;
  for (std::uint32_t c = 0; c < memory.config().classes; ++c) {
    seen += memory.count(c) > 0 ? 1U : 0U;
  }
  return seen;
}

ClassSpread class_spread(const StreamMemory& memory, std::size_t feature) {
  const Moment all = memory.labelled_moment(feature);
  ClassSpread spread = {0, 0, 0, 0};
  for (std::uint32_t c = 0; c < memory.config().classes; ++c) {
    const Moment one = memory.moment(c, feature);
    if (one.count == 0) continue;
    const Real shift = mean_difference(one, all);
    spread.between += one.count * shift * shift;
    spread.within += one.deviations;
    spread.must_link += one.count * one.deviations;
    spread.cannot_link += (all.count - one.count) * one.deviations;
  }
  spread.cannot_link += all.count * spread.between;
  return spread;
}

}  // namespace whittle
