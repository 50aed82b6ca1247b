#include "whittle/select/solve/soft_clustering.h"

#include <algorithm>
#include <cmath>

#include "whittle/select/solve/random_points.h"

namespace whittle {

void SoftClustering::place(Arena& arena, const MemoryConfig& memory, Real beta) {
  classes_ = memory.classes;
  clusters_.place(arena, memory, beta);
  constraints_.place(arena, memory);
  degrees_ = arena.array<Real>(memory.capacity() * classes_);
  const Span<Real> rows = arena.array<Real>(3 * classes_);
  chosen_ = rows.subspan(0, classes_);
  distances_ = rows.subspan(classes_, classes_);
  costs_ = rows.subspan(2 * classes_, classes_);
}

void SoftClustering::choose_degrees(const Real* x, std::uint32_t label, bool by_distance_alone) {
  const bool constrained = label != kUnlabelled && !by_distance_alone;
  clusters_.measure_distances(x, distances_.data());
  if (constrained) constraints_.measure_costs(label, costs_.data());
  soft_degrees(classes_, distances_.data(), constrained ? costs_.data() : nullptr, chosen_.data());
}

// What a point adds to (4.7) and (4.8) that comes into the sums after the others.
Real SoftClustering::violations_of_newest(std::uint32_t label, const Real* degrees) {
  constraints_.measure_costs(label, costs_.data());
  constraints_.add(label, degrees);
  Real sum = 0;
  for (std::size_t q = 0; q < classes_; ++q) sum += degrees[q] * costs_[q];
  return sum;
}

void SoftClustering::take(const Real* x, std::uint32_t label, Slot slot) {
  if (!clusters_.has_origin()) clusters_.clear(x);
  std::fill(chosen_.begin(), chosen_.end(), Real(0));
  if (label != kUnlabelled && !clusters_.exists(label)) {
    clusters_.found(label, x);
    chosen_[label] = 1;
  } else if (clusters_.existing() > 0) {
    choose_degrees(x, label, false);
  }
  if (slot != kNoSlot) std::copy(chosen_.begin(), chosen_.end(), row(slot));
  if (clusters_.existing() == 0) return;
  if (label != kUnlabelled) violations_ += violations_of_newest(label, chosen_.data());
  clusters_.take(x, chosen_.data());
}

void SoftClustering::clear(const HeldPoints& points) {
  clusters_.forget();
  constraints_.clear();
  violations_ = 0;
  for (const Slot slot : points.order()) std::fill_n(row(slot), classes_, Real(0));
}

bool SoftClustering::start_warm(const FilledPoints& points) {
  if (!clusters_.fit(points.held()) || !(objective() < kInfinity)) return false;
  clusters_.move_origin(points.row(points.held().oldest(), 0));
  clusters_.measure_spreads(points);
  count_violations(points.held());
  passes_ = 0;
  residual_ = 1;
  first_ = converged_ = false;
  return true;
}

void SoftClustering::start_cold(const FilledPoints& points, std::uint32_t seed) {
  const HeldPoints& held = points.held();
  clusters_.clear(points.row(held.oldest(), 0));
  clusters_.measure_spreads(points);
  std::fill(degrees_.begin(), degrees_.end(), Real(0));
  if (seed == 0) {
    place_at_class_means(points);
  } else {
    place_at_random(points, seed);
  }
  constraints_.clear();
  passes_ = 0;
  residual_ = 1;
  first_ = true;
  converged_ = false;
}

void SoftClustering::place_at_class_means(const FilledPoints& points) {
  for (const Slot slot : points.held().order()) {
    const std::uint32_t label = points.held().label(slot);
    if (label == kUnlabelled) continue;
    if (!clusters_.exists(label)) clusters_.found(label, points.row(slot, 0));
    row(slot)[label] = 1;
  }
  clusters_.move_centroids(points, degrees_.data());
  clusters_.weigh_equally();
  std::fill(degrees_.begin(), degrees_.end(), Real(0));
}

void SoftClustering::place_at_random(const FilledPoints& points, std::uint32_t seed) {
  Random random(seed);
  found_at_random_points(points, random, clusters_);
  clusters_.weigh_at_random(random);
}

void SoftClustering::pass(const FilledPoints& points) {
  const HeldPoints& held = points.held();
  Real farthest = 0;  // that a degree moves
  for (const Slot slot : held.order()) {
    const std::uint32_t label = held.label(slot);
    Real* degrees = row(slot);
    if (label != kUnlabelled) constraints_.remove(label, degrees);
    choose_degrees(points.row(slot, 0), label, first_);
    for (std::size_t q = 0; q < classes_; ++q) {
      farthest = std::max(farthest, std::abs(chosen_[q] - degrees[q]));
      degrees[q] = chosen_[q];
    }
    if (label != kUnlabelled) constraints_.add(label, degrees);
  }
  clusters_.move_centroids(points, degrees_.data());
  clusters_.measure_dispersions(points, degrees_.data());
  if (passes_ == 0 || !clusters_.merged_to_rounding()) clusters_.weigh();
  count_violations(held);
  residual_ = first_ ? Real(1) : farthest;
  converged_ = residual_ <= Real(1e-4);
  first_ = false;
  ++passes_;
}

// Anew, and with them the sums, so that what rounding adds to these in a pass does not pile up.
void SoftClustering::count_violations(const HeldPoints& points) {
  constraints_.clear();
  CompensatedSum sum;
  for (const Slot slot : points.order()) {
    const std::uint32_t label = points.label(slot);
    if (label != kUnlabelled) sum.add(violations_of_newest(label, degrees(slot)));
  }
  violations_ = sum.value();
}

void SoftClustering::digest(const HeldPoints& points, Digest& digest) const {
  clusters_.digest(digest);
  constraints_.digest(digest);
  for (const Slot slot : points.order()) digest.add_all(degrees(slot), classes_);
  digest.add(violations_);
  digest.add(passes_);
  digest.add(first_);
  digest.add(converged_);
}

}  // namespace whittle
