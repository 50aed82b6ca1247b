#include "whittle/select/cs2.h"

#include "whittle/select/class_moments.h"
#include "whittle/select/ratio.h"

namespace whittle {

Status Cs2::score(Span<Real> scores, InfoList* /*info*/) {
  if (memory_.counts().labelled < 2) {
    return {StatusCode::failed_precondition, "cs2 needs a pair: two labelled samples"};
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const ClassSpread spread = class_spread(memory_, r);
    const Real gain = memory_.gain(r);
    const bool constant = gain == 0 || (spread.within == 0 && spread.between == 0);
    const Real difference = spread.must_link - nu_ * spread.cannot_link;
    scores[r] = constant ? kNoScore : unless_overflown(difference * gain * gain);
  }
  return {};
}

}  // namespace whittle
