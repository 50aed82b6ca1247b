// LabelPropagation: pseudo labels of two classes by local and global consistency.
//
// F = (I - 0.99 S)^-1 Y, s_ij = w_ij / sqrt(D_i D_j), Y_ic = 1 for a labelled point of class c,
// else 0. The columns of F are divided by their sums; a point belongs to the class with the larger
// value, to class 0 on a tie and where no label reaches it. Source: Zhou et al. 2004, cited by [J];
// the sums: docs/methods.md (without them nearly all points are labelled alike).
//
// F by the Chebyshev semi-iteration, a sweep over the edges at a time. All of 0.99 S F and Y are
// positive, so sums cancel nothing, and every element of F, however far from the labels and small,
// comes out with the same relative accuracy. It stops when no element changes by more than 16 units
// in the last place, after about 100 sweeps in float, 240 in double; at most 1000. Values that
// differ by less than 16 such units are a tie.
//
// Cost of a sweep: two multiplications and additions per edge and column. Memory: 6 N Reals, N
// bytes.
#ifndef WHITTLE_SELECT_SOLVE_LABEL_PROPAGATION_H_
#define WHITTLE_SELECT_SOLVE_LABEL_PROPAGATION_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/span.h"
#include "whittle/select/solve/nearest_rows.h"

namespace whittle {

class LabelPropagation {
 public:
  static constexpr std::size_t required_bytes(std::size_t capacity) {
    return ByteCount{}.array<Real>(capacity, 6).array<signed char>(capacity).total();
  }
  void place(Arena& arena, std::size_t capacity);

  // n points, none labelled.
  void start(std::size_t n);
  // Labels a point: +1 (class 1) or -1 (class 0).
  void label(std::size_t i, int sign) { labels_[i] = static_cast<signed char>(sign); }

  // One sweep. True when nothing changes any more.
  bool sweep(const NearestRows& graph);
  // F_ic, column 0 or 1, not yet divided.
  Real value(std::size_t i, std::size_t column) const { return now_[2 * i + column]; }
  std::uint32_t sweeps() const { return sweeps_; }

  // Then: gives the other points their labels.
  void decide();
  bool positive(std::size_t i) const { return labels_[i] > 0; }

 private:
  void spread(const NearestRows& graph);

  std::size_t size_ = 0;
  std::uint32_t sweeps_ = 0;
  Real pace_ = 1;  // omega of the semi-iteration
  // Two columns, point by point.
  Span<Real> now_;
  Span<Real> before_;
  Span<Real> next_;
  Span<signed char> labels_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_LABEL_PROPAGATION_H_
