#include "whittle/select/sc4.h"

#include "whittle/select/ratio.h"

namespace whittle {

Sc4::Sc4(Arena& arena, const StreamMemory& memory, const ParamValues& values) : memory_(memory) {
  const MemoryConfig& config = memory.config();
  rule_.lambda = values[1];
  scatter_.place(arena, config);
  sums_.place(arena, config.features);
  groups_.place(arena, config);
}

Status Sc4::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  if (memory_.constraints().cannot_link_points(points) == 0) {
    return {StatusCode::failed_precondition,
            "sc4 needs a cannot-link pair: labelled samples of two classes"};
  }
  if (const Status status = scatter_.build(memory_, rule_); !status.ok()) return status;
  if (info != nullptr) info->real("lambda_used", scatter_.lambda());
  laplacian_scores(points, scatter_, sums_, scores);
  groups_.measure(memory_, sums_.origin());
  // 0 times inf and a factor that is no score make NaN, but not always the bits of kNoScore.
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const Real product = scores[r] * ratio(groups_.must_link(r), groups_.cannot_link(r));
    scores[r] = has_score(product) ? product : kNoScore;
  }
  return {};
}

}  // namespace whittle
