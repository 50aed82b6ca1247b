#include "whittle/rank/drift_pool.h"

#include "whittle/base/math.h"

namespace whittle {
namespace {

constexpr int kSteps = 10;

}  // namespace

DriftPool::DriftPool(const std::uint32_t (&past)[kBins], std::uint32_t past_total,
                     const std::uint8_t (&block)[kBins], std::uint32_t block_total)
    : block_(static_cast<Real>(block_total)), past_(static_cast<Real>(past_total)) {
  const Real total = past_ + block_;
  Real below = 0;
  Real mean_spread = 0;
  for (std::size_t b = 0; b < kBins; ++b) {
    share_[b] = (static_cast<Real>(past[b]) + static_cast<Real>(block[b])) / total;
    location_[b] = below + share_[b] * Real(0.5) - Real(0.5);  // less the mean, which is 1/2
    spread_[b] = location_[b] * location_[b];
    mean_spread += share_[b] * spread_[b];
    below += share_[b];
  }
  for (std::size_t b = 0; b < kBins; ++b) {
    spread_[b] -= mean_spread;
    place_off_ += static_cast<Real>(block[b]) * location_[b];
    spread_off_ += static_cast<Real>(block[b]) * spread_[b];
  }
  place_off_ /= block_;
  spread_off_ /= block_;
}

Real DriftPool::variance(DriftKind kind) const {
  const Real* const score = scores(kind);
  Real variance = 0;
  for (std::size_t b = 0; b < kBins; ++b) variance += share_[b] * score[b] * score[b];
  return variance;
}

Real DriftPool::square(DriftKind kind) const {
  const Real variance = this->variance(kind);
  if (!(variance > 0)) return 0;
  const Real e = off(kind);
  return e * e / variance * block_ * (past_ + block_) / past_;
}

// The largest t e - L(t) over t, L the log of the mean of exp(t score) in the pool, or less.
Real DriftPool::exponent(DriftKind kind, Real least) const {
  const Real variance = this->variance(kind);
  const Real sign = off(kind) > 0 ? Real(1) : Real(-1);
  const Real e = sign * off(kind);
  // Far from unlikely, as nearly always: not worth the search.
  if (!(variance > 0) || e * e < Real(0.5) * least * variance) return 0;
  const Real* const score = scores(kind);
  // Any t gives a bound; the best is where the mean under weights exp(t score) is e: by Newton's
  // steps, halved or doubled where they leave what is known of it.
  Real low = 0;
  Real high = kInfinity;
  Real t = e / variance;
  Real best = 0;
  for (int step = 0; step < kSteps; ++step) {
    Real sum = 0;
    Real first = 0;
    Real second = 0;
    for (std::size_t b = 0; b < kBins; ++b) {
      const Real on_side = sign * score[b];
      const Real weight = share_[b] * exp(t * on_side);
      sum += weight;
      first += weight * on_side;
      second += weight * on_side * on_side;
    }
    if (!(sum < kInfinity)) {
      high = t;
      t = (low + high) * Real(0.5);
      continue;
    }
    const Real here = t * e - log(sum);
    if (here > best) best = here;
    const Real mean = first / sum;
    if (mean < e) {
      low = t;
    } else {
      high = t;
    }
    const Real curvature = second / sum - mean * mean;
    t += (e - mean) / curvature;
    if (!(t > low && t < high)) {
      t = high < kInfinity ? (low + high) * Real(0.5) : Real(2) * low;
    }
  }
  return best;
}

}  // namespace whittle
