#include "whittle/select/ls.h"

namespace whittle {

Ls::Ls(Arena& arena, const StreamMemory& memory, const ParamValues& values) : memory_(memory) {
  rule_.lambda = values[1];
  rule_.must_link_pairs = values.boolean(3);
  scatter_.place(arena, memory.config(), true);
  sums_.place(arena, memory.config().features);
}

Status Ls::score(Span<Real> scores, InfoList* info) {
  if (const Status status = scatter_.build(memory_, rule_); !status.ok()) return status;
  laplacian_scores(memory_.points(), scatter_, sums_, scores);
  if (info != nullptr) info->real("lambda_used", scatter_.lambda());
  return {};
}

}  // namespace whittle
