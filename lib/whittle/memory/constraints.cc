#include "whittle/memory/constraints.h"

#include <algorithm>
#include <utility>

namespace whittle {
namespace {

constexpr std::uint64_t apart_key(std::uint32_t group, std::uint32_t other) {
  return std::uint64_t{group} << 32 | other;
}
constexpr std::uint32_t first_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32);
}
constexpr std::uint32_t second_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

}  // namespace

void Constraints::place(Arena& arena, const MemoryConfig& config) {
  if (!config.points || config.pairs == 0) return;
  pairs_ = arena.array<ConstraintPair>(config.pairs);
  groups_ = arena.array<std::uint32_t>(config.capacity());
  unlabelled_ = arena.array<std::uint32_t>(max_groups(config));
  apart_ = arena.array<std::uint64_t>(2 * std::size_t{config.pairs});
  std::fill(groups_.begin(), groups_.end(), kNoGroup);
}

// The place of the first pair that is not older: by older point, then by newer.
std::size_t Constraints::find_pair(const HeldPoints& points, Slot older, Slot newer) const {
  const auto is_before = [&](const ConstraintPair& pair) {
    if (pair.older != older) return points.stamp(pair.older) < points.stamp(older);
    return points.stamp(pair.newer) < points.stamp(newer);
  };
  const auto held = pairs();
  const auto* place = std::partition_point(held.begin(), held.end(), is_before);
  return static_cast<std::size_t>(place - held.begin());
}

bool Constraints::has_pair(const HeldPoints& points, Slot a, Slot b) const {
  if (points.stamp(b) < points.stamp(a)) std::swap(a, b);
  const std::size_t place = find_pair(points, a, b);
  return place < pair_count_ && pairs_[place].older == a && pairs_[place].newer == b;
}

Status Constraints::add(const HeldPoints& points, Slot a, Slot b, bool must) {
  if (a == b) return {StatusCode::invalid_argument, "a pair needs two different samples"};
  if (must && cannot_link(points, a, b)) {
    return {StatusCode::failed_precondition, "must-link refused: the samples cannot link"};
  }
  if (!must && must_link(points, a, b)) {
    return {StatusCode::failed_precondition, "cannot-link refused: the samples must link"};
  }
  if (has_pair(points, a, b)) return {};
  if (pair_count_ == pairs_.size()) {
    return {StatusCode::resource_exhausted, "no room for another pair: pairs held at most",
            pairs_.size()};
  }
  if (points.stamp(b) < points.stamp(a)) std::swap(a, b);
  ConstraintPair* place = pairs_.begin() + find_pair(points, a, b);
  ConstraintPair* end = pairs_.begin() + pair_count_++;
  std::copy_backward(place, end, end + 1);
  *place = {a, b, must};
  refresh(points);
  return {};
}

Status Constraints::check_label(const HeldPoints& points, Slot slot, std::uint32_t label) const {
  const std::uint32_t own = group(points, slot);
  if (own == kNoGroup || own == label) return {};
  if (own < points.classes()) {
    return {StatusCode::failed_precondition, "label refused: the sample must link with class", own};
  }
  if (apart(points, own, label)) {
    return {StatusCode::failed_precondition, "label refused: the sample cannot link with class",
            label};
  }
  return {};
}

void Constraints::forget(const HeldPoints& points, Slot slot) {
  if (groups_.empty() || groups_[slot] == kNoGroup) return;
  const auto has_slot = [&](const ConstraintPair& pair) {
    return pair.older == slot || pair.newer == slot;
  };
  ConstraintPair* first = pairs_.begin();
  pair_count_ =
      static_cast<std::size_t>(std::remove_if(first, first + pair_count_, has_slot) - first);
  refresh(points);
}

void Constraints::relabelled(const HeldPoints& points, Slot slot) {
  if (!groups_.empty() && groups_[slot] != kNoGroup) refresh(points);
}

void Constraints::refresh(const HeldPoints& points) {
  join_points(points);
  number_groups(points);
  list_apart(points);
}

// Leaves in groups_, for each point of a pair, the slot of the oldest point that it must link with
// by explicit pairs; there, if any of these points has a class, N + class.
void Constraints::join_points(const HeldPoints& points) {
  std::fill(groups_.begin(), groups_.end(), kNoGroup);
  for (const ConstraintPair& pair : pairs()) {
    groups_[pair.older] = pair.older;
    groups_[pair.newer] = pair.newer;
  }
  for (const ConstraintPair& pair : pairs()) {
    if (!pair.must_link) continue;
    Slot oldest = root(pair.older);
    Slot other = root(pair.newer);
    if (points.stamp(other) < points.stamp(oldest)) std::swap(oldest, other);
    groups_[other] = oldest;
  }
  for (const ConstraintPair& pair : pairs()) {
    groups_[pair.older] = root(pair.older);
    groups_[pair.newer] = root(pair.newer);
  }
  const std::size_t capacity = groups_.size();
  const auto name_class = [&](Slot slot) {
    const std::uint32_t label = points.label(slot);
    if (label == kUnlabelled || groups_[slot] >= capacity) return;
    groups_[groups_[slot]] = static_cast<std::uint32_t>(capacity) + label;
  };
  for (const ConstraintPair& pair : pairs()) {
    name_class(pair.older);
    name_class(pair.newer);
  }
}

