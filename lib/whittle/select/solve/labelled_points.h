// LabelledPoints: the labelled points now held, in order of age, with what a kernel method makes of
// them: their values less the mean of them all, products, combinations.
//
// Missing values are read as FilledPoints has them. Taking the mean off first keeps the digits that
// a large common offset would cost; a method with a free bias (sum u = 0) does not see it
// otherwise. T is Real, or double where a solver says that it needs it. Cost: update O(L m), one
// pass over all held points where values are missing; the rest as said. Memory: L (8 + 4 + 4)
// bytes, 4 m Reals.
#ifndef WHITTLE_SELECT_SOLVE_LABELLED_POINTS_H_
#define WHITTLE_SELECT_SOLVE_LABELLED_POINTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/memory/filled_points.h"
#include "whittle/memory/memory_config.h"
#include "whittle/select/solve/centred.h"

namespace whittle {

class LabelledPoints {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    return ByteCount{}
        .array<std::uint64_t>(config.labelled)
        .array<Slot>(config.labelled)
        .array<std::uint32_t>(config.labelled)
        .array<Real>(config.features)
        .bytes(FilledPoints::required_bytes(config.features))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Lists the points of today and takes their mean.
  void update(const HeldPoints& points);
  // Then: brings numbers that belonged to the points before update() to their new places; 0 for a
  // point that is new.
  template <typename T>
  void carry(T* values) const {
    // Places keep their order: those that move down go first, from below; then those that move up,
    // from above.
    for (std::size_t i = 0; i < size_; ++i) {
      if (before_[i] != kNoSlot && before_[i] > i) values[i] = values[before_[i]];
    }
    for (std::size_t i = size_; i-- > 0;) {
      if (before_[i] < i) values[i] = values[before_[i]];
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (before_[i] == kNoSlot) values[i] = 0;
    }
  }

  std::size_t size() const { return size_; }
  Slot slot(std::size_t i) const { return slots_[i]; }
  // Whether one of them misses a value, so that what they are depends on all held points.
  bool any_missing() const { return any_missing_; }
  const Real* centre() const { return centre_.data(); }  // the mean, m Reals
  const FilledPoints& filled() const { return filled_; }

  // x_i less the mean, m Reals. O(m).
  template <typename T>
  void centred(std::size_t i, T* x) const {
    const Real* from = filled_.row(slots_[i], 0);
    for (std::size_t r = 0; r < features_; ++r) x[r] = static_cast<T>(from[r] - centre_[r]);
  }
  // sum_r a_r x_jr, x_j less the mean. O(m).
  template <typename T>
  T product(const T* a, std::size_t j) const {
    return centred_dot(filled_.row(slots_[j], 1), centre_.data(), a, features_);
  }
  // s_r = sum_i u_i x_ir, the points less the mean. O(L m).
  template <typename T>
  void combine(const T* u, T* s) const {
    std::fill(s, s + features_, T(0));
    for (std::size_t i = 0; i < size_; ++i) {
      if (u[i] == 0) continue;
      const Real* x = filled_.row(slots_[i], 0);
      for (std::size_t r = 0; r < features_; ++r) {
        s[r] += u[i] * static_cast<T>(x[r] - centre_[r]);
      }
    }
  }

  void digest(Digest& digest) const { digest.add_all(stamps_.data(), size_); }

 private:
  void list(const HeldPoints& points);

  std::size_t size_ = 0;
  std::size_t features_ = 0;
  bool any_missing_ = false;
  Span<std::uint64_t> stamps_;
  Span<Slot> slots_;
  Span<std::uint32_t> before_;  // place before update(), kNoSlot if it is new
  Span<Real> centre_;
  FilledPoints filled_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_LABELLED_POINTS_H_
