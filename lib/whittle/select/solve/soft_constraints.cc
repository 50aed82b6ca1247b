#include "whittle/select/solve/soft_constraints.h"

#include <algorithm>

#include "whittle/select/solve/centroids.h"

namespace whittle {

void SoftConstraints::place(Arena& arena, const MemoryConfig& memory) {
  classes_ = memory.classes;
  sums_ = arena.array<Real>(classes_ * classes_);
}

void SoftConstraints::clear() { std::fill(sums_.begin(), sums_.end(), Real(0)); }

void SoftConstraints::add(std::uint32_t label, const Real* degrees) {
  Real* sums = sums_.data() + label * classes_;
  if (*std::max_element(sums, sums + classes_) >= Real(kMostMembers)) {
    for (Real& sum : sums_) sum /= 2;
  }
  for (std::size_t q = 0; q < classes_; ++q) sums[q] += degrees[q];
}

void SoftConstraints::remove(std::uint32_t label, const Real* degrees) {
  Real* sums = sums_.data() + label * classes_;
  for (std::size_t q = 0; q < classes_; ++q) sums[q] = std::max(sums[q] - degrees[q], Real(0));
}

void SoftConstraints::measure_costs(std::uint32_t label, Real* costs) const {
  for (std::size_t q = 0; q < classes_; ++q) {
    Real cost = 0;
    for (std::size_t other = 0; other < classes_; ++other) {
      if (other != q) cost += sums_[label * classes_ + other];
      if (other != label) cost += sums_[other * classes_ + q];
    }
    costs[q] = cost;
  }
}

void soft_degrees(std::size_t k, Real* distances, const Real* costs, Real* degrees) {
  const Real nearest = *std::min_element(distances, distances + k);
  if (nearest == 0) {
    const auto count = static_cast<Real>(std::count(distances, distances + k, Real(0)));
    for (std::size_t q = 0; q < k; ++q) degrees[q] = distances[q] == 0 ? 1 / count : Real(0);
    return;
  }
  // With r_q = nearest / d_q, (4.15) is r_q / R + r_q (sum_t P_t r_t / R - P_q) / (2 nearest), R
  // the sum of the r. The smallest P taken off all of them changes nothing but the rounding: then
  // one bracket is certain not to be negative, and not all is clipped to 0.
  Real least = costs == nullptr ? Real(0) : kInfinity;
  Real total = 0;
  for (std::size_t q = 0; q < k; ++q) {
    distances[q] = nearest / distances[q];
    total += distances[q];
    if (costs != nullptr && distances[q] > 0) least = std::min(least, costs[q]);
  }
  Real mean = 0;
  for (std::size_t q = 0; q < k && costs != nullptr; ++q) {
    if (distances[q] > 0) mean += distances[q] * (costs[q] - least);
  }
  mean /= total;
  Real sum = 0;
  for (std::size_t q = 0; q < k; ++q) {
    const Real excess = costs == nullptr ? Real(0) : (mean - (costs[q] - least)) / 2;
    const Real degree = distances[q] / total + distances[q] * excess / nearest;
    degrees[q] = std::min(std::max(degree, Real(0)), Real(1));
    sum += degrees[q];
  }
  for (std::size_t q = 0; q < k; ++q) degrees[q] /= sum;
}

}  // namespace whittle
