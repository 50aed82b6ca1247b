// The Newton step of SvmDual, for the two files that make it of one type each.
#ifndef WHITTLE_SELECT_SOLVE_SVM_DUAL_NEWTON_H_
#define WHITTLE_SELECT_SOLVE_SVM_DUAL_NEWTON_H_

#include <algorithm>

#include "whittle/select/solve/svm_dual.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {

// A Newton step on the points strictly inside their box. Returns whether one came to a bound.
template <typename T>
bool SvmDual<T>::move_inside() {
  inside_count_ = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (can_rise(i) && can_fall(i)) inside_[inside_count_++] = static_cast<std::uint32_t>(i);
  }
  if (inside_count_ < 2 || !factor_inside()) return false;
  solve_inside();
  return step_inside();
}

template <typename T>
bool SvmDual<T>::factor_inside() {
  T largest = 0;
  for (std::size_t a = 0; a < inside_count_; ++a) {
    largest = std::max(largest, row(inside_[a])[inside_[a]]);
  }
  T ridge = largest * kEpsilon * static_cast<T>(4 + inside_count_);
  for (int attempt = 0; attempt < 3; ++attempt, ridge *= 64) {
    for (std::size_t a = 0; a < inside_count_; ++a) {
      T* to = factor_.row(a);
      const T* from = row(inside_[a]);
      for (std::size_t b = 0; b <= a; ++b) to[b] = from[inside_[b]];
      to[a] += ridge;
    }
    if (factor_.factor(inside_count_)) return true;
  }
  return false;
}

// The direction d with M d + beta 1 = h on the points inside, sum d = 0.
template <typename T>
void SvmDual<T>::solve_inside() {
  // h less its mean: the constant part changes nothing and would cost digits.
  T mean = 0;
  for (std::size_t a = 0; a < inside_count_; ++a) mean += rest_[inside_[a]];
  mean /= static_cast<T>(inside_count_);
  for (std::size_t a = 0; a < inside_count_; ++a) {
    direction_[a] = rest_[inside_[a]] - mean;
    ones_[a] = 1;
  }
  factor_.solve(direction_.data());
  factor_.solve(ones_.data());
  T sum = 0;
  T sum_of_ones = 0;
  for (std::size_t a = 0; a < inside_count_; ++a) {
    sum += direction_[a];
    sum_of_ones += ones_[a];
  }
  const T beta = sum / sum_of_ones;
  T left = 0;
  for (std::size_t a = 0; a < inside_count_; ++a) {
    direction_[a] -= beta * ones_[a];
    left += direction_[a];
  }
  // Where M is nearly singular on the points, much cancels in that difference.
  left /= static_cast<T>(inside_count_);
  for (std::size_t a = 0; a < inside_count_; ++a) direction_[a] -= left;
}

// Along the direction to the maximum or the first bound.
template <typename T>
bool SvmDual<T>::step_inside() {
  std::fill(spread_.begin(), spread_.begin() + size_, T(0));
  for (std::size_t a = 0; a < inside_count_; ++a) spread_[inside_[a]] = direction_[a];
  T slope = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    ones_[i] = dot(row(i), spread_.data(), size_);
    slope += spread_[i] * rest_[i];
  }
  const T curvature = dot(ones_.data(), spread_.data(), size_);
  if (!(slope > 0)) return false;
  T most = kInfinite;
  std::size_t blocking = size_;
  for (std::size_t a = 0; a < inside_count_; ++a) {
    const std::size_t i = inside_[a];
    const T d = direction_[a];
    if (d == 0) continue;
    const T room = (d > 0 ? upper(i) - duals_[i] : lower(i) - duals_[i]) / d;
    if (room < most) {
      most = room;
      blocking = i;
    }
  }
  const bool free_way = curvature > 0 && slope < most * curvature;
  const T length = free_way ? slope / curvature : most;
  if (!(length < kInfinite)) return false;
  take_step(length, !free_way, blocking);
  return !free_way;
}

template <typename T>
void SvmDual<T>::take_step(T length, bool to_bound, std::size_t blocking) {
  for (std::size_t a = 0; a < inside_count_; ++a) {
    const std::size_t i = inside_[a];
    duals_[i] = std::min(std::max(duals_[i] + length * direction_[a], lower(i)), upper(i));
  }
  if (to_bound) duals_[blocking] = spread_[blocking] > 0 ? upper(blocking) : lower(blocking);
  for (std::size_t i = 0; i < size_; ++i) rest_[i] -= length * ones_[i];
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SVM_DUAL_NEWTON_H_
