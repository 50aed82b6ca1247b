#include "whittle/select/cs1.h"

#include "whittle/select/class_moments.h"
#include "whittle/select/ratio.h"

namespace whittle {

Status Cs1::score(Span<Real> scores, InfoList* /*info*/) {
  if (classes_seen(memory_) < 2 && memory_.explicit_pairs(false) == 0) {
    return {StatusCode::failed_precondition,
            "cs1 needs a cannot-link pair: labelled samples of two classes, or an explicit one"};
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const ClassSpread spread = class_spread(memory_, r);
    const Real must_link = spread.must_link + memory_.explicit_pair_sum(true, r);
    const Real cannot_link = spread.cannot_link + memory_.explicit_pair_sum(false, r);
    scores[r] = memory_.gain(r) == 0 ? kNoScore : ratio(must_link, cannot_link);
  }
  return {};
}

}  // namespace whittle
