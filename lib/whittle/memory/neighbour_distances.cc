// Of NeighbourGraph: the distances in either metric, and what the cosine needs.
#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"
#include "whittle/memory/neighbour_graph.h"

namespace whittle {
namespace {

// 1 - cos of the angle, as half the squared distance of the normalised vectors; 1 for a zero
// vector.
Real cosine_distance(const Real* a, Real inverse_a, const Real* b, Real inverse_b, std::size_t m) {
  if (inverse_a == 0 || inverse_b == 0) return Real(1);
  Real lane[kLanes] = {};
  for (std::size_t r = 0; r < m; ++r) {
    const Real d = a[r] * inverse_a - b[r] * inverse_b;
    lane[r % kLanes] += d * d;
  }
  return Real(0.5) * sum_of_lanes(lane);
}

// 1 / |x|, without over- or underflow of the squares; 0 for a zero vector, and for one so short
// that the inverse of its length overflows.
Real inverse_norm(const Real* x, std::size_t m) {
  Real largest = 0;
  for (std::size_t r = 0; r < m; ++r) largest = std::max(largest, std::abs(x[r]));
  if (largest == 0) return Real(0);
  Real lane[kLanes] = {};
  for (std::size_t r = 0; r < m; ++r) {
    const Real scaled = x[r] / largest;
    lane[r % kLanes] += scaled * scaled;
  }
  const Real inverse = Real(1) / std::sqrt(sum_of_lanes(lane)) / largest;
  return inverse < kInfinity ? inverse : Real(0);
}

}  // namespace

Real NeighbourGraph::computed_square(const HeldPoints& points, Slot a, Slot b) const {
  const std::size_t m = points.features();
  if (points.has_missing(a) || points.has_missing(b)) {
    return squared_distance_of_present(points.row(a), points.row(b), m);
  }
  return whittle::squared_distance(points.row(a), points.row(b), m);
}

Real NeighbourGraph::computed_key(const HeldPoints& points, Slot a, Slot b) const {
  if (metric_ == Metric::euclidean) return computed_square(points, a, b);
  const std::size_t m = points.features();
  if (!points.has_missing(a) && !points.has_missing(b)) {
    return cosine_distance(points.row(a), inverse_norms_[a], points.row(b), inverse_norms_[b], m);
  }
  if (!(computed_square(points, a, b) < kInfinity)) return kInfinity;  // nothing in common
  return cosine_distance(filled_.row(a, 0), inverse_norms_[a], filled_.row(b, 1), inverse_norms_[b],
                         m);
}

Real NeighbourGraph::key(const HeldPoints& points, Slot a, Slot b) const {
  return keep_distances_ ? row_of_keys(a)[b] : computed_key(points, a, b);
}

Real NeighbourGraph::squared_distance(const HeldPoints& points, Slot a, Slot b, Real key) const {
  return metric_ == Metric::euclidean ? key : computed_square(points, a, b);
}

// Many at once, so that a loop does nothing else and is as fast as one can be.
void NeighbourGraph::measure(const HeldPoints& points, Slot slot, Span<const Slot> others,
                             Real* keys) {
  Real* const row = row_of_keys(slot);
  const auto note = [&](std::size_t i, Real key) {
    keys[i] = key;
    if (!keep_distances_) return;
    row[others[i]] = key;
    row_of_keys(others[i])[slot] = key;
  };
  if (metric_ == Metric::euclidean && !points.any_missing()) {
    const std::size_t m = points.features();
    const Real* const rows = points.row(0);
    const Real* const x = points.row(slot);
    for (std::size_t i = 0; i < others.size(); ++i) {
      note(i, whittle::squared_distance(x, rows + others[i] * m, m));
    }
  } else {
    for (std::size_t i = 0; i < others.size(); ++i) note(i, computed_key(points, slot, others[i]));
  }
}

void NeighbourGraph::measure_length(const HeldPoints& points, Slot slot) {
  const Real* x = points.has_missing(slot) ? filled_.row(slot, 0) : points.row(slot);
  inverse_norms_[slot] = inverse_norm(x, points.features());
}

void NeighbourGraph::note_change(const HeldPoints& points, Slot slot) {
  if (metric_ == Metric::euclidean) return;
  means_changed_ = true;
  if (points.has_missing(slot)) filled_.update(points);
  measure_length(points, slot);
}

void NeighbourGraph::measure_lengths(const HeldPoints& points) {
  if (metric_ == Metric::euclidean) return;
  means_changed_ = true;
  filled_.update(points);
  for (const Slot slot : points.order()) measure_length(points, slot);
}

}  // namespace whittle
