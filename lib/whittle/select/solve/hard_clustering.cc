#include "whittle/select/solve/hard_clustering.h"

#include <algorithm>

#include "whittle/select/solve/random_points.h"

namespace whittle {

void HardClustering::place(Arena& arena, const MemoryConfig& memory, Real beta) {
  const std::size_t k = memory.classes;
  clusters_.place(arena, memory, beta);
  class_members_ = arena.array<std::uint32_t>(k * k);
  memberships_ = arena.array<std::uint32_t>(memory.capacity());
  std::fill(memberships_.begin(), memberships_.end(), kNoCluster);
}

// Constraints between a point of this label and the members so far that the cluster would break.
std::uint32_t HardClustering::broken_constraints(std::uint32_t label, std::uint32_t cluster) const {
  const std::uint32_t k = clusters_.size();
  std::uint32_t broken = 0;
  for (std::uint32_t other = 0; other < k; ++other) {
    // Its class in another cluster, another class in this cluster.
    if (other != cluster) broken += class_members_[label * k + other];
    if (other != label) broken += class_members_[other * k + cluster];
  }
  return broken;
}

std::uint32_t HardClustering::choose_cluster(const Real* x, std::uint32_t label,
                                             std::uint32_t* broken) const {
  std::uint32_t best = kNoCluster;
  std::uint32_t fewest = 0;
  Real nearest = 0;
  for (std::uint32_t q = 0; q < clusters_.size(); ++q) {
    if (!clusters_.exists(q)) continue;
    const std::uint32_t breaks = label == kUnlabelled ? 0 : broken_constraints(label, q);
    if (best != kNoCluster && breaks > fewest) continue;
    const Real distance = clusters_.distance(q, x);
    if (best == kNoCluster || breaks < fewest || distance < nearest) {
      best = q;
      fewest = breaks;
      nearest = distance;
    }
  }
  *broken = fewest;
  return best;
}

void HardClustering::count_member(std::uint32_t label, std::uint32_t cluster) {
  if (label == kUnlabelled) return;
  std::uint32_t& members = class_members_[label * clusters_.size() + cluster];
  if (members == kMostMembers) {
    for (std::uint32_t& count : class_members_) count = (count + 1) / 2;
  }
  ++members;
}

void HardClustering::take(const Real* x, std::uint32_t label, Slot slot) {
  if (!clusters_.has_origin()) clusters_.clear(x);
  if (label != kUnlabelled && !clusters_.exists(label)) clusters_.found(label, x);
  std::uint32_t broken = 0;
  const std::uint32_t cluster = choose_cluster(x, label, &broken);
  if (slot != kNoSlot) memberships_[slot] = cluster;
  if (cluster == kNoCluster) return;                             // no class has been seen yet
  if (violations_ < kNoCluster - broken) violations_ += broken;  // stays instead of wrapping
  count_member(label, cluster);
  clusters_.take(cluster, x);
}

void HardClustering::clear(const HeldPoints& points) {
  clusters_.forget();
  std::fill(class_members_.begin(), class_members_.end(), 0U);
  violations_ = 0;
  for (const Slot slot : points.order()) memberships_[slot] = kNoCluster;
}

bool HardClustering::start_warm(const FilledPoints& points) {
  if (!clusters_.fit(points.held()) || !(objective() < kInfinity)) return false;
  clusters_.move_origin(points.row(points.held().oldest(), 0));
  clusters_.measure_spreads(points);
  passes_ = 0;
  residual_ = 1;
  converged_ = false;
  return true;
}

void HardClustering::start_cold(const FilledPoints& points, std::uint32_t seed) {
  clusters_.clear(points.row(points.held().oldest(), 0));
  clusters_.measure_spreads(points);
  if (seed == 0) {
    place_at_class_means(points);
  } else {
    Random random(seed);
    found_at_random_points(points, random, clusters_);
    clusters_.weigh_at_random(random);
  }
  std::fill(memberships_.begin(), memberships_.end(), kNoCluster);
  passes_ = 0;
  residual_ = 1;
  converged_ = false;
}

void HardClustering::place_at_class_means(const FilledPoints& points) {
  // A cluster of the labelled points of each class, the unlabelled set aside in none.
  for (const Slot slot : points.held().order()) {
    const std::uint32_t label = points.held().label(slot);
    memberships_[slot] = label;
    if (label != kUnlabelled && !clusters_.exists(label))
      clusters_.found(label, points.row(slot, 0));
  }
  clusters_.move_centroids(points, memberships_.data());
  clusters_.weigh_equally();
}

// One pass of (4.26). Returns how many assignments changed.
std::uint32_t HardClustering::assign_all(const FilledPoints& points) {
  std::fill(class_members_.begin(), class_members_.end(), 0U);
  violations_ = 0;
  std::uint32_t changed = 0;
  for (const Slot slot : points.held().order()) {
    const std::uint32_t label = points.held().label(slot);
    std::uint32_t broken = 0;
    const std::uint32_t cluster = choose_cluster(points.row(slot, 0), label, &broken);
    violations_ += broken;
    count_member(label, cluster);
    changed += memberships_[slot] != cluster ? 1 : 0;
    memberships_[slot] = cluster;
  }
  return changed;
}

void HardClustering::pass(const FilledPoints& points) {
  ++passes_;
  const std::uint32_t changed = assign_all(points);
  converged_ = changed == 0;
  residual_ = 1;
  if (passes_ > 1) {
    residual_ = static_cast<Real>(changed) / static_cast<Real>(points.held().size());
  }
  // The first pass of a warm start may change nothing where points have left.
  if (converged_ && passes_ > 1) return;
  clusters_.move_centroids(points, memberships_.data());
  clusters_.measure_dispersions(points, memberships_.data());
  converged_ = false;
}

Real HardClustering::relevance(std::size_t j, bool effective) const {
  Real sum = 0;
  for (std::uint32_t q = 0; q < clusters_.size(); ++q) {
    if (!clusters_.exists(q)) continue;
    sum += effective ? clusters_.factor(q, j) : clusters_.weight(q, j);
  }
  return sum / static_cast<Real>(clusters_.existing());
}

void HardClustering::digest(const HeldPoints& points, Digest& digest) const {
  clusters_.digest(digest);
  digest.add_all(class_members_.data(), class_members_.size());
  for (const Slot slot : points.order()) digest.add(memberships_[slot]);
  digest.add(violations_);
  digest.add(passes_);
  digest.add(converged_);
}

}  // namespace whittle
