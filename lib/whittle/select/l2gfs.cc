#include "whittle/select/l2gfs.h"

#include <algorithm>

namespace whittle {

Status L2gfs::memberships(Slot slot, Span<Real> degrees) const {
  if (!holds(slot) || shown().membership(slot) == kNoCluster) {
    return {StatusCode::failed_precondition, "l2gfs: no cluster for this slot yet"};
  }
  std::fill(degrees.begin(), degrees.end(), Real(0));
  degrees[shown().membership(slot)] = 1;
  return {};
}

}  // namespace whittle
