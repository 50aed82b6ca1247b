#include "whittle/select/drsvm.h"

#include "whittle/select/solve/select_nonzero.h"

namespace whittle {

Drsvm::Drsvm(Arena& arena, const StreamMemory& memory, const ParamValues& values) {
  const HingePenalty penalty = {values[0], 0, values[1], values[2], values[3]};
  svm_.place(arena, memory, penalty, values.integer(4));
}

void Drsvm::observe(const Observation& seen) {
  if (seen.kind != SampleKind::universum) svm_.changed();
}

Status Drsvm::score(Span<Real> scores, InfoList* info) {
  return svm_.score("drsvm needs labelled samples of two classes", scores, info);
}

void Drsvm::decide(Span<const Real> scores, Span<std::uint32_t> /*order*/, Span<bool> selected) {
  select_nonzero(scores, selected);
}

}  // namespace whittle
