#include "whittle/select/ss.h"

#include "whittle/select/held_moment.h"
#include "whittle/select/ratio.h"

namespace whittle {

Ss::Ss(Arena& arena, const StreamMemory& memory, const ParamValues& /*values*/) : memory_(memory) {
  reconstruction_.place(arena, memory.config());
}

Status Ss::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  if (points.size() == 0) {
    return {StatusCode::failed_precondition, "ss needs a labelled or unlabelled sample held"};
  }
  if (const Status status = reconstruction_.measure(points); !status.ok()) return status;
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const bool constant = held_moment(points, r).constant;
    scores[r] = constant ? kNoScore : unless_overflown(reconstruction_.error(r));
  }
  reconstruction_.report(info);
  return {};
}

}  // namespace whittle
