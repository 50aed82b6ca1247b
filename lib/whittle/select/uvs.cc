#include "whittle/select/uvs.h"

#include "whittle/select/ratio.h"

namespace whittle {

Status Uvs::score(Span<Real> scores, InfoList* /*info*/) {
  if (memory_.counts().labelled + memory_.counts().unlabelled == 0) {
    return {StatusCode::failed_precondition, "uvs needs a labelled or unlabelled sample"};
  }
  const Moments& moments = memory_.moments();
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const Moment x = memory_.ordinary_moment(r);
    const Moment u = moments.of(moments.universum(), r);
    const Real gain = memory_.gain(r);
    Real score = x.variance();
    bool constant = gain == 0 || x.deviations == 0;
    if (u.count > 0) {
      const Real shift = mean_difference(u, x);
      const Real distance = shift * shift + u.variance() + x.variance();
      const Real spread = Real(2) * (printed_norm_ ? u.deviations : u.variance());
      score += alpha_ * distance - beta_ * spread;
      constant = gain == 0 || merged(x, u).deviations == 0;
    }
    scores[r] = constant ? kNoScore : unless_overflown(score * gain * gain);
  }
  return {};
}

}  // namespace whittle
