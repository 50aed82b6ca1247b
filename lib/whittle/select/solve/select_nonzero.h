// What linear models select: the features with a weight other than 0, of those selected otherwise.
#ifndef WHITTLE_SELECT_SOLVE_SELECT_NONZERO_H_
#define WHITTLE_SELECT_SOLVE_SELECT_NONZERO_H_

#include <cstddef>

#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

inline void select_nonzero(Span<const Real> scores, Span<bool> selected) {
  for (std::size_t j = 0; j < scores.size(); ++j) selected[j] = selected[j] && scores[j] > 0;
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SELECT_NONZERO_H_
