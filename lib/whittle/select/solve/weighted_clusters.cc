#include "whittle/select/solve/weighted_clusters.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/math.h"
#include "whittle/memory/moments.h"
#include "whittle/select/ratio.h"
#include "whittle/select/solve/dispersion_weights.h"

namespace whittle {

void WeightedClusters::place(Arena& arena, const MemoryConfig& memory, Real beta) {
  features_ = memory.features;
  beta_ = beta;
  const std::size_t k = memory.classes;
  const std::size_t each = k * features_;
  const Span<Real> tables = arena.array<Real>(4 * each);
  centroids_ = tables.subspan(0, each);
  dispersions_ = tables.subspan(each, each);
  weights_ = tables.subspan(2 * each, each);
  factors_ = tables.subspan(3 * each, each);
  const Span<Real> rows = arena.array<Real>(2 * features_);
  origin_ = rows.subspan(0, features_);
  spreads_ = rows.subspan(features_, features_);
  sums_ = arena.array<CompensatedSum>(k * kLanes);
  const Span<std::uint32_t> words = arena.array<std::uint32_t>(2 * k);
  exists_ = words.subspan(0, k);
  members_ = words.subspan(k, k);
}

void WeightedClusters::clear(const Real* x) {
  std::copy(x, x + features_, origin_.begin());
  std::fill(exists_.begin(), exists_.end(), 0U);
  std::fill(members_.begin(), members_.end(), 0U);
  std::fill(spreads_.begin(), spreads_.end(), Real(0));
  has_origin_ = true;
}

std::uint32_t WeightedClusters::existing() const {
  std::uint32_t count = 0;
  for (const std::uint32_t one : exists_) count += one;
  return count;
}

void WeightedClusters::found(std::uint32_t q, const Real* x) {
  exists_[q] = 1;
  members_[q] = 0;
  for (std::size_t j = 0; j < features_; ++j) {
    centroid(q)[j] = x[j] - origin_[j];
    dispersion(q)[j] = 0;
    weights_[q * features_ + j] = 0;
    factors_[q * features_ + j] = 0;
  }
}

void WeightedClusters::take(std::uint32_t q, const Real* x) {
  const Real count = static_cast<Real>(++members_[q]);
  for (std::size_t j = 0; j < features_; ++j) {  // Welford's update
    const Real deviation = x[j] - origin_[j];
    const Real before = deviation - centroid(q)[j];
    centroid(q)[j] += before / count;
    dispersion(q)[j] += before * (deviation - centroid(q)[j]);
  }
  spreads_from_clusters();
  for (std::uint32_t p = 0; p < size(); ++p) {
    if (members_[p] > 0) weigh(p);
  }
}

// Over all members: what is within the clusters and what is between them.
void WeightedClusters::spreads_from_clusters() {
  for (std::size_t j = 0; j < features_; ++j) {
    Moment all;
    for (std::uint32_t q = 0; q < size(); ++q) {
      all = merged(all, {static_cast<Real>(members_[q]), centroid(q)[j], 0, dispersion(q)[j]});
    }
    spreads_[j] = all.deviations;
  }
}

void WeightedClusters::move_centroids(const FilledPoints& points,
                                      const std::uint32_t* memberships) {
  std::fill(members_.begin(), members_.end(), 0U);
  for (const Slot slot : points.held().order()) {
    if (memberships[slot] != kNoCluster) ++members_[memberships[slot]];
  }
  for (std::size_t first = 0; first < features_; first += kLanes) {
    const std::size_t width = std::min(kLanes, features_ - first);
    std::fill(sums_.begin(), sums_.end(), CompensatedSum());
    for (const Slot slot : points.held().order()) {
      if (memberships[slot] == kNoCluster) continue;
      const Real* x = points.row(slot, 0) + first;
      CompensatedSum* sum = sums_.data() + memberships[slot] * kLanes;
      for (std::size_t l = 0; l < width; ++l) sum[l].add(x[l] - origin_[first + l]);
    }
    for (std::uint32_t q = 0; q < size(); ++q) {
      if (members_[q] == 0) continue;
      for (std::size_t l = 0; l < width; ++l) {
        centroid(q)[first + l] = sums_[q * kLanes + l].value() / static_cast<Real>(members_[q]);
      }
    }
  }
}

void WeightedClusters::measure_dispersions(const FilledPoints& points,
                                           const std::uint32_t* memberships) {
  for (std::size_t first = 0; first < features_; first += kLanes) {
    const std::size_t width = std::min(kLanes, features_ - first);
    std::fill(sums_.begin(), sums_.end(), CompensatedSum());
    for (const Slot slot : points.held().order()) {
      const Real* x = points.row(slot, 0) + first;
      const std::uint32_t q = memberships[slot];
      for (std::size_t l = 0; l < width; ++l) {
        const Real d = (x[l] - origin_[first + l]) - centroid(q)[first + l];
        sums_[q * kLanes + l].add(d * d);
      }
    }
    for (std::uint32_t q = 0; q < size(); ++q) {
      if (members_[q] == 0) continue;
      for (std::size_t l = 0; l < width; ++l) {
        dispersion(q)[first + l] = sums_[q * kLanes + l].value();
      }
    }
  }
  for (std::uint32_t q = 0; q < size(); ++q) {
    if (members_[q] > 0) weigh(q);
  }
}

void WeightedClusters::measure_spreads(const FilledPoints& points) {
  for (std::size_t j = 0; j < features_; ++j) {
    CompensatedSum sum;
    Real farthest = 0;
    for (const Slot slot : points.held().order()) {
      const Real d = points.value(slot, j) - origin_[j];
      farthest =
          std::max(farthest, std::abs(d - (points.value(points.held().oldest(), j) - origin_[j])));
      sum.add(d);
    }
    const Real mean = sum.value() / static_cast<Real>(points.held().size());
    CompensatedSum squares;
    for (const Slot slot : points.held().order()) {
      const Real d = (points.value(slot, j) - origin_[j]) - mean;
      squares.add(d * d);
    }
    spreads_[j] = farthest == 0 ? Real(0) : squares.value();
  }
}

void WeightedClusters::weigh(std::uint32_t q) {
  dispersion_weights(dispersion(q), features_, beta_, weights_.data() + q * features_);
  distance_factors(dispersion(q), spreads_.data(), features_, beta_,
                   factors_.data() + q * features_);
}

void WeightedClusters::weigh_equally() {
  std::size_t varying = 0;
  for (std::size_t j = 0; j < features_; ++j) varying += constant(j) ? 0U : 1U;
  if (varying == 0) return;
  const Real weight = Real(1) / static_cast<Real>(varying);
  const Real factor = pow(weight, beta_);
  for (std::uint32_t q = 0; q < size(); ++q) {
    for (std::size_t j = 0; j < features_; ++j) {
      weights_[q * features_ + j] = constant(j) ? Real(0) : weight;
      factors_[q * features_ + j] = constant(j) ? Real(0) : factor;
    }
  }
}

void WeightedClusters::weigh_at_random(Random& random) {
  for (std::uint32_t q = 0; q < size(); ++q) {
    Real* weights = weights_.data() + q * features_;
    CompensatedSum sum;
    for (std::size_t j = 0; j < features_; ++j) {
      weights[j] = constant(j) ? Real(0) : random.uniform() + Real(1e-3);
      sum.add(weights[j]);
    }
    for (std::size_t j = 0; j < features_; ++j) {
      if (weights[j] == 0) continue;
      weights[j] /= sum.value();
      factors_[q * features_ + j] = pow(weights[j], beta_);
    }
  }
}

Real WeightedClusters::distance(std::uint32_t q, const Real* x) const {
  const Real* factors = factors_.data() + q * features_;
  Real lane[kLanes] = {};
  for (std::size_t j = 0; j < features_; ++j) {
    const Real d = (x[j] - origin_[j]) - centroid(q)[j];
    lane[j % kLanes] += factors[j] * d * d;
  }
  return sum_of_lanes(lane);
}

Real WeightedClusters::objective() const {
  CompensatedSum sum;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    if (exists_[i / features_] != 0) sum.add(factors_[i] * dispersions_[i]);
  }
  return sum.value();
}

Real WeightedClusters::separation() const {
  Real nearest = kInfinity;
  CompensatedSum within;
  std::uint32_t count = 0;
  for (std::uint32_t q = 0; q < size(); ++q) {
    if (!exists(q)) continue;
    count += members_[q];
    for (std::size_t j = 0; j < features_; ++j) within.add(dispersion(q)[j]);
    for (std::uint32_t p = 0; p < q; ++p) {
      if (exists(p))
        nearest = std::min(nearest, squared_distance(centroid(p), centroid(q), features_));
    }
  }
  return ratio(nearest, within.value() / static_cast<Real>(count));
}

void WeightedClusters::digest(Digest& digest) const {
  digest.add_all(exists_.data(), exists_.size());
  digest.add_all(members_.data(), members_.size());
  digest.add_all(origin_.data(), has_origin_ ? features_ : 0);
  digest.add_all(centroids_.data(), centroids_.size());
  digest.add_all(dispersions_.data(), dispersions_.size());
  digest.add_all(weights_.data(), weights_.size());
  digest.add_all(factors_.data(), factors_.size());
  digest.add_all(spreads_.data(), spreads_.size());
}

}  // namespace whittle
