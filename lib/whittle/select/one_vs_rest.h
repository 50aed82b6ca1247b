// OneVsRest: the two-class problems that a binary method solves, and which class is +1 in each
// (docs/methods.md). Two classes among the held points: one problem, the later class is +1. More:
// one problem per class, that class +1, the rest -1.
#ifndef WHITTLE_SELECT_ONE_VS_REST_H_
#define WHITTLE_SELECT_ONE_VS_REST_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/status.h"
#include "whittle/memory/held_points.h"

namespace whittle {

// The most problems there can be: for what a selector keeps for each.
constexpr std::size_t max_problems(std::size_t classes) { return classes > 2 ? classes : 1; }

class OneVsRest {
 public:
  explicit OneVsRest(const HeldPoints& points)
      : points_(&points), classes_present_(points.classes_present()) {}

  // `reason`: "ID needs labelled samples of two classes".
  Status check(const char* reason) const {
    if (classes_present_ >= 2) return {};
    return {StatusCode::failed_precondition, reason};
  }

  // Problems are numbered by their positive class, so that one keeps its number when another class
  // comes: with two classes among more than two, the problem of the later one stands alone.
  bool exists(std::size_t problem) const {
    if (classes_present_ < 2) return false;
    const std::uint32_t positive = class_of(problem);
    if (points_->class_count(positive) == 0) return false;
    if (classes_present_ > 2) return true;
    for (std::uint32_t c = positive + 1; c < points_->classes(); ++c) {
      if (points_->class_count(c) > 0) return false;
    }
    return true;
  }

  // The positive class of a problem: with at most two classes configured there is only problem 0,
  // of class 1.
  std::uint32_t class_of(std::size_t problem) const {
    return points_->classes() > 2 ? static_cast<std::uint32_t>(problem) : 1;
  }

  // +1, -1, or 0 for an unlabelled point.
  int sign(Slot slot, std::size_t problem) const {
    const std::uint32_t label = points_->label(slot);
    if (label == kUnlabelled) return 0;
    return label == class_of(problem) ? 1 : -1;
  }

  // With two classes among the held points, the one that is not the positive one; for a prediction.
  std::uint32_t other_class(std::uint32_t positive) const {
    for (std::uint32_t c = 0; c < points_->classes(); ++c) {
      if (c != positive && points_->class_count(c) > 0) return c;
    }
    return positive;
  }
  bool binary() const { return classes_present_ == 2; }

 private:
  const HeldPoints* points_;
  std::uint32_t classes_present_;
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_ONE_VS_REST_H_
