// Feature weights from dispersions within clusters, as weighted k-means methods use them.
//
// Minimising sum_j w_j^beta D_j under sum_j w_j = 1 gives w_j = 1 / sum_s (D_j / D_s)^(1/(beta-1)),
// over the features with D > 0; the others get 0. Source: [T] (4.23), (4.28). For beta < 0 a larger
// dispersion gets a larger w; what shrinks is w^beta, the factor in the distance.
#ifndef WHITTLE_SELECT_SOLVE_DISPERSION_WEIGHTS_H_
#define WHITTLE_SELECT_SOLVE_DISPERSION_WEIGHTS_H_

#include <cstddef>

#include "whittle/base/real.h"

namespace whittle {

// Writes m weights that sum to 1 (all 0 if no dispersion is positive). beta is not 1. Cost: m pow.
void dispersion_weights(const Real* dispersions, std::size_t m, Real beta, Real* weights);

// Writes the factors w^beta for the distance. Dispersions are floored at 1e-12 of `spreads`, the
// sum of squared deviations of each feature over all points, so that no factor is infinite; a
// feature with spread 0 is constant and gets 0: it stays out. Cost: 2 m pow.
void distance_factors(const Real* dispersions, const Real* spreads, std::size_t m, Real beta,
                      Real* factors);

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_DISPERSION_WEIGHTS_H_
