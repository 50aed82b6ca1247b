// StandardPoints: a copy of the held points, every feature at mean 0 and population standard
// deviation 1 over those that have it; for a method that takes many steps on the points of one
// moment, whatever happens to them meanwhile.
//
// Points are numbered by age, 0 the oldest. A missing value is 0, of a kind that can be told (the
// negative zero); a feature that is constant is 0 everywhere. Deviations are from the mean as a
// pair of numbers, so that a large offset costs no digits. Cost: update O(n m). Memory: N (m + 1)
// Reals, 2 m Reals, 12 N bytes.
#ifndef WHITTLE_SELECT_SOLVE_STANDARD_POINTS_H_
#define WHITTLE_SELECT_SOLVE_STANDARD_POINTS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/memory/held_points.h"

namespace whittle {

class StandardPoints {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    const std::size_t n = config.capacity();
    return ByteCount{}
        .array<Real>(n, config.features)
        .array<Real>(config.features, 2)
        .array<std::uint64_t>(n)
        .array<Slot>(n)
        .array<std::uint32_t>(n)
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Copies the points of now.
  void update(const HeldPoints& points);

  std::size_t size() const { return size_; }              // n
  std::size_t features() const { return means_.size(); }  // m
  const Real* row(std::size_t i) const { return rows_.data() + i * means_.size(); }
  std::uint32_t label(std::size_t i) const { return labels_[i]; }
  // The slot of a point; kNoSlot if it is held there no longer.
  Slot slot(const HeldPoints& points, std::size_t i) const {
    return points.stamp(slots_[i]) == stamps_[i] ? slots_[i] : kNoSlot;
  }
  bool constant(std::size_t feature) const { return gains_[feature] == Real(0); }

  // What a value, in the units of the held points, is in these.
  Real standardised(Real value, std::size_t feature) const {
    return (value - means_[feature]) * gains_[feature];
  }
  // Squared distance of two points; kInfinity if no feature is present in both.
  Real squared_distance(std::size_t i, std::size_t j) const;

  // Which points they are.
  void digest(Digest& digest) const {
    digest.add_all(stamps_.data(), size_);
    digest.add_all(labels_.data(), size_);
  }

 private:
  void standardise(const HeldPoints& points, std::size_t feature);

  std::size_t size_ = 0;
  bool any_missing_ = false;
  Span<Real> rows_;
  Span<Real> means_;
  Span<Real> gains_;  // 1 / standard deviation; 0 for a constant feature
  Span<std::uint64_t> stamps_;
  Span<Slot> slots_;
  Span<std::uint32_t> labels_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_STANDARD_POINTS_H_
