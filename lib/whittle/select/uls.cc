#include "whittle/select/uls.h"

#include "whittle/select/ratio.h"

namespace whittle {

Uls::Uls(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory), universum_{values[3], values[4], values[5] == Real(1)} {
  rule_.lambda = values[1];
  scatter_.place(arena, memory.config());
  sums_.place(arena, memory.config().features);
}

Status Uls::score(Span<Real> scores, InfoList* info) {
  if (const Status status = scatter_.build(memory_, rule_); !status.ok()) return status;
  if (info != nullptr) info->real("lambda_used", scatter_.lambda());
  const HeldPoints& points = memory_.points();
  laplacian_scores(points, scatter_, sums_, scores);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    if (!has_score(scores[r])) continue;
    scores[r] =
        unless_overflown(universum_.of(memory_, r, held_moment(points, r)) - Real(2) * scores[r]);
  }
  return {};
}

}  // namespace whittle
