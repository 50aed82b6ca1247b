// The methods of SvmDual, for the two files that make it of one type each.
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
