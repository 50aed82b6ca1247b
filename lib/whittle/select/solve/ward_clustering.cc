#include "whittle/select/solve/ward_clustering.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"

namespace whittle {

void WardClustering::place(Arena& arena, const MemoryConfig& config) {
  const std::size_t n = config.capacity();
  features_ = config.features;
  heights_.place(arena, n);
  const Span<std::uint32_t> words = arena.array<std::uint32_t>(5 * n);
  active_ = words.subspan(0, n);
  sizes_ = words.subspan(n, n);
  nearest_ = words.subspan(2 * n, n);
  owners_ = words.subspan(3 * n, n);
  chosen_ = words.subspan(4 * n, n);
  centroids_ = arena.array<Real>(max_clusters(n) * features_);
  spreads_ = arena.array<Real>(max_clusters(n));
  deviation_ = arena.array<Real>(features_);
  sums_.place(arena, features_);
}

Status WardClustering::partition(const HeldPoints& points, const FilledPoints& filled) {
  const std::size_t n = points.size();
  if (const Status status = measure_heights(points, filled); !status.ok()) return status;
  active_count_ = n;
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = static_cast<Place>(i);
    active_[i] = place;
    owners_[i] = place;
    sizes_[i] = 1;
    find_nearest_older(i);
  }
  while (active_count_ > max_clusters(n)) merge_nearest();
  choose(points);  // the one cluster of a single point; else the first of those compared
  Real best = kInfinity;
  for (; active_count_ >= 2; merge_nearest()) {
    measure_clusters(points, filled);
    const Real index = davies_bouldin();
    if (index > best) continue;
    best = index;
    choose(points);
  }
  return {};
}

// Of single points: their squared distances.
Status WardClustering::measure_heights(const HeldPoints& points, const FilledPoints& filled) {
  const Span<const Slot> order = points.order();
  Real highest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Real* x = filled.row(order[i], 0);
    Real* row = heights_.row(i);
    for (std::size_t j = 0; j < i; ++j) {
      row[j] = squared_distance(x, filled.row(order[j], 1), features_);
      highest = std::max(highest, row[j]);
    }
  }
  // No height, nor what it is computed from, is larger.
  const Real n = static_cast<Real>(order.size());
  if (highest * n * n * Real(2) < kInfinity) return {};
  return {StatusCode::failed_precondition, "distances overflow: scale the features down"};
}

void WardClustering::find_nearest_older(std::size_t index) {
  const Place cluster = active_[index];
  const Real* row = heights_.row(cluster);
  Real least = kInfinity;
  for (std::size_t i = 0; i < index; ++i) {
    const Place other = active_[i];
    if (!(row[other] < least)) continue;
    least = row[other];
    nearest_[cluster] = other;
  }
}

// Joins the two clusters of least height.
void WardClustering::merge_nearest() {
  std::size_t gone = 0;
  Real least = kInfinity;
  for (std::size_t i = 1; i < active_count_; ++i) {
    const Place cluster = active_[i];
    const Real height = heights_.row(cluster)[nearest_[cluster]];
    const bool older = height == least && nearest_[cluster] < nearest_[active_[gone]];
    if (!(height < least || older)) continue;
    least = height;
    gone = i;
  }
  const Place younger = active_[gone];
  const Place older = nearest_[younger];
  std::copy(active_.begin() + gone + 1, active_.begin() + active_count_, active_.begin() + gone);
  --active_count_;
  std::replace(owners_.begin(), owners_.end(), younger, older);
  update_heights(older, younger);
  update_nearest(older, younger);
}

void WardClustering::update_heights(Place kept, Place gone) {
  const Real a = static_cast<Real>(sizes_[kept]);
  const Real b = static_cast<Real>(sizes_[gone]);
  const Real merged = heights_.at(kept, gone);
  for (std::size_t i = 0; i < active_count_; ++i) {
    const Place other = active_[i];
    if (other == kept) continue;
    const Real c = static_cast<Real>(sizes_[other]);
    Real& height = heights_.at(kept, other);
    height = ((a + c) * height + (b + c) * heights_.at(gone, other) - c * merged) / (a + b + c);
  }
  sizes_[kept] += sizes_[gone];
}

// What the heights of a merged cluster change.
void WardClustering::update_nearest(Place kept, Place gone) {
  for (std::size_t i = 1; i < active_count_; ++i) {
    const Place cluster = active_[i];
    if (cluster < kept) continue;
    const Place nearest = nearest_[cluster];
    if (cluster == kept || nearest == kept || nearest == gone) {
      find_nearest_older(i);
      continue;
    }
    const Real* row = heights_.row(cluster);
    if (row[kept] < row[nearest] || (row[kept] == row[nearest] && kept < nearest)) {
      nearest_[cluster] = kept;
    }
  }
}

// Centroids and spreads of the clusters, in the order of active_.
void WardClustering::measure_clusters(const HeldPoints& points, const FilledPoints& filled) {
  const Span<const Slot> order = points.order();
  for (std::size_t k = 0; k < active_count_; ++k) {
    const Place cluster = active_[k];
    const Real size = static_cast<Real>(sizes_[cluster]);
    Real* centroid = centroids_.data() + k * features_;
    const auto for_each_member = [&](auto visit) {
      for (std::size_t i = cluster; i < order.size(); ++i) {
        if (owners_[i] != cluster) continue;
        const Real* origin = filled.row(order[0], 1);
        const Real* x = filled.row(order[i], 0);
        for (std::size_t r = 0; r < features_; ++r) deviation_[r] = x[r] - origin[r];
        visit();
      }
    };
    sums_.clear();
    for_each_member([&] { sums_.add([&](std::size_t r) { return deviation_[r]; }); });
    for (std::size_t r = 0; r < features_; ++r) centroid[r] = sums_.value(r) / size;
    CompensatedSum distances;
    for_each_member([&] {
      distances.add(std::sqrt(squared_distance(deviation_.data(), centroid, features_)));
    });
    spreads_[k] = distances.value() / size;
  }
}

Real WardClustering::davies_bouldin() const {
  CompensatedSum sum;
  for (std::size_t i = 0; i < active_count_; ++i) {
    Real worst = 0;
    for (std::size_t j = 0; j < active_count_; ++j) {
      if (j == i) continue;
      const Real apart = squared_distance(centroids_.data() + i * features_,
                                          centroids_.data() + j * features_, features_);
      if (apart == 0) return kInfinity;
      worst = std::max(worst, (spreads_[i] + spreads_[j]) / std::sqrt(apart));
    }
    sum.add(worst);
  }
  return sum.value() / static_cast<Real>(active_count_);
}

void WardClustering::choose(const HeldPoints& points) {
  const Span<const Slot> order = points.order();
  for (std::size_t i = 0; i < order.size(); ++i) chosen_[order[i]] = owners_[i];
  clusters_ = static_cast<std::uint32_t>(active_count_);
}

}  // namespace whittle
