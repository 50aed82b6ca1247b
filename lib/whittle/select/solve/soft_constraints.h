// SoftConstraints: what the labels ask of points that belong to clusters by degrees, and the
// degrees that follow.
//
// Two points of one class must link, two of different classes cannot. P_iq, what breaking these
// constraints costs a point i of class c for each unit that it belongs to cluster q, is the degree
// to which others of its class belong elsewhere, plus that to which other classes belong to q:
//   P_iq = sum over ML pairs (i, r) of sum_{p != q} a_rp + sum over CL pairs (i, r) of a_rq.
// It comes from the sums M_cq of the degrees by class and cluster, so that no pair is visited.
// Source: [T] (4.7), (4.8), (4.12), (4.15). Memory: K^2 Reals.
#ifndef WHITTLE_SELECT_SOLVE_SOFT_CONSTRAINTS_H_
#define WHITTLE_SELECT_SOLVE_SOFT_CONSTRAINTS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/memory/memory_config.h"

namespace whittle {

class SoftConstraints {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory) {
    return ByteCount{}.array<Real>(memory.classes, memory.classes).total();
  }
  void place(Arena& arena, const MemoryConfig& memory);

  void clear();
  // A point of a class comes into the sums or leaves them. Cost O(K).
  void add(std::uint32_t label, const Real* degrees);
  void remove(std::uint32_t label, const Real* degrees);

  // Writes P_iq for the K clusters, of a point that is not in the sums. Cost O(K^2).
  void measure_costs(std::uint32_t label, Real* costs) const;

  void digest(Digest& digest) const { digest.add_all(sums_.data(), sums_.size()); }

 private:
  std::size_t classes_ = 0;
  Span<Real> sums_;  // K x K: M_cq
};

// Writes the degrees (4.15) of a point from its distances to k clusters (kInfinity: there is none)
// and costs (nullptr: none), clipped to 0..1 and divided by their sum. A point on a centroid
// belongs to it; on several, to each alike. Overwrites `distances`. At least one distance is less
// than kInfinity.
void soft_degrees(std::size_t k, Real* distances, const Real* costs, Real* degrees);

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SOFT_CONSTRAINTS_H_
