#include "whittle/select/cs2.h"

#include "whittle/select/class_moments.h"
#include "whittle/select/ratio.h"

namespace whittle {

Status Cs2::score(Span<Real> scores, InfoList* /*info*/) {
  if (memory_.counts().labelled < 2 &&
      memory_.explicit_pairs(true) + memory_.explicit_pairs(false) == 0) {
    return {StatusCode::failed_precondition,
            "cs2 needs a pair: two labelled samples, or an explicit one"};
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const ClassSpread spread = class_spread(memory_, r);
    const Real gain = memory_.gain(r);
    const Real must_link = spread.must_link + memory_.explicit_pair_sum(true, r);
    const Real cannot_link = spread.cannot_link + memory_.explicit_pair_sum(false, r);
    const bool constant = gain == 0 || (must_link == 0 && cannot_link == 0 && spread.within == 0 &&
                                        spread.between == 0);
    const Real difference = must_link - nu_ * cannot_link;
    scores[r] = constant ? kNoScore : unless_overflown(difference * gain * gain);
  }
  return {};
}

}  // namespace whittle
