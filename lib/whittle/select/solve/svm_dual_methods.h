// The methods of SvmDual but for its Newton step, for the two files that make it of one type each.
#ifndef WHITTLE_SELECT_SOLVE_SVM_DUAL_METHODS_H_
#define WHITTLE_SELECT_SOLVE_SVM_DUAL_METHODS_H_

#include <algorithm>
#include <cmath>

#include "whittle/select/solve/svm_dual.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {

template <typename T>
void SvmDual<T>::place(Arena& arena, std::size_t capacity) {
  kernel_ = arena.array<T>(capacity * capacity);
  const Span<T> rows = arena.array<T>(5 * capacity);
  duals_ = rows.subspan(0, capacity);
  rest_ = rows.subspan(capacity, capacity);
  direction_ = rows.subspan(2 * capacity, capacity);
  ones_ = rows.subspan(3 * capacity, capacity);
  spread_ = rows.subspan(4 * capacity, capacity);
  inside_ = arena.array<std::uint32_t>(capacity);
  positive_ = arena.array<bool>(capacity);
  factor_.place(arena, capacity);
}

template <typename T>
void SvmDual<T>::start() {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < i; ++j) kernel_row(j)[i] = row(i)[j];
  }
  make_feasible(duals_.data());
  iterations_ = 0;
}

template <typename T>
void SvmDual<T>::make_feasible(T* u) const {
  T rises = 0;
  T falls = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    // Written so that a NaN becomes 0.
    const T alpha = sign(i) * u[i];
    u[i] = alpha > 0 ? sign(i) * std::min(alpha, c_) : T(0);
    (positive_[i] ? rises : falls) += std::abs(u[i]);
  }
  if (rises == falls) return;
  // The side that is too large shrinks.
  const bool shrink_positive = rises > falls;
  const T factor = shrink_positive ? falls / rises : rises / falls;
  for (std::size_t i = 0; i < size_; ++i) {
    if (positive_[i] == shrink_positive) u[i] *= factor;
  }
}

template <typename T>
void SvmDual<T>::take_products() {
  T largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const T* m = row(i);
    rest_[i] = sign(i) - dot(m, duals_.data(), size_);
    T terms = 0;
    for (std::size_t j = 0; j < size_; ++j) terms += std::abs(m[j] * duals_[j]);
    largest = std::max(largest, terms);
  }
  noise_ = 2 * kEpsilon * (1 + largest);
}

// The point that can rise with the largest h, that h, and the smallest h of those that can fall;
// with points of both signs there are some of each.
template <typename T>
void SvmDual<T>::violation_interval(std::size_t* top, T* highest, T* lowest) const {
  *highest = -kInfinite;
  *lowest = kInfinite;
  for (std::size_t i = 0; i < size_; ++i) {
    if (can_rise(i) && rest_[i] > *highest) {
      *highest = rest_[i];
      *top = i;
    }
    if (can_fall(i) && rest_[i] < *lowest) *lowest = rest_[i];
  }
}

// Gives what rounding has left of sum u to the point with most room.
template <typename T>
void SvmDual<T>::restore_sum() {
  T sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += duals_[i];
  std::size_t roomiest = size_;
  T most = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const T room = std::min(upper(i) - duals_[i], duals_[i] - lower(i));
    if (room > most) {
      most = room;
      roomiest = i;
    }
  }
  if (most > 2 * std::abs(sum)) duals_[roomiest] -= sum;
}

template <typename T>
bool SvmDual<T>::iterate() {
  restore_sum();
  take_products();
  std::size_t top = 0;
  T highest = 0;
  T lowest = 0;
  violation_interval(&top, &highest, &lowest);
  const bool optimal = highest - lowest <= noise_;
  if (optimal || iterations_ >= kMixedIterations + 2 * size_) {
    measure();
    return true;
  }
  ++iterations_;
  const bool at_bound = move_inside();
  // Pairs settle most points soonest. Where M is singular they bring back inside what Newton steps
  // have put to bounds, one each: then all of those come first.
  if (at_bound && iterations_ > kMixedIterations) return false;
  for (std::size_t moves = 0; moves < size_ && move_pair(); ++moves) {
  }
  return false;
}

// False if no pair is worth moving.
template <typename T>
bool SvmDual<T>::move_pair() {
  std::size_t top = 0;
  T highest = 0;
  T lowest = 0;
  violation_interval(&top, &highest, &lowest);
  if (!(highest - lowest > noise_)) return false;
  const T* m = row(top);
  std::size_t low = top;
  T best = 0;
  T best_curvature = 0;
  for (std::size_t j = 0; j < size_; ++j) {
    const T fall = highest - rest_[j];
    if (!can_fall(j) || !(fall > 0)) continue;
    const T own = m[top] + row(j)[j];
    const T curvature = std::max(own - 2 * m[j], kEpsilon * own + kSmallest);
    const T gain = fall * (fall / curvature);
    if (gain > best) {
      best = gain;
      best_curvature = curvature;
      low = j;
    }
  }
  if (low == top) return false;
  const T room_above = upper(top) - duals_[top];
  const T room_below = duals_[low] - lower(low);
  const T step =
      std::min(std::min(room_above, room_below), (highest - rest_[low]) / best_curvature);
  duals_[top] = step == room_above ? upper(top) : duals_[top] + step;
  duals_[low] = step == room_below ? lower(low) : duals_[low] - step;
  const T* other = row(low);
  for (std::size_t i = 0; i < size_; ++i) rest_[i] -= step * (m[i] - other[i]);
  return true;
}

template <typename T>
void SvmDual<T>::measure() {
  std::size_t top = 0;
  T highest = 0;
  T lowest = 0;
  violation_interval(&top, &highest, &lowest);
  bias_ = (highest + lowest) / 2;
  objective_ = 0;
  T square = 0;  // u'Mu
  T worst = 0;   // excess of a point that should have none
  for (std::size_t i = 0; i < size_; ++i) {
    const T alpha = std::abs(duals_[i]);
    const T excess = excess_of(i);
    objective_ += alpha * (1 + excess);
    square += alpha * (1 - excess);
    if (alpha < c_) worst = std::max(worst, excess);
  }
  objective_ /= 2;
  // Of the hyperplane as it is, and of one a little steeper, which no such point is too close to:
  // where C is large, rounding of its excess would cost a lot.
  gap_ = std::min(gap_of(0, square), gap_of(worst / (1 - worst), square));
}

// 1 less the margin of a point.
template <typename T>
T SvmDual<T>::excess_of(std::size_t i) const {
  return sign(i) * (rest_[i] - bias_);
}

// Of the primal objective at (1 + steeper) times the hyperplane.
template <typename T>
T SvmDual<T>::gap_of(T steeper, T square) const {
  if (!(steeper >= 0)) return kInfinite;
  T gap = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const T excess = excess_of(i);
    const T left = excess - steeper * (1 - excess);
    const T alpha = std::abs(duals_[i]);
    gap += excess > 0 && left > 0 ? (c_ - alpha) * excess - c_ * (excess - left)
                                  : c_ * std::max(left, T(0)) - alpha * excess;
  }
  gap += steeper * (1 + steeper / 2) * square;
  return std::max(gap, T(0));
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_SVM_DUAL_METHODS_H_
