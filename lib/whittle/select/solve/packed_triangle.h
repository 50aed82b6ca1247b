// PackedTriangle: a symmetric n x n matrix without its diagonal, each element once. Memory: n (n -
// 1) / 2 Reals.
#ifndef WHITTLE_SELECT_SOLVE_PACKED_TRIANGLE_H_
#define WHITTLE_SELECT_SOLVE_PACKED_TRIANGLE_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/select/solve/packed_size.h"

namespace whittle {

class PackedTriangle {
 public:
  static constexpr std::size_t required_bytes(std::size_t n) {
    return packed_bytes<Real>(n - (n > 0 ? 1 : 0));
  }
  void place(Arena& arena, std::size_t n) {
    elements_ = arena.array<Real>(packed_size(n - (n > 0 ? 1 : 0)));
  }

  // Of i != j.
  Real& at(std::size_t i, std::size_t j) const { return i < j ? row(j)[i] : row(i)[j]; }
  // Elements (i, 0), ..., (i, i - 1).
  Real* row(std::size_t i) const { return elements_.data() + i * (i - (i > 0 ? 1 : 0)) / 2; }

 private:
  Span<Real> elements_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_PACKED_TRIANGLE_H_
