#include "whittle/select/l2gfs.h"

#include <algorithm>

namespace whittle {

Status L2gfs::create(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                     Selector** selector) {
  if (values[0] == Real(1)) {
    return {StatusCode::invalid_argument, "l2gfs: beta must not be 1"};
  }
  return create_selector<L2gfs>(arena, memory, values, selector);
}

L2gfs::L2gfs(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory),
      beta_(values[0]),
      relevance_(values.integer(1)),
      max_iterations_(values.integer(2)),
      seed_(values.integer(3)) {
  const std::size_t k = memory.config().classes;
  clusters_.place(arena, memory.config(), beta_);
  class_members_ = arena.array<std::uint32_t>(k * k);
  scaled_ = arena.array<Real>(memory.config().features);
  memberships_ = arena.array<std::uint32_t>(memory.config().capacity());
  filled_.place(arena, memory.config().features);
  std::fill(memberships_.begin(), memberships_.end(), kNoCluster);
}

// Constraints between a point of this label and the members so far that the cluster would break.
std::uint32_t L2gfs::broken_constraints(std::uint32_t label, std::uint32_t cluster) const {
  const std::uint32_t k = clusters_.size();
  std::uint32_t broken = 0;
  for (std::uint32_t other = 0; other < k; ++other) {
    // Its class in another cluster, another class in this cluster.
    if (other != cluster) broken += class_members_[label * k + other];
    if (other != label) broken += class_members_[other * k + cluster];
  }
  return broken;
}

std::uint32_t L2gfs::choose_cluster(const Real* x, std::uint32_t label,
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

void L2gfs::count_member(std::uint32_t label, std::uint32_t cluster) {
  if (label != kUnlabelled) ++class_members_[label * clusters_.size() + cluster];
}

void L2gfs::observe(const Observation& seen) {
  if (seen.kind == SampleKind::universum) return;
  const std::uint32_t label = seen.kind == SampleKind::labelled ? seen.label : kUnlabelled;
  started_ = false;
  const Real* x = scaled_.data();
  if (seen.slot != kNoSlot) {
    filled_.update(memory_.points());
    x = filled_.row(seen.slot, 0);
    memberships_[seen.slot] = kNoCluster;
  } else {
    for (std::size_t j = 0; j < scaled_.size(); ++j) scaled_[j] = memory_.scaled(seen.raw, j);
    if (!all_finite(x, scaled_.size())) return;  // nothing to fill its missing values with
  }
  if (!clusters_.has_origin()) clusters_.clear(x);
  if (label != kUnlabelled && !clusters_.exists(label)) clusters_.found(label, x);
  std::uint32_t broken = 0;
  const std::uint32_t cluster = choose_cluster(x, label, &broken);
  if (cluster == kNoCluster) return;                             // no class has been seen yet
  if (violations_ < kNoCluster - broken) violations_ += broken;  // stays instead of wrapping
  count_member(label, cluster);
  clusters_.take(cluster, x);
  if (seen.slot != kNoSlot) memberships_[seen.slot] = cluster;
}

void L2gfs::start() {
  const HeldPoints& points = memory_.points();
  filled_.update(points);
  clusters_.clear(filled_.row(points.oldest(), 0));
  clusters_.measure_spreads(filled_);
  std::fill(memberships_.begin(), memberships_.end(), kNoCluster);
  if (seed_ == 0) {
    found_at_class_means();
  } else {
    found_at_random();
  }
  iterations_ = 0;
  converged_ = false;
  started_ = true;
}

void L2gfs::found_at_class_means() {
  const HeldPoints& points = memory_.points();
  // A cluster of the labelled points of each class, the unlabelled set aside in none.
  for (const Slot slot : points.order()) {
    const std::uint32_t label = points.label(slot);
    memberships_[slot] = label;
    if (label != kUnlabelled && !clusters_.exists(label))
      clusters_.found(label, filled_.row(slot, 0));
  }
  clusters_.move_centroids(filled_, memberships_.data());
  clusters_.weigh_equally();
  std::fill(memberships_.begin(), memberships_.end(), kNoCluster);
}

void L2gfs::found_at_random() {
  const HeldPoints& points = memory_.points();
  Random random(seed_);
  const auto n = static_cast<std::uint32_t>(points.size());
  for (std::uint32_t q = 0; q < clusters_.size(); ++q) {
    if (points.class_count(q) == 0) continue;
    // The next point, from a random one on, that is no centroid yet; there are enough.
    std::uint32_t at = random.below(n);
    while (memberships_[points.order()[at]] != kNoCluster) at = (at + 1) % n;
    const Slot slot = points.order()[at];
    memberships_[slot] = q;
    clusters_.found(q, filled_.row(slot, 0));
  }
  clusters_.weigh_at_random(random);
  std::fill(memberships_.begin(), memberships_.end(), kNoCluster);
}

// One pass of (4.26). Returns whether an assignment changed.
bool L2gfs::assign_all() {
  const HeldPoints& points = memory_.points();
  std::fill(class_members_.begin(), class_members_.end(), 0U);
  violations_ = 0;
  bool changed = false;
  for (const Slot slot : points.order()) {
    std::uint32_t broken = 0;
    const std::uint32_t cluster = choose_cluster(filled_.row(slot, 0), points.label(slot), &broken);
    violations_ += broken;
    count_member(points.label(slot), cluster);
    changed = changed || memberships_[slot] != cluster;
    memberships_[slot] = cluster;
  }
  return changed;
}

Refinement L2gfs::refine(std::uint32_t max_iterations) {
  const HeldPoints& points = memory_.points();
  Refinement done;
  if (points.classes_present() < 2 || max_iterations == 0) {
    done.converged = points.classes_present() < 2 || (started_ && converged_);
    return done;
  }
  if (!started_) start();
  while (!converged_ && iterations_ < max_iterations_ && done.iterations < max_iterations) {
    ++iterations_;
    ++done.iterations;
    converged_ = !assign_all();
    if (converged_) break;
    clusters_.move_centroids(filled_, memberships_.data());
    clusters_.measure_dispersions(filled_, memberships_.data());
  }
  done.converged = converged_ || iterations_ >= max_iterations_;
  return done;
}

bool L2gfs::effective() const {
  if (relevance_ == 0) return memory_.config().scaling == Scaling::zscore;
  return relevance_ == 2;
}

Real L2gfs::relevance(std::size_t feature) const {
  Real sum = 0;
  for (std::uint32_t q = 0; q < clusters_.size(); ++q) {
    if (!clusters_.exists(q)) continue;
    sum += effective() ? clusters_.factor(q, feature) : clusters_.weight(q, feature);
  }
  return sum / static_cast<Real>(clusters_.existing());
}

Status L2gfs::score(Span<Real> scores, InfoList* info) {
  if (clusters_.existing() < 2) {
    return {StatusCode::failed_precondition, "l2gfs needs labelled samples of two classes"};
  }
  if (!(clusters_.objective() < kInfinity)) {
    return {StatusCode::failed_precondition, "distances overflow: scale the features down"};
  }
  for (std::size_t j = 0; j < scores.size(); ++j) {
    scores[j] = clusters_.constant(j) ? kNoScore : relevance(j);
  }
  if (info != nullptr) report(*info);
  return {};
}

void L2gfs::report(InfoList& info) const {
  const Real separation = clusters_.separation();
  info.real("objective", clusters_.objective());
  info.integer("iterations", iterations_);
  info.boolean("converged", started_ && converged_);
  info.text("relevance", effective() ? "effective" : "weight");
  info.integer("violations", violations_);
  info.real("separation", separation);
  info.boolean("collapsed", separation < Real(1e-6));
}

void L2gfs::digest(Digest& digest) const {
  clusters_.digest(digest);
  digest.add_all(class_members_.data(), class_members_.size());
  for (const Slot slot : memory_.points().order()) digest.add(memberships_[slot]);
  digest.add(iterations_);
  digest.add(violations_);
  digest.add(started_);
  digest.add(converged_);
}

}  // namespace whittle