// The oldest point of the tree of joined points, whose paths it shortens on the way.
Slot Constraints::root(Slot slot) {
  while (groups_[slot] != slot) {
    groups_[slot] = groups_[groups_[slot]];
    slot = groups_[slot];
  }
  return slot;
}

// Puts group numbers into groups_ and counts. In the order of age, a group's oldest point comes
// before the others that look its number up there.
void Constraints::number_groups(const HeldPoints& points) {
  const std::uint32_t classes = points.classes();
  const auto capacity = static_cast<std::uint32_t>(groups_.size());
  std::fill(unlabelled_.begin(), unlabelled_.end(), 0U);
  explicit_groups_ = 0;
  with_class_ = 0;
  for (const Slot slot : points.order()) {
    const std::uint32_t joined = groups_[slot];
    if (joined == kNoGroup) continue;
    std::uint32_t group = 0;
    if (joined == slot) {
      group = classes + explicit_groups_++;
    } else {
      group = joined >= capacity ? joined - capacity : groups_[joined];
    }
    groups_[slot] = group;
    if (points.label(slot) != kUnlabelled) continue;
    ++unlabelled_[group];
    if (group < classes) ++with_class_;
  }
}

void Constraints::list_apart(const HeldPoints& points) {
  const std::uint32_t classes = points.classes();
  std::uint64_t* first = apart_.begin();
  std::uint64_t* end = first;
  for (const ConstraintPair& pair : pairs()) {
    const std::uint32_t a = groups_[pair.older];
    const std::uint32_t b = groups_[pair.newer];
    if (pair.must_link || (a < classes && b < classes)) continue;
    *end++ = apart_key(a, b);
    *end++ = apart_key(b, a);
  }
  std::make_heap(first, end);  // heap sort: no recursion
  std::sort_heap(first, end);
  apart_count_ = static_cast<std::size_t>(std::unique(first, end) - first);
  apart_points_ = 0;
  for (std::size_t i = 0; i < apart_count_; ++i) {
    const std::uint32_t group = first_of(apart_[i]);
    if (i > 0 && first_of(apart_[i - 1]) == group) continue;
    if (group >= classes) apart_points_ += unlabelled_[group];
  }
}

// The place in the list of the first entry that does not come before (group, other).
std::size_t Constraints::find_apart(std::uint32_t group, std::uint32_t other) const {
  const std::uint64_t* first = apart_.begin();
  return static_cast<std::size_t>(
      std::lower_bound(first, first + apart_count_, apart_key(group, other)) - first);
}

bool Constraints::is_listed(std::uint32_t a, std::uint32_t b) const {
  const std::size_t place = find_apart(a, b);
  return place < apart_count_ && apart_[place] == apart_key(a, b);
}

std::uint32_t Constraints::cannot_link_points(const HeldPoints& points) const {
  // A class is apart from the other classes, or, being the only one, from a group in the list.
  const bool class_is_apart =
      points.classes_present() > 1 || (apart_count_ > 0 && first_of(apart_[0]) < points.classes());
  return apart_points_ + (class_is_apart ? points.labelled() + with_class_ : 0);
}

std::uint32_t Constraints::cannot_link_partners(const HeldPoints& points, Slot slot) const {
  const std::uint32_t own = group(points, slot);
  if (own == kNoGroup) return 0;
  std::uint32_t partners = 0;
  if (own < points.classes()) {
    partners = points.labelled() + with_class_ - group_size(points, own);
  }
  for (std::size_t i = find_apart(own, 0); i < apart_count_ && first_of(apart_[i]) == own; ++i) {
    partners += group_size(points, second_of(apart_[i]));
  }
  return partners;
}

void Constraints::digest(const HeldPoints& points, Digest& digest) const {
  if (pairs_.empty()) return;
  digest.add(static_cast<std::uint64_t>(pair_count_));
  for (const ConstraintPair& pair : pairs()) {
    digest.add(points.stamp(pair.older));
    digest.add(points.stamp(pair.newer));
    digest.add(pair.must_link);
  }
}

}  // namespace whittle
