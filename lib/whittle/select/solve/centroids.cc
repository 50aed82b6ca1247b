#include "whittle/select/solve/centroids.h"

#include <algorithm>

#include "whittle/base/lanes.h"

namespace whittle {

void Centroids::place(Arena& arena, const MemoryConfig& memory) {
  features_ = memory.features;
  centroids_ = arena.array<Real>(std::size_t{memory.classes} * features_);
  const Span<Real> rows = arena.array<Real>(2 * features_);
  origin_ = rows.subspan(0, features_);
  spreads_ = rows.subspan(features_, features_);
  exists_ = arena.array<std::uint32_t>(memory.classes);
}

void Centroids::clear(const Real* x) {
  std::copy(x, x + features_, origin_.begin());
  std::fill(exists_.begin(), exists_.end(), 0U);
  std::fill(spreads_.begin(), spreads_.end(), Real(0));
  has_origin_ = true;
}

void Centroids::forget() {
  std::fill(exists_.begin(), exists_.end(), 0U);
  has_origin_ = false;
}

void Centroids::move_origin(const Real* x) {
  for (std::uint32_t q = 0; q < size(); ++q) {
    for (std::size_t j = 0; j < features_; ++j) centroid(q)[j] += origin_[j] - x[j];
  }
  std::copy(x, x + features_, origin_.begin());
}

void Centroids::found(std::uint32_t q, const Real* x) {
  exists_[q] = 1;
  for (std::size_t j = 0; j < features_; ++j) centroid(q)[j] = x[j] - origin_[j];
}

std::uint32_t Centroids::existing() const {
  std::uint32_t count = 0;
  for (const std::uint32_t one : exists_) count += one;
  return count;
}

bool Centroids::fit(const HeldPoints& points) const {
  for (std::uint32_t q = 0; q < size(); ++q) {
    if (exists(q) != (points.class_count(q) > 0)) return false;
  }
  return true;
}

void Centroids::measure_spreads(const FilledPoints& points) {
  const Span<const Slot> order = points.held().order();
  for (std::size_t j = 0; j < features_; ++j) {
    const Real first = points.value(order[0], j) - origin_[j];
    bool varies = false;
    CompensatedSum sum;
    for (const Slot slot : order) {
      const Real d = points.value(slot, j) - origin_[j];
      varies = varies || d != first;
      sum.add(d);
    }
    const Real mean = sum.value() / static_cast<Real>(order.size());
    CompensatedSum squares;
    for (const Slot slot : order) {
      const Real d = (points.value(slot, j) - origin_[j]) - mean;
      squares.add(d * d);
    }
    spreads_[j] = varies ? squares.value() : Real(0);
  }
}

std::size_t Centroids::varying() const {
  std::size_t count = 0;
  for (std::size_t j = 0; j < features_; ++j) count += constant(j) ? 0U : 1U;
  return count;
}

Real Centroids::least_distance() const {
  Real least = kInfinity;
  for (std::uint32_t q = 0; q < size(); ++q) {
    for (std::uint32_t p = 0; p < q; ++p) {
      if (!exists(q) || !exists(p)) continue;
      least = std::min(least, squared_distance(centroid(p), centroid(q), features_));
    }
  }
  return least;
}

void Centroids::digest(Digest& digest) const {
  digest.add_all(exists_.data(), exists_.size());
  digest.add_all(origin_.data(), has_origin_ ? features_ : 0);
  digest.add_all(centroids_.data(), centroids_.size());
  digest.add_all(spreads_.data(), spreads_.size());
}

}  // namespace whittle
