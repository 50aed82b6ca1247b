#include "whittle/select/l2gfs.h"

#include <algorithm>

namespace whittle {

Status L2gfs::create(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                     Selector** selector) {
  if (values[0] == Real(1)) {
    return {StatusCode::invalid_argument, "l2gfs: beta must not be 1"};
  }
  return create_selector<L2gfs>(arena, memory, values, selector);
}

Status L2gfs::memberships(Slot slot, Span<Real> degrees) const {
  if (!holds(slot) || shown().membership(slot) == kNoCluster) {
    return {StatusCode::failed_precondition, "l2gfs: no cluster for this slot yet"};
  }
  std::fill(degrees.begin(), degrees.end(), Real(0));
  degrees[shown().membership(slot)] = 1;
  return {};
}

}  // namespace whittle
