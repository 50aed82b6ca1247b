// ConstraintPairs: the newest must-link and cannot-link pairs of the held points, written out one
// by one, for methods that judge each pair by itself. Newest: by the age of the newer end, then of
// the older one.
//
// Cost of collect: at most one look at each pair of the points in groups, O(1) each. Memory: 16
// bytes for each pair of a type that can be, at most `limit`, and 4 for each point that can be in a
// group.
#ifndef WHITTLE_SELECT_SOLVE_CONSTRAINT_PAIRS_H_
#define WHITTLE_SELECT_SOLVE_CONSTRAINT_PAIRS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/memory/constraints.h"

namespace whittle {

struct PointPair {
  Slot newer = kNoSlot;
  Slot older = kNoSlot;
};

// Pairs of one type, newest first.
class PairList {
 public:
  void place(Arena& arena, std::size_t capacity) { places_ = arena.array<PointPair>(capacity); }

  void clear() { size_ = 0; }
  void add(const PointPair& pair) {
    if (!full()) places_[size_++] = pair;
  }
  // Keeps the pairs for which keep(index) holds, asked in their order.
  template <typename Keep>
  void keep_if(Keep keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (keep(i)) places_[kept++] = places_[i];
    }
    size_ = kept;
  }

  bool full() const { return size_ == places_.size(); }
  std::size_t size() const { return size_; }
  const PointPair& operator[](std::size_t i) const { return places_[i]; }
  const PointPair* begin() const { return places_.begin(); }
  const PointPair* end() const { return places_.begin() + size_; }
  // Whether the pair of these two points, in either order, is in the list. O(log size).
  bool contains(const HeldPoints& points, Slot a, Slot b) const;

 private:
  Span<PointPair> places_;
  std::size_t size_ = 0;
};

class ConstraintPairs {
 public:
  // Points that can be in a group: labelled ones and the ends of explicit pairs.
  static constexpr std::size_t max_points(const MemoryConfig& config) {
    return std::min(config.capacity(),
                    std::size_t{config.labelled} + 2 * std::size_t{config.pairs});
  }
  // Pairs of one type.
  static constexpr std::size_t max_pairs(const MemoryConfig& config, std::size_t limit) {
    const std::uint64_t points = max_points(config);
    const std::uint64_t all = points == 0 ? 0 : points * (points - 1) / 2;
    return all < limit ? static_cast<std::size_t>(all) : limit;
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& config, std::size_t limit) {
    return ByteCount{}
        .array<PointPair>(max_pairs(config, limit))
        .array<PointPair>(max_pairs(config, limit))
        .array<Slot>(max_points(config))
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config, std::size_t limit);

  // Lists the newest pairs of each type, at most `limit`.
  void collect(const HeldPoints& points, const Constraints& constraints);

  PairList& must_link() { return must_link_; }
  PairList& cannot_link() { return cannot_link_; }
  const PairList& must_link() const { return must_link_; }
  const PairList& cannot_link() const { return cannot_link_; }

 private:
  PairList must_link_;
  PairList cannot_link_;
  Span<Slot> grouped_;  // the points in groups, oldest first
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_CONSTRAINT_PAIRS_H_
