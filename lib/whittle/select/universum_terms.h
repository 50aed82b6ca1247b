// UniversumTerms: what uls and uss add to their score of the held points: far from the universum
// samples, and these close together.
//
// Of feature r: alpha mean over (u, x) of (u_r - x_r)^2 - beta spread of U, X the held points, U
// all universum samples of the stream, in scaled units; [U] (7), (8). The first mean is (mean_U -
// mean_X)^2 + var_U + var_X. Spread of U by universum_norm: mean, over ordered pairs, 2 var_U;
// printed, (1/u) times their sum, 2 u var_U, which grows with u. Without universum samples there is
// nothing to average: 0. Cost: O(1) for a feature, beside its HeldMoment.
#ifndef WHITTLE_SELECT_UNIVERSUM_TERMS_H_
#define WHITTLE_SELECT_UNIVERSUM_TERMS_H_

#include <cstddef>

#include "whittle/memory/stream_memory.h"
#include "whittle/select/held_moment.h"

namespace whittle {

struct UniversumTerms {
  Real alpha;
  Real beta;
  bool printed_norm;

  // `held`: that feature's moment of the held points. The memory has moments.
  Real of(const StreamMemory& memory, std::size_t feature, const HeldMoment& held) const;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_UNIVERSUM_TERMS_H_
