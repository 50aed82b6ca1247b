// The logistic sigmoid 1 / (1 + e^-t) and its logarithm, without overflow. Cost: one exp; the
// logarithm a log too.
#ifndef WHITTLE_SELECT_SOLVE_LOGISTIC_H_
#define WHITTLE_SELECT_SOLVE_LOGISTIC_H_

#include "whittle/base/math.h"
#include "whittle/base/real.h"

namespace whittle {

inline Real sigmoid(Real t) { return Real(1) / (Real(1) + whittle::exp(-t)); }

inline Real log_sigmoid(Real t) {
  const bool negative = t < 0;
  const Real tail = whittle::log(Real(1) + whittle::exp(negative ? t : -t));
  return (negative ? t : Real(0)) - tail;
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_LOGISTIC_H_
