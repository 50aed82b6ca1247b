#include "whittle/select/fisher.h"

#include "whittle/select/class_moments.h"
#include "whittle/select/ratio.h"

namespace whittle {

Status Fisher::score(Span<Real> scores, InfoList* /*info*/) {
  if (classes_seen(memory_) < 2) {
    return {StatusCode::failed_precondition, "fisher needs labelled samples of two classes"};
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const ClassSpread spread = class_spread(memory_, r);
    scores[r] = memory_.gain(r) == 0 ? kNoScore : ratio(spread.between, spread.within);
  }
  return {};
}

}  // namespace whittle
