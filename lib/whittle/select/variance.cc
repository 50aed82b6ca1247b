#include "whittle/select/variance.h"

#include "whittle/select/ratio.h"

namespace whittle {

Status Variance::score(Span<Real> scores, InfoList* /*info*/) {
  if (memory_.counts().labelled + memory_.counts().unlabelled == 0) {
    return {StatusCode::failed_precondition, "variance needs a labelled or unlabelled sample"};
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const Moment all = memory_.ordinary_moment(r);
    const Real gain = memory_.gain(r);
    const Real variance = all.variance() * gain * gain;
    scores[r] = variance > 0 ? unless_overflown(variance) : kNoScore;
  }
  return {};
}

}  // namespace whittle
