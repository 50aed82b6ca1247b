// DriftPool: what the drift detector compares a block with: the block and all before it, together,
// as shares of 16 bins and the scores of the bins.
//
//   location   mid-rank of a bin in the pool, less 1/2 (Wilcoxon)
//   spread     its square, less the pool's mean of it (Mood)
//
// Cost: 200 operations to make; exponent up to 2500, or 50 if it is likely to be small.
#ifndef WHITTLE_RANK_DRIFT_POOL_H_
#define WHITTLE_RANK_DRIFT_POOL_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/real.h"

namespace whittle {

enum class DriftKind : std::uint8_t { location, spread };

class DriftPool {
 public:
  static constexpr std::size_t kBins = 16;

  // Counts of values per bin, and their sums, which must not be 0.
  DriftPool(const std::uint32_t (&past)[kBins], std::uint32_t past_total,
            const std::uint8_t (&block)[kBins], std::uint32_t block_total);

  // Whether all values are in one bin.
  bool constant() const { return !(variance(DriftKind::location) > 0); }

  // By how much the block's mean score is off the pool's.
  Real off(DriftKind kind) const { return kind == DriftKind::location ? place_off_ : spread_off_; }

  // The square of off(), in units of what it is on average if all values are exchangeable (a draw
  // of the block without replacement from the pool); 0 if all scores are the same.
  Real square(DriftKind kind) const;

  // If values are exchangeable, off() is as far off on this side, or farther, with probability at
  // most exp(-block exponent). 0, which always holds, if that is likely to be below `least`.
  Real exponent(DriftKind kind, Real least) const;

 private:
  const Real* scores(DriftKind kind) const {
    return kind == DriftKind::location ? location_ : spread_;
  }
  Real variance(DriftKind kind) const;

  Real share_[kBins];
  Real location_[kBins];
  Real spread_[kBins];
  Real place_off_ = 0;
  Real spread_off_ = 0;
  Real block_ = 0;
  Real past_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_DRIFT_POOL_H_
