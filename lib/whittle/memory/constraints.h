// Constraints: which held points must link (ML) and which cannot (CL). Labels imply them: all pairs
// of one class must link, all pairs of two classes cannot.
//
// A group is a set of points that must all link: each class is one (number 0..C-1). Two groups are
// apart if their points cannot link. Everything about constraints can be said by groups.
#ifndef WHITTLE_MEMORY_CONSTRAINTS_H_
#define WHITTLE_MEMORY_CONSTRAINTS_H_

#include <cstdint>

#include "whittle/memory/held_points.h"

namespace whittle {

inline constexpr std::uint32_t kNoGroup = kUnlabelled;

class Constraints {
 public:
  bool must_link(const HeldPoints& points, Slot a, Slot b) const {
    return group(points, a) != kNoGroup && group(points, a) == group(points, b);
  }
  bool cannot_link(const HeldPoints& points, Slot a, Slot b) const {
    return group(points, a) != kNoGroup && group(points, b) != kNoGroup &&
           apart(points, group(points, a), group(points, b));
  }

  // |J|: points that are in some cannot-link pair.
  std::uint32_t cannot_link_points(const HeldPoints& points) const {
    return points.classes_present() < 2 ? 0 : points.labelled();
  }
  // c_i: cannot-link partners of a point.
  std::uint32_t cannot_link_partners(const HeldPoints& points, Slot slot) const {
    const std::uint32_t label = points.label(slot);
    return label == kUnlabelled ? 0 : points.labelled() - points.class_count(label);
  }

  // Groups are numbered 0..groups() - 1; some may be empty.
  std::uint32_t groups(const HeldPoints& points) const { return points.classes(); }
  std::uint32_t group_size(const HeldPoints& points, std::uint32_t group) const {
    return points.class_count(group);
  }
  std::uint32_t group(const HeldPoints& points, Slot slot) const { return points.label(slot); }
  bool apart(const HeldPoints& /*points*/, std::uint32_t a, std::uint32_t b) const {
    return a != b;
  }

  // Groups there can be.
  static constexpr std::size_t max_groups(const MemoryConfig& config) {
    return std::size_t{config.classes} + 2 * std::size_t{config.pairs};
  }
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_CONSTRAINTS_H_
