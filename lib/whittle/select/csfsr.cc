#include "whittle/select/csfsr.h"

#include <algorithm>

namespace whittle {

Csfsr::Csfsr(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory), csfs_(arena, memory, values), min_mi_(values[5]) {
  tree_.place(arena, memory.config().features, values.integer(4));
}

Status Csfsr::score(Span<Real> scores, InfoList* info) { return csfs_.score(scores, info); }

void Csfsr::decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) {
  const auto most =
      static_cast<std::size_t>(std::count(selected.begin(), selected.end(), true));  // top N or all
  const std::size_t kept = tree_.eliminate(memory_.points(), scores, min_mi_, order);
  for (std::size_t i = 0; i < order.size(); ++i) selected[order[i]] = i < std::min(kept, most);
}

}  // namespace whittle
