#include "whittle/memory/stream_memory.h"

#include <algorithm>
#include <cmath>

namespace whittle {
namespace {

Status check_config(const MemoryConfig& config) {
  if (config.features == 0 || config.features > kMaxFeatures) {
    return {StatusCode::out_of_range, "features must be at least 1 and at most", kMaxFeatures};
  }
  if (config.classes > kMaxClasses) {
    return {StatusCode::out_of_range, "classes must be at most", kMaxClasses};
  }
  if (config.points && (config.labelled > kMaxHeld || config.window > kMaxHeld)) {
    return {StatusCode::out_of_range, "labelled and window must be at most", kMaxHeld};
  }
  if (config.points && config.labelled != 0 && config.labelled < config.classes) {
    return {StatusCode::invalid_argument, "labelled must be 0 or at least the number of classes",
            config.classes};
  }
  if (config.neighbours > 0 && (config.make_graph == nullptr || !config.points)) {
    return {StatusCode::invalid_argument, "neighbours need points and make_graph"};
  }
  return {};
}

}  // namespace

Status StreamMemory::create(Arena& arena, const MemoryConfig& config) {
  if (const Status status = check_config(config); !status.ok()) return status;
  const std::size_t needed = required_bytes(config);
  if (needed > arena.left()) {
    return {StatusCode::resource_exhausted, "arena too small: bytes needed", needed};
  }
  config_ = config;
  if (config.scaling != Scaling::none) {
    const Span<Real> scale = arena.array<Real>(2 * std::size_t{config.features});
    offset_ = scale.subspan(0, config.features);
    gain_ = scale.subspan(config.features, config.features);
  }
  moments_.place(arena, config);
  points_.place(arena, config);
  if (config.neighbours > 0) graph_ = config.make_graph(arena, config);
  return {};
}

Status StreamMemory::set_scale(std::size_t first, Span<const Real> offset, Span<const Real> gain) {
  if (config_.scaling == Scaling::none) {
    return {StatusCode::failed_precondition, "the config says no scaling"};
  }
  if (counts_.total() != 0) {
    return {StatusCode::failed_precondition, "the scale must come before the first sample"};
  }
  if (offset.size() != gain.size()) {
    return {StatusCode::invalid_argument, "offsets and gains differ in number"};
  }
  if (first != scale_known_ || offset.size() > config_.features - scale_known_) {
    return {StatusCode::out_of_range, "the scale must go on at feature", scale_known_};
  }
  if (!all_finite(offset.data(), offset.size()) || !all_finite(gain.data(), gain.size())) {
    return {StatusCode::invalid_argument, "an offset or gain is not finite"};
  }
  std::copy(offset.begin(), offset.end(), offset_.begin() + first);
  std::copy(gain.begin(), gain.end(), gain_.begin() + first);
  scale_known_ += offset.size();
  return {};
}

Status StreamMemory::check(const Sample& sample) const {
  if (sample.features.size() != config_.features) {
    return {StatusCode::invalid_argument, "wrong number of features: expected", config_.features};
  }
  if (sample.kind > SampleKind::universum) {
    return {StatusCode::invalid_argument, "unknown kind of sample",
            static_cast<std::uint8_t>(sample.kind)};
  }
  if (sample.kind == SampleKind::labelled && sample.label >= config_.classes) {
    return {StatusCode::out_of_range, "unknown class: the number of classes is", config_.classes};
  }
  if (!offset_.empty() && scale_known_ < config_.features) {
    return {StatusCode::failed_precondition, "the scale is not complete: next feature",
            scale_known_};
  }
  return {};
}

// Why a sample with a value that is not finite is refused.
static Status refuse_values(Span<const Real> features) {
  for (std::size_t r = 0; r < features.size(); ++r) {
    if (std::isnan(features[r])) {
      return {StatusCode::unimplemented, "missing values (NaN) are not supported: feature", r};
    }
    if (std::isinf(features[r])) {
      return {StatusCode::invalid_argument, "infinite value: feature", r};
    }
  }
  return {StatusCode::internal, "value refused"};
}

Status StreamMemory::observe(const Sample& sample, Observation* seen) {
  if (const Status status = check(sample); !status.ok()) return status;
  const Real* x = sample.features.data();
  const bool ordinary = sample.kind != SampleKind::universum;
  const std::uint32_t label = sample.kind == SampleKind::labelled ? sample.label : kUnlabelled;
  const bool holds = config_.points && ordinary && points_.can_hold(label);
  // Where there are only moments, they look at every value themselves.
  if ((config_.points || !config_.moments) && !all_finite(x, config_.features)) {
    return refuse_values(sample.features);
  }
  if (config_.points && ordinary && !offset_.empty()) {
    for (std::size_t r = 0; r < config_.features; ++r) {
      if (!std::isfinite(scaled(x, r))) {
        return {StatusCode::out_of_range, "too large once scaled: feature", r};
      }
    }
  }
  if (config_.moments) {
    const std::size_t group = sample.kind == SampleKind::labelled     ? sample.label
                              : sample.kind == SampleKind::unlabelled ? moments_.unlabelled()
                                                                      : moments_.universum();
    if (!moments_.add(group, x)) return refuse_values(sample.features);
  }
  *seen = {x, sample.kind, sample.label, holds ? hold(x, label) : kNoSlot};
  switch (sample.kind) {
    case SampleKind::labelled:
      ++counts_.labelled;
      break;
    case SampleKind::unlabelled:
      ++counts_.unlabelled;
      break;
    case SampleKind::universum:
      ++counts_.universum;
      break;
  }
  return {};
}

Slot StreamMemory::hold(const Real* x, std::uint32_t label) {
  if (const Slot victim = points_.victim(label); victim != kNoSlot) {
    points_.remove(victim);
    if (graph_ != nullptr) graph_->remove(points_, victim);
  }
  const Slot slot = points_.add(label, counts_.total());
  Real* row = points_.row(slot);
  if (offset_.empty()) {
    std::copy(x, x + config_.features, row);
  } else {
    for (std::size_t r = 0; r < config_.features; ++r) row[r] = scaled(x, r);
  }
  if (graph_ != nullptr) graph_->add(points_, slot);
  return slot;
}

void StreamMemory::digest(Digest& digest) const {
  digest.add(counts_.labelled);
  digest.add(counts_.unlabelled);
  digest.add(counts_.universum);
  digest.add_all(offset_.data(), scale_known_);
  digest.add_all(gain_.data(), scale_known_);
  moments_.digest(digest);
  points_.digest(digest);
  if (graph_ != nullptr) graph_->digest(points_, digest);
}

}  // namespace whittle
