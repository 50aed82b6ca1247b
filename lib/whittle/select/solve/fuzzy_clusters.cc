#include "whittle/select/solve/fuzzy_clusters.h"

#include <algorithm>
#include <limits>

#include "whittle/base/math.h"
#include "whittle/select/ratio.h"
#include "whittle/select/solve/dispersion_weights.h"

namespace whittle {

void FuzzyClusters::place(Arena& arena, const MemoryConfig& memory, Real beta) {
  Centroids::place(arena, memory);
  beta_ = beta;
  const Span<Real> rows = arena.array<Real>(3 * features_);
  dispersions_ = rows.subspan(0, features_);
  weights_ = rows.subspan(features_, features_);
  factors_ = rows.subspan(2 * features_, features_);
  masses_ = arena.array<Real>(memory.classes);
  sums_ = arena.array<CompensatedSum>(std::size_t{memory.classes} * kLanes);
}

void FuzzyClusters::clear(const Real* x) {
  Centroids::clear(x);
  std::fill(masses_.begin(), masses_.end(), Real(0));
  std::fill(dispersions_.begin(), dispersions_.end(), Real(0));
  std::fill(weights_.begin(), weights_.end(), Real(0));
  std::fill(factors_.begin(), factors_.end(), Real(0));
}

void FuzzyClusters::halve() {
  for (Real& mass : masses_) mass /= 2;
  for (Real& dispersion : dispersions_) dispersion /= 2;
}

void FuzzyClusters::take(const Real* x, const Real* degrees) {
  if (*std::max_element(masses_.begin(), masses_.end()) >= Real(kMostMembers)) halve();
  for (std::uint32_t q = 0; q < size(); ++q) {
    const Real mass = degrees[q] * degrees[q];
    if (mass == 0) continue;
    masses_[q] += mass;
    const Real share = mass / masses_[q];
    for (std::size_t j = 0; j < features_; ++j) {  // Welford's update
      const Real deviation = x[j] - origin_[j];
      const Real before = deviation - centroid(q)[j];
      centroid(q)[j] += share * before;
      dispersions_[j] += mass * before * (deviation - centroid(q)[j]);
    }
  }
  spreads_from_clusters();
  weigh();
}

// Of the centroids about their mean, each by what belongs to its cluster.
Real FuzzyClusters::dispersion_between(std::size_t j) const {
  Real mass = 0, sum = 0;
  for (std::uint32_t q = 0; q < size(); ++q) {
    if (masses_[q] == 0) continue;
    mass += masses_[q];
    sum += masses_[q] * centroid(q)[j];
  }
  Real between = 0;
  for (std::uint32_t q = 0; q < size(); ++q) {
    const Real d = centroid(q)[j] - sum / mass;
    if (masses_[q] > 0) between += masses_[q] * d * d;
  }
  return between;
}

// Over all that belongs to clusters: what is within them and what is between them.
void FuzzyClusters::spreads_from_clusters() {
  for (std::size_t j = 0; j < features_; ++j) {
    spreads_[j] = dispersions_[j] + dispersion_between(j);
  }
}

bool FuzzyClusters::merged_to_rounding() const {
  CompensatedSum within, between;
  for (std::size_t j = 0; j < features_; ++j) {
    within.add(dispersions_[j]);
    between.add(dispersion_between(j));
  }
  return between.value() <= 16 * std::numeric_limits<Real>::epsilon() * within.value();
}

void FuzzyClusters::move_centroids(const FilledPoints& points, const Real* degrees) {
  const std::uint32_t k = size();
  for (std::uint32_t q = 0; q < k; ++q) {
    CompensatedSum mass;
    for (const Slot slot : points.held().order()) {
      const Real degree = degrees[std::size_t{slot} * k + q];
      mass.add(degree * degree);
    }
    masses_[q] = mass.value();
  }
  for (std::size_t first = 0; first < features_; first += kLanes) {
    const std::size_t width = std::min(kLanes, features_ - first);
    std::fill(sums_.begin(), sums_.end(), CompensatedSum());
    for (const Slot slot : points.held().order()) {
      const Real* x = points.row(slot, 0) + first;
      for (std::uint32_t q = 0; q < k; ++q) {
        const Real degree = degrees[std::size_t{slot} * k + q];
        if (degree == 0) continue;
        CompensatedSum* sum = sums_.data() + q * kLanes;
        for (std::size_t l = 0; l < width; ++l) {
          sum[l].add(degree * degree * (x[l] - origin_[first + l]));
        }
      }
    }
    for (std::uint32_t q = 0; q < k; ++q) {
      if (masses_[q] == 0) continue;
      for (std::size_t l = 0; l < width; ++l) {
        centroid(q)[first + l] = sums_[q * kLanes + l].value() / masses_[q];
      }
    }
  }
}

void FuzzyClusters::measure_dispersions(const FilledPoints& points, const Real* degrees) {
  const std::uint32_t k = size();
  for (std::size_t first = 0; first < features_; first += kLanes) {
    const std::size_t width = std::min(kLanes, features_ - first);
    CompensatedSum sums[kLanes];
    for (const Slot slot : points.held().order()) {
      const Real* x = points.row(slot, 0) + first;
      for (std::uint32_t q = 0; q < k; ++q) {
        const Real degree = degrees[std::size_t{slot} * k + q];
        if (degree == 0) continue;
        for (std::size_t l = 0; l < width; ++l) {
          const Real d = (x[l] - origin_[first + l]) - centroid(q)[first + l];
          sums[l].add(degree * degree * (d * d));
        }
      }
    }
    for (std::size_t l = 0; l < width; ++l) dispersions_[first + l] = sums[l].value();
  }
}

void FuzzyClusters::weigh() {
  dispersion_weights(dispersions_.data(), features_, beta_, weights_.data());
  distance_factors(dispersions_.data(), spreads_.data(), features_, beta_, factors_.data());
}

void FuzzyClusters::weigh_equally() {
  if (varying() == 0) return;
  const Real weight = Real(1) / static_cast<Real>(varying());
  const Real factor = pow(weight, beta_);
  for (std::size_t j = 0; j < features_; ++j) {
    weights_[j] = constant(j) ? Real(0) : weight;
    factors_[j] = constant(j) ? Real(0) : factor;
  }
}

void FuzzyClusters::weigh_at_random(Random& random) {
  CompensatedSum sum;
  for (std::size_t j = 0; j < features_; ++j) {
    weights_[j] = constant(j) ? Real(0) : random.uniform() + Real(1e-3);
    sum.add(weights_[j]);
  }
  for (std::size_t j = 0; j < features_; ++j) {
    if (weights_[j] == 0) continue;
    weights_[j] /= sum.value();
    factors_[j] = pow(weights_[j], beta_);
  }
}

void FuzzyClusters::measure_distances(const Real* x, Real* distances) const {
  for (std::uint32_t q = 0; q < size(); ++q) {
    distances[q] = kInfinity;
    if (!exists(q)) continue;
    Real lane[kLanes] = {};
    for (std::size_t j = 0; j < features_; ++j) {
      const Real d = (x[j] - origin_[j]) - centroid(q)[j];
      lane[j % kLanes] += factors_[j] * (d * d);
    }
    const Real sum = sum_of_lanes(lane);
    distances[q] = sum < kInfinity ? sum : std::numeric_limits<Real>::max();
  }
}

Real FuzzyClusters::objective() const {
  CompensatedSum sum;
  for (std::size_t j = 0; j < features_; ++j) sum.add(factors_[j] * dispersions_[j]);
  return sum.value();
}

Real FuzzyClusters::separation() const {
  CompensatedSum within;
  for (const Real dispersion : dispersions_) within.add(dispersion);
  CompensatedSum mass;
  for (const Real one : masses_) mass.add(one);
  return ratio(least_distance(), within.value() / mass.value());
}

void FuzzyClusters::digest(Digest& digest) const {
  Centroids::digest(digest);
  digest.add_all(masses_.data(), masses_.size());
  digest.add_all(dispersions_.data(), dispersions_.size());
  digest.add_all(weights_.data(), weights_.size());
  digest.add_all(factors_.data(), factors_.size());
}

}  // namespace whittle
