// FullMemory: samples are held, get labels, and leave.
#include <algorithm>
#include <cmath>

#include "whittle/memory/stream_memory.h"

namespace whittle {

Status StreamMemory::check_full(const MemoryConfig& config) {
  if (config.learn > 0 && config.scaling == Scaling::zscore && !config.moments) {
    return {StatusCode::invalid_argument, "learning a zscore needs moments"};
  }
  if (config.learn > 0 && config.scaling == Scaling::none) {
    return {StatusCode::invalid_argument, "learn needs scaling minmax or zscore"};
  }
  if (config.learn > 0 && config.scale_learning == nullptr) {
    return {StatusCode::unimplemented, "learning a scale is not linked here"};
  }
  if (!config.points) {
    return config.neighbours == 0 ? Status()
                                  : Status(StatusCode::invalid_argument, "neighbours need points");
  }
  if (config.labelled > kMaxHeld || config.window > kMaxHeld) {
    return {StatusCode::out_of_range, "labelled and window must be at most", kMaxHeld};
  }
  if (config.labelled != 0 && config.labelled < config.classes) {
    return {StatusCode::invalid_argument, "labelled must be 0 or at least the number of classes",
            config.classes};
  }
  if (config.units() > 0 && config.codebook_memory == nullptr) {
    return {StatusCode::unimplemented, "the codebook is not linked here"};
  }
  if (config.geometry != Geometry::window && config.codebook == 0) {
    return {StatusCode::invalid_argument, "the geometry needs a codebook of at least 1"};
  }
  if (config.units() > kMaxHeld || config.pairs > kMaxHeld) {
    return {StatusCode::out_of_range, "codebook and pairs must be at most", kMaxHeld};
  }
  if (config.pairs > 0 && config.explicit_pairs == nullptr) {
    return {StatusCode::unimplemented, "explicit pairs are not linked here"};
  }
  if (config.neighbours > 0 && config.make_graph == nullptr) {
    return {StatusCode::invalid_argument, "neighbours need make_graph"};
  }
  return {};
}

void StreamMemory::place_full(Arena& arena) {
  points_.place(arena, config_);
  if (config_.pairs > 0 && config_.points) (this->*config_.explicit_pairs->place)(arena);
  if (config_.units() > 0) (this->*config_.codebook_memory->place)(arena);
  if (config_.learn > 0) (this->*config_.scale_learning->place)(arena);
  if (config_.neighbours > 0) graph_ = config_.make_graph(arena, config_);
}

Status StreamMemory::check_scaled(const Real* x) const {
  if (offset_.empty()) return {};
  for (std::size_t r = 0; r < config_.features; ++r) {
    if (!std::isfinite(scaled(x, r)) && !is_missing(x[r])) {
      return {StatusCode::out_of_range, "too large once scaled: feature", r};
    }
  }
  return {};
}

Status StreamMemory::take(const Sample& sample, Observation* seen) {
  const Status status = config_.points ? take_point(sample, seen) : add_to_moments(sample);
  if (!status.ok()) return status;
  count(sample);
  if (config_.learn > 0 && sample.kind != SampleKind::universum) {
    (this->*config_.scale_learning->learn_from)(sample.features.data());
  }
  return {};
}

// Where samples are held: this one is, or trains the codebook.
Status StreamMemory::take_point(const Sample& sample, Observation* seen) {
  const Real* x = sample.features.data();
  const bool whole = all_finite(x, config_.features);
  if (!whole) {
    if (const Status status = check_values(sample.features); !status.ok()) return status;
  }
  const bool ordinary = sample.kind != SampleKind::universum;
  if (ordinary) {
    if (const Status status = check_scaled(x); !status.ok()) return status;
  }
  const std::uint32_t label = sample.kind == SampleKind::labelled ? sample.label : kUnlabelled;
  const bool holds = ordinary && points_.can_hold(label);
  if (config_.moments && !(holds && config_.raw_points)) {
    if (!moments_.add(group_of(sample), x)) return check_values(sample.features);
  }
  if (holds) {
    seen->slot = hold(sample, label, whole);
  } else if (ordinary && codebook_ != nullptr) {
    (this->*config_.codebook_memory->train_scaled)(x);
  }
  return {};
}

Slot StreamMemory::hold(const Sample& sample, std::uint32_t label, bool whole) {
  if (const Slot victim = points_.victim(label); victim != kNoSlot) let_go(victim);
  const std::uint64_t id = sample.id == 0 ? last_id_ + 1 : sample.id;
  const Slot slot = points_.add(label, counts_.total(), id);
  const Real* x = sample.features.data();
  Real* row = points_.row(slot);
  if (offset_.empty() || config_.raw_points) {
    std::copy(x, x + config_.features, row);
  } else {
    for (std::size_t r = 0; r < config_.features; ++r) row[r] = scaled(x, r);
  }
  if (!whole) points_.note_missing(slot, true);
  if (graph_ != nullptr) graph_->add(points_, slot);
  if (config_.raw_points) moments_.pass_time();
  return slot;
}

void StreamMemory::let_go(Slot slot) {
  if (config_.pairs > 0) (this->*config_.explicit_pairs->untie)(slot);
  if (config_.raw_points) {
    const std::uint64_t age = counts_.total() - 1 - points_.arrival(slot);
    moments_.add_late(group_of(points_.label(slot)), points_.row(slot), age);
  }
  const std::uint64_t stamp = points_.stamp(slot);
  points_.remove(slot);
  if (graph_ != nullptr) graph_->remove(points_, slot, stamp);
  if (codebook_ != nullptr) (this->*config_.codebook_memory->train)(points_.row(slot));
}

Status StreamMemory::label_held(std::uint64_t id, std::uint32_t label) {
  const Slot slot = points_.find(id);
  if (slot == kNoSlot) return not_held(id);
  if (label >= config_.classes) {
    return {StatusCode::out_of_range, "unknown class: the number of classes is", config_.classes};
  }
  if (points_.label(slot) != kUnlabelled) {
    return {StatusCode::failed_precondition, "the sample has a label: class", points_.label(slot)};
  }
  if (!points_.can_hold(label)) {
    return {StatusCode::failed_precondition, "the config holds no labelled samples"};
  }
  if (config_.pairs > 0) {
    const Status status = (this->*config_.explicit_pairs->check_label)(slot, label);
    if (!status.ok()) return status;
  }
  points_.relabel(slot, label);
  if (config_.pairs > 0) (this->*config_.explicit_pairs->relabelled)(slot);
  if (const Slot surplus = points_.surplus(); surplus != kNoSlot) let_go(surplus);
  --counts_.unlabelled;
  ++counts_.labelled;
  return {};
}

Status StreamMemory::constrain_held(std::uint64_t first, std::uint64_t second, bool must_link) {
  const Slot a = points_.find(first);
  const Slot b = points_.find(second);
  if (a == kNoSlot || b == kNoSlot) return not_held(a == kNoSlot ? first : second);
  if (config_.explicit_pairs == nullptr) {
    return {StatusCode::unimplemented, "explicit pairs are not linked here"};
  }
  return (this->*config_.explicit_pairs->tie)(a, b, must_link);
}

void StreamMemory::prepare_held() {
  settle(kMaxHeld);
  graph_->prepare(points_);
}

}  // namespace whittle
