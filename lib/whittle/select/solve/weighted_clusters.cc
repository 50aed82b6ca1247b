#include "whittle/select/solve/weighted_clusters.h"

#include <algorithm>

#include "whittle/base/math.h"
#include "whittle/memory/moments.h"
#include "whittle/select/ratio.h"
#include "whittle/select/solve/dispersion_weights.h"

namespace whittle {

void WeightedClusters::place(Arena& arena, const MemoryConfig& memory, Real beta) {
  Centroids::place(arena, memory);
  beta_ = beta;
  const std::size_t k = memory.classes;
  const std::size_t each = k * features_;
  const Span<Real> tables = arena.array<Real>(3 * each);
  dispersions_ = tables.subspan(0, each);
  weights_ = tables.subspan(each, each);
  factors_ = tables.subspan(2 * each, each);
  sums_ = arena.array<CompensatedSum>(k * kLanes);
  members_ = arena.array<std::uint32_t>(k);
}

void WeightedClusters::clear(const Real* x) {
  Centroids::clear(x);
  std::fill(members_.begin(), members_.end(), 0U);
}

void WeightedClusters::found(std::uint32_t q, const Real* x) {
  Centroids::found(q, x);
  members_[q] = 0;
  for (std::size_t j = 0; j < features_; ++j) {
    dispersion(q)[j] = 0;
    weights_[q * features_ + j] = 0;
    factors_[q * features_ + j] = 0;
  }
}

void WeightedClusters::halve() {
  for (std::uint32_t& count : members_) count = (count + 1) / 2;
  for (Real& dispersion : dispersions_) dispersion /= 2;
}

void WeightedClusters::take(std::uint32_t q, const Real* x) {
  if (members_[q] >= kMostMembers) halve();
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

void WeightedClusters::weigh(std::uint32_t q) {
  dispersion_weights(dispersion(q), features_, beta_, weights_.data() + q * features_);
  distance_factors(dispersion(q), spreads_.data(), features_, beta_,
                   factors_.data() + q * features_);
}

void WeightedClusters::weigh_equally() {
  if (varying() == 0) return;
  const Real weight = Real(1) / static_cast<Real>(varying());
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
    if (exists(static_cast<std::uint32_t>(i / features_))) sum.add(factors_[i] * dispersions_[i]);
  }
  return sum.value();
}

Real WeightedClusters::separation() const {
  CompensatedSum within;
  std::uint32_t count = 0;
  for (std::uint32_t q = 0; q < size(); ++q) {
    if (!exists(q)) continue;
    count += members_[q];
    for (std::size_t j = 0; j < features_; ++j) within.add(dispersion(q)[j]);
  }
  return ratio(least_distance(), within.value() / static_cast<Real>(count));
}

void WeightedClusters::digest(Digest& digest) const {
  Centroids::digest(digest);
  digest.add_all(members_.data(), members_.size());
  digest.add_all(dispersions_.data(), dispersions_.size());
  digest.add_all(weights_.data(), weights_.size());
  digest.add_all(factors_.data(), factors_.size());
}

}  // namespace whittle
