// LocalStructure: the m x m matrix B = gamma X'LX of a graph over points, L its Laplacian.
//
// S_ij = eta for two labelled points of one class, 0 for two of different classes, 1 for other
// neighbours. Source: [J] (2), (3). Summed as squares of differences - of the ends of each edge,
// and for the pairs of a class, n_c of them at each point, of the point and the class mean - so
// that B is positive semidefinite within rounding, and so that values that points have in common
// cost no digits. Made in steps of one point. Cost of a step: an m^2/2 update for each edge that
// stands at the point, and one if it is labelled. Memory: m (m + 1) / 2 + 3 m Reals.
#ifndef WHITTLE_SELECT_SOLVE_LOCAL_STRUCTURE_H_
#define WHITTLE_SELECT_SOLVE_LOCAL_STRUCTURE_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/select/solve/nearest_rows.h"
#include "whittle/select/solve/packed_size.h"
#include "whittle/select/solve/standard_points.h"

namespace whittle {

class LocalStructure {
 public:
  static constexpr std::size_t required_bytes(std::size_t features) {
    return ByteCount{}.bytes(packed_bytes<Real>(features)).array<Real>(features, 3).total();
  }
  void place(Arena& arena, std::size_t features);

  // Class 1 is that of label `positive`, class 0 all others.
  void start(const StandardPoints& points, std::uint32_t positive, Real eta, Real gamma);
  void add(const StandardPoints& points, const NearestRows& graph, std::size_t i);

  // Elements (i, 0) .. (i, i).
  const Real* row(std::size_t i) const { return elements_.data() + i * (i + 1) / 2; }
  // product <- B x, m elements. Cost: m^2.
  void apply(const Real* x, Real* product) const;

 private:
  void add_square(const Real* a, const Real* b, Real weight);

  std::uint32_t positive_ = 0;
  Real eta_ = 0;
  Real gamma_ = 0;
  Real counts_[2] = {0, 0};  // labelled points by class
  Span<Real> elements_;
  Span<Real> means_;       // 2 x m: of the labelled points of a class
  Span<Real> difference_;  // m, scratch
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_LOCAL_STRUCTURE_H_
