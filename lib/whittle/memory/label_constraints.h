// Constraints implied by the labels of the held points: must-link (ML), every pair of one class;
// cannot-link (CL), every pair of two classes. Nothing is stored: labels and class counts say it
// all.
#ifndef WHITTLE_MEMORY_LABEL_CONSTRAINTS_H_
#define WHITTLE_MEMORY_LABEL_CONSTRAINTS_H_

#include "whittle/memory/held_points.h"

namespace whittle {

inline bool must_link(const HeldPoints& points, Slot a, Slot b) {
  return points.label(a) != kUnlabelled && points.label(a) == points.label(b);
}

inline bool cannot_link(const HeldPoints& points, Slot a, Slot b) {
  return points.label(a) != kUnlabelled && points.label(b) != kUnlabelled &&
         points.label(a) != points.label(b);
}

// |J|: points that are in some cannot-link pair.
inline std::uint32_t cannot_link_points(const HeldPoints& points) {
  return points.classes_present() < 2 ? 0 : points.labelled();
}

// c_i: cannot-link partners of a point.
inline std::uint32_t cannot_link_partners(const HeldPoints& points, Slot slot) {
  const std::uint32_t label = points.label(slot);
  return label == kUnlabelled ? 0 : points.labelled() - points.class_count(label);
}

}  // namespace whittle

#endif  // WHITTLE_MEMORY_LABEL_CONSTRAINTS_H_
