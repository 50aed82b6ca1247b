#include "whittle/select/solve/dispersion_weights.h"

#include <algorithm>

#include "whittle/base/lanes.h"
#include "whittle/base/math.h"

namespace whittle {
namespace {

// Powers of the dispersions over the one whose power is largest: they neither overflow nor vanish
// together.
void normalise(Real* weights, std::size_t m, Real exponent) {
  Real base = 0;
  for (std::size_t j = 0; j < m; ++j) {
    if (weights[j] == 0) continue;
    if (base == 0 || (exponent > 0 ? weights[j] > base : weights[j] < base)) base = weights[j];
  }
  if (base == 0) return;
  CompensatedSum sum;
  for (std::size_t j = 0; j < m; ++j) {
    if (weights[j] == 0) continue;
    weights[j] = pow(weights[j] / base, exponent);
    sum.add(weights[j]);
  }
  for (std::size_t j = 0; j < m; ++j) weights[j] /= sum.value();
}

}  // namespace

void dispersion_weights(const Real* dispersions, std::size_t m, Real beta, Real* weights) {
  std::copy(dispersions, dispersions + m, weights);
  normalise(weights, m, Real(1) / (Real(1) - beta));
}

void distance_factors(const Real* dispersions, const Real* spreads, std::size_t m, Real beta,
                      Real* factors) {
  for (std::size_t j = 0; j < m; ++j) {
    factors[j] = spreads[j] == 0 ? Real(0) : std::max(dispersions[j], Real(1e-12) * spreads[j]);
  }
  normalise(factors, m, Real(1) / (Real(1) - beta));
  for (std::size_t j = 0; j < m; ++j) {
    if (factors[j] != 0) factors[j] = pow(factors[j], beta);
  }
}

}  // namespace whittle
