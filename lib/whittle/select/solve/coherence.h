// Coherence: keeps the must-link and cannot-link pairs that agree with the pairs of the other type,
// [T] Algorithm 9, (3.15)-(3.17).
//
// A pair is the segment between its points. over(p onto q) is the length of the overlap of segment
// q with the projection of the ends of p onto the line of q; up to 1e-6 of the length of q it
// counts as zero, and a q of no length overlaps nothing. Coh(c) is the share of pairs q of the
// other type with over(c onto q) zero; Coh(all) the share of (must-link, cannot-link) couples with
// both overlaps zero. Kept are the pairs with Coh(c) >= Coh(all), compared as integers, since
// equality is common; with one type absent, all.
//
// Where an end v of p falls on q = (a, b), from a on and times the length of q, follows from the
// squared distances of the three points (law of cosines): (d2(v, a) + d2(a, b) - d2(v, b)) / 2.
// These are summed from differences, so no offset of the data matters, and the position of a point
// that is or repeats an end of q is exact; products of centred coordinates misjudge up to 1 % of
// such overlaps in single precision.
//
// Cost of select: O(D^2 m) for the distances of the D points in pairs, O(1) for each couple.
// Memory: D (D - 1) / 2 Reals, 4 (D + N) + 8 P bytes for at most P pairs of each type.
#ifndef WHITTLE_SELECT_SOLVE_COHERENCE_H_
#define WHITTLE_SELECT_SOLVE_COHERENCE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/memory/filled_points.h"
#include "whittle/select/solve/constraint_pairs.h"
#include "whittle/select/solve/packed_triangle.h"

namespace whittle {

class Coherence {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config, std::size_t limit) {
    return ByteCount{}
        .array<std::uint32_t>(config.capacity())
        .array<Slot>(max_ends(config, limit))
        .bytes(PackedTriangle::required_bytes(max_ends(config, limit)))
        .array<std::uint32_t>(ConstraintPairs::max_pairs(config, limit))
        .array<std::uint32_t>(ConstraintPairs::max_pairs(config, limit))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config, std::size_t limit);

  // Takes what is not coherent out of both lists. `filled` must be up to date.
  void select(const HeldPoints& points, const FilledPoints& filled, PairList& must_link,
              PairList& cannot_link);

 private:
  // Points that can be in the pairs of both lists.
  static constexpr std::size_t max_ends(const MemoryConfig& config, std::size_t limit) {
    return std::min(ConstraintPairs::max_points(config),
                    4 * ConstraintPairs::max_pairs(config, limit));
  }
  void number_ends(const PairList& pairs);
  void measure_squares(const HeldPoints& points, const FilledPoints& filled);
  Real square(std::uint32_t a, std::uint32_t b) const {
    return a == b ? Real(0) : squares_.at(a, b);
  }
  bool overlaps(const PointPair& pair, const PointPair& onto) const;

  Span<std::uint32_t> numbers_;  // by slot: of a point that is in a pair, by which squares_ goes
  Span<Slot> ends_;              // by number
  std::size_t end_count_ = 0;
  PackedTriangle squares_;  // squared distances
  // By pair of a list: the pairs of the other one that it does not overlap.
  Span<std::uint32_t> clear_must_link_;
  Span<std::uint32_t> clear_cannot_link_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_COHERENCE_H_
