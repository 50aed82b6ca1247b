// MaskStability: how much the last masks agree, from 1 (all the same) down to 0 (as masks of that
// size drawn at random) and below. The estimator of Nogueira, Sechidis and Brown, "On the stability
// of feature selection algorithms", JMLR 18 (2018), 174, definition 4: over M masks of m features,
//
//   1 - (1/m sum_r s_r^2) / (k/m (1 - k/m)),  s_r^2 = M/(M-1) p_r (1 - p_r),
//
// p_r the share of masks that have feature r, k their mean size. It has no value (kNoScore) for
// fewer than two masks, or when all have all features or none.
//
// Sums are of whole numbers and kept up to date, so it is exact whatever came before. Cost: add
// O(m), value O(1). Memory: M m / 8 bytes and 2 m bytes.
#ifndef WHITTLE_RANK_STABILITY_H_
#define WHITTLE_RANK_STABILITY_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

inline constexpr std::uint32_t kMaxStabilityMasks = 1024;

class MaskStability {
 public:
  // `masks`: M, 2..kMaxStabilityMasks, or 0: it then takes no bytes and has no value.
  static constexpr std::size_t required_bytes(std::size_t features, std::size_t masks) {
    if (masks == 0) return 0;
    return ByteCount{}
        .array<std::uint8_t>(masks, mask_bytes(features))
        .array<std::uint16_t>(features)
        .total();
  }
  void place(Arena& arena, std::size_t features, std::uint32_t masks);

  // Takes a mask in; the oldest of M leaves.
  void add(Span<const bool> mask);
  void clear();

  Real value() const;
  std::uint32_t masks() const { return held_; }  // there are now

  void digest(Digest& digest) const;

 private:
  static constexpr std::size_t mask_bytes(std::size_t features) { return (features + 7) / 8; }
  void count(std::size_t feature, bool enters);

  Span<std::uint8_t> bits_;       // M rows
  Span<std::uint16_t> selected_;  // by feature: in how many masks
  std::uint32_t capacity_ = 0;    // M
  std::uint32_t held_ = 0;
  std::uint32_t next_ = 0;     // row
  std::uint64_t sum_ = 0;      // of selected_
  std::uint64_t squares_ = 0;  // of their squares
};

}  // namespace whittle

#endif  // WHITTLE_RANK_STABILITY_H_
