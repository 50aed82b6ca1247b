// Constraints: which held points must link (ML) and which cannot (CL).
//
// Labels imply them: all pairs of one class must link, all pairs of two classes cannot. Up to P
// explicit pairs of held points add to them, and the closure over the held points is taken: ML + ML
// => ML, ML + CL => CL (docs/methods.md). A pair that contradicts the closure is refused.
//
// A group is a set of points that must all link. Everything about constraints is said by groups:
//   0..C-1                 the classes, with the unlabelled points that must link with one
//   C..groups()-1          points that are in explicit pairs only, by the age of their oldest point
//   kNoGroup               points in no pair at all
// Two groups are apart if their points cannot link. Two classes always are.
//
// The closure is that of the pairs still held, and depends on nothing else: not on slots, nor on
// the order in which the pairs came. A pair that follows from others is stored all the same, since
// those may go first; a chain of must-links breaks when a point in the middle leaves.
//
// Cost: queries O(1), but apart() between groups of which one is no class O(log P), and partners
// one step per group apart. A stored pair, the leaving or labelling of a point in a pair: O(N + P
// log P). Any other sample: nothing. Memory: 4 N + 36 P + 4 C bytes; none if P is 0.
#ifndef WHITTLE_MEMORY_CONSTRAINTS_H_
#define WHITTLE_MEMORY_CONSTRAINTS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/memory/held_points.h"
#include "whittle/memory/memory_config.h"

namespace whittle {

inline constexpr std::uint32_t kNoGroup = kUnlabelled;

struct ConstraintPair {
  Slot older = kNoSlot;
  Slot newer = kNoSlot;
  bool must_link = false;  // or cannot link
};

class Constraints {
 public:
  // Groups there can be.
  static constexpr std::size_t max_groups(const MemoryConfig& config) {
    return std::size_t{config.classes} + 2 * std::size_t{config.pairs};
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    if (!config.points || config.pairs == 0) return 0;
    return ByteCount{}
        .array<ConstraintPair>(config.pairs)
        .array<std::uint32_t>(config.capacity())
        .array<std::uint32_t>(max_groups(config))
        .array<std::uint64_t>(config.pairs, 2)
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // Stores an explicit pair of two held points. One that is stored already is not stored twice.
  // Errors, each leaving everything as it was:
  //   invalid_argument: one point twice
  //   failed_precondition: a contradiction
  //   resource_exhausted: P pairs are held (value: P)
  Status add(const HeldPoints& points, Slot a, Slot b, bool must);

  // Whether a held point may get this label; the one that it has already, it may. Errors:
  // failed_precondition: it has another label, must link with another class (value: that class), or
  // cannot link with this one (value: this one).
  Status check_label(const HeldPoints& points, Slot slot, std::uint32_t label) const;

  // Before or right after points.remove: the pairs of that point go.
  void forget(const HeldPoints& points, Slot slot);
  // Right after a held point got a label that check_label allows.
  void relabelled(const HeldPoints& points, Slot slot);

  // Explicit pairs held, in the order of age: by older point, then by newer.
  Span<const ConstraintPair> pairs() const {
    return Span<const ConstraintPair>(pairs_.data(), pair_count_);
  }
  // Whether an explicit pair of these points is held.
  bool has_pair(const HeldPoints& points, Slot a, Slot b) const;
  // Whether the labels alone say how two points link.
  static bool implied_by_labels(const HeldPoints& points, Slot a, Slot b) {
    return points.label(a) != kUnlabelled && points.label(b) != kUnlabelled;
  }

  bool must_link(const HeldPoints& points, Slot a, Slot b) const {
    const std::uint32_t g = group(points, a);
    return g != kNoGroup && g == group(points, b);
  }
  bool cannot_link(const HeldPoints& points, Slot a, Slot b) const {
    const std::uint32_t g = group(points, a);
    if (g == kNoGroup) return false;
    const std::uint32_t h = group(points, b);
    return h != kNoGroup && apart(points, g, h);
  }

  // |J|: points that are in some cannot-link pair.
  std::uint32_t cannot_link_points(const HeldPoints& points) const;
  // c_i: cannot-link partners of a point.
  std::uint32_t cannot_link_partners(const HeldPoints& points, Slot slot) const;

  // Groups are numbered 0..groups() - 1; a class may be empty.
  std::uint32_t groups(const HeldPoints& points) const {
    return points.classes() + explicit_groups_;
  }
  std::uint32_t group_size(const HeldPoints& points, std::uint32_t group) const {
    const std::uint32_t labelled = group < points.classes() ? points.class_count(group) : 0;
    return labelled + (unlabelled_.empty() ? 0 : unlabelled_[group]);
  }
  std::uint32_t group(const HeldPoints& points, Slot slot) const {
    const std::uint32_t label = points.label(slot);
    return label != kUnlabelled || groups_.empty() ? label : groups_[slot];
  }
  bool apart(const HeldPoints& points, std::uint32_t a, std::uint32_t b) const {
    if (a == b) return false;
    return (a < points.classes() && b < points.classes()) || is_listed(a, b);
  }

  // Of the explicit pairs; nothing if P is 0.
  void digest(const HeldPoints& points, Digest& digest) const;

 private:
  std::size_t find_pair(const HeldPoints& points, Slot older, Slot newer) const;
  std::size_t find_apart(std::uint32_t group, std::uint32_t other) const;
  bool is_listed(std::uint32_t a, std::uint32_t b) const;
  void refresh(const HeldPoints& points);
  void join_points(const HeldPoints& points);
  void number_groups(const HeldPoints& points);
  void list_apart(const HeldPoints& points);
  Slot root(Slot slot);

  Span<ConstraintPair> pairs_;  // P
  std::size_t pair_count_ = 0;
  // By slot: the group of a point that is in an explicit pair, else kNoGroup.
  Span<std::uint32_t> groups_;
  // By group: its unlabelled points.
  Span<std::uint32_t> unlabelled_;
  std::uint32_t explicit_groups_ = 0;
  std::uint32_t with_class_ = 0;  // unlabelled points that must link with a class
  // Groups apart of which one at least is no class, each as (a, b) and (b, a), sorted: a in the
  // upper 32 bits.
  Span<std::uint64_t> apart_;
  std::size_t apart_count_ = 0;
  std::uint32_t apart_points_ = 0;  // points of explicit groups that are apart from some group
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_CONSTRAINTS_H_
