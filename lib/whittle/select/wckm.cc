#include "whittle/select/wckm.h"

#include <algorithm>

namespace whittle {

Status Wckm::memberships(Slot slot, Span<Real> degrees) const {
  if (!holds(slot)) return {StatusCode::failed_precondition, "wckm: no point in this slot"};
  const Real* known = shown().degrees(slot);
  if (std::all_of(known, known + degrees.size(), [](Real a) { return a == 0; })) {
    return {StatusCode::failed_precondition, "wckm: no degrees for this slot yet"};
  }
  std::copy_n(known, degrees.size(), degrees.begin());
  return {};
}

}  // namespace whittle
