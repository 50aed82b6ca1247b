#include "whittle/select/uss.h"

#include "whittle/select/held_moment.h"
#include "whittle/select/ratio.h"

namespace whittle {

Uss::Uss(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory), terms_{values[0], values[1], values[2] == Real(1)} {
  reconstruction_.place(arena, memory.config());
}

Status Uss::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  if (points.size() == 0) {
    return {StatusCode::failed_precondition, "uss needs a labelled or unlabelled sample held"};
  }
  if (const Status status = reconstruction_.measure(points); !status.ok()) return status;
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const HeldMoment x = held_moment(points, r);
    // n var_r of the points with their missing values filled in is that of the present ones, SS.
    const Real share = ratio(reconstruction_.error(r), x.deviations);
    scores[r] = x.constant || !has_score(share)
                    ? kNoScore
                    : unless_overflown(terms_.of(memory_, r, x) - share);
  }
  reconstruction_.report(info);
  return {};
}

}  // namespace whittle
