// LevelMethod: min over P = {0 <= p <= 1, sum p = s} of F(p) = max over u of phi(p, u), phi linear
// in p and concave in u, by the level method with bounded memory. [M] Algorithm 1.
//
// At a point p its caller finds u = argmax phi(p, u), F(p) (upper bound) and the cut phi(., u), a
// lower bound of F on all of P. On the cuts so far: minimise() gives multipliers l, and with them
// mix() the mixture u' = sum l_j u_j. phi(., u') is itself a cut, nowhere below sum l_j phi(., u_j)
// since phi is concave in u; so its minimum over P, a sum of the s smallest slopes, is a lower
// bound of min F, valid whatever the rounding of l, and at least (14) for exact l. next_point()
// projects p onto the level set of the cuts (17), (18), level = share * upper + (1 - share) *
// lower.
//
// Memory is bounded: at most K cuts with their u are held. When they are full, the mixture's cut
// takes the place of the half with the smallest multipliers: as it is nowhere below their weighted
// sum, the lower bound of the model does not fall, and neither does the progress that the method's
// convergence rests on. The lower bound reported is the best ever found.
//
// Its caller stops when gap() is small enough. A step shrinks the gap to `share` of it at best,
// warm or cold. The u are double (SvmDual says why); all else is in units of F. Cost of mix and
// next_point: one problem of CuttingPlanes each, mostly 15 to 50 of its steps, at most 80. Memory:
// CuttingPlanes, K L + L doubles, 3 m Reals.
#ifndef WHITTLE_SELECT_SOLVE_LEVEL_METHOD_H_
#define WHITTLE_SELECT_SOLVE_LEVEL_METHOD_H_

#include <cstddef>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/select/solve/cutting_planes.h"

namespace whittle {

class LevelMethod {
 public:
  static constexpr std::size_t kCuts = 24;

  static constexpr std::size_t required_bytes(std::size_t features, std::size_t duals) {
    return ByteCount{}
        .bytes(CuttingPlanes::required_bytes(features, kCuts))
        .array<double>(kCuts, duals)
        .array<double>(duals)
        .array<Real>(features, 3)
        .total();
  }
  void place(Arena& arena, std::size_t features, std::size_t duals);

  // A new problem: the sum of p, the share of the upper bound in the level, how many elements u
  // has, and the point to start from.
  void begin(std::size_t sum, Real share, Real gap, std::size_t duals, const Real* start);

  const Real* point() const { return point_.data(); }
  // phi(., u) = constant + slopes'p.
  void add_cut(Real constant, const Real* slopes, const double* u);
  // F at the point, which must be at least the smallest normal number; true if it is less than all
  // before.
  bool lower_upper(Real value);
  // To be called after add_cut: the mixture u', of which the caller finds phi(., u') = constant +
  // slopes'p for raise_lower(); true if that gives a better lower bound.
  const double* mix();
  bool raise_lower(Real constant, const Real* slopes);
  void next_point();

  Real upper() const { return upper_; }
  Real gap() const { return (upper_ - lower_) / upper_; }

  void digest(Digest& digest) const;

 private:
  double* cut_duals(std::size_t cut) { return cut_duals_.data() + cut * mixture_.size(); }
  Real accuracy() const;
  void halve();

  std::size_t duals_ = 0;
  std::size_t sum_ = 0;
  Real share_ = 0;
  Real wanted_gap_ = 0;
  Real unit_ = 0;  // F where it was first known; cuts are kept in this unit
  Real upper_ = kInfinity;
  Real lower_ = -kInfinity;
  CuttingPlanes cuts_;
  Span<double> cut_duals_;  // K x L: the u of each cut
  Span<Real> point_;
  Span<Real> scaled_;          // slopes in the unit
  Span<double> mixture_;       // u'
  Span<Real> mixture_slopes_;  // and its cut, in the unit
  Real mixture_constant_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_LEVEL_METHOD_H_
