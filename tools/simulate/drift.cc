#include "tools/simulate/drift.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "tools/simulate/spread.h"
#include "whittle/base/random.h"

namespace whittle::simulate {
Drifted::Drifted(const Readings& readings, DriftKind kind, std::uint64_t seed)
    : readings_(readings),
      from_(readings.features.size()),
      gain_(readings.features.size(), 1),
      offset_(readings.features.size(), 0) {
  Random random(seed);
  std::iota(from_.begin(), from_.end(), std::size_t{0});
  if (kind == DriftKind::permute) {
    // Sattolo's: one cycle, so that no feature stays where it was.
    for (std::size_t r = from_.size(); r > 1; --r) {
      std::swap(from_[r - 1], from_[random.below(static_cast<std::uint32_t>(r - 1))]);
    }
  }
  if (kind != DriftKind::rescale && kind != DriftKind::shift) return;
  for (std::size_t r = 0; r < from_.size(); ++r) {
    const Spread spread = spread_of(readings, r);
    const double sign = (random.next() & 1U) != 0 ? 1 : -1;
    if (kind == DriftKind::shift) {
      offset_[r] = sign * 3 * spread.deviation;
    } else {
      gain_[r] = sign * std::exp2(2 * static_cast<double>(random.uniform()) - 1);
      offset_[r] = spread.mean * (1 - gain_[r]);
    }
  }
}

void Drifted::read(std::size_t i, bool after, Real* x) const {
  const Span<const Real> row = readings_.row(i);
  for (std::size_t r = 0; r < from_.size(); ++r) {
    x[r] = after ? static_cast<Real>(static_cast<double>(row[from_[r]]) * gain_[r] + offset_[r])
                 : row[r];
  }
}

}  // namespace whittle::simulate
