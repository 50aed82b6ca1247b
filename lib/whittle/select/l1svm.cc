#include "whittle/select/l1svm.h"

#include "whittle/select/solve/select_nonzero.h"

namespace whittle {

L1svm::L1svm(Arena& arena, const StreamMemory& memory, const ParamValues& values) {
  const HingePenalty penalty = {values[0], 0, values[1], 0, values[2]};
  svm_.place(arena, memory, penalty, values.integer(3));
}

void L1svm::observe(const Observation& seen) {
  if (seen.kind != SampleKind::universum) svm_.changed();
}

Status L1svm::score(Span<Real> scores, InfoList* info) {
  return svm_.score("l1svm needs labelled samples of two classes", scores, info);
}

void L1svm::decide(Span<const Real> scores, Span<std::uint32_t> /*order*/, Span<bool> selected) {
  select_nonzero(scores, selected);
}

}  // namespace whittle
