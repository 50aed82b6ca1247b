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
  if (!(config.half_life >= 0) || config.half_life > Real(1e9)) {
    return {StatusCode::out_of_range, "half_life must be at least 0 and at most", 1000000000};
  }
  return config.full->check(config);
}

}  // namespace

Status StreamMemory::create(Arena& arena, const MemoryConfig& config) {
  if (const Status status = check_config(config); !status.ok()) return status;
  if (const Status status = arena.check_left(required_bytes(config)); !status.ok()) return status;
  config_ = config;
  if (config.scaling != Scaling::none) {
    const Span<Real> scale = arena.array<Real>(2 * std::size_t{config.features});
    offset_ = scale.subspan(0, config.features);
    gain_ = scale.subspan(config.features, config.features);
  }
  moments_.place(arena, config);
  (this->*config.full->place)(arena);
  return {};
}

Status StreamMemory::set_scale(std::size_t first, Span<const Real> offset, Span<const Real> gain) {
  if (config_.scaling == Scaling::none) {
    return {StatusCode::failed_precondition, "the config says no scaling"};
  }
  if (config_.learn > 0) {
    return {StatusCode::failed_precondition, "the config says that the scale is learned"};
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
  if (sample.id != 0 && sample.id <= last_id_) {
    return {StatusCode::invalid_argument, "the id of a sample must be more than", last_id_};
  }
  if (!offset_.empty() && config_.learn == 0 && scale_known_ < config_.features) {
    return {StatusCode::failed_precondition, "the scale is not complete: next feature",
            scale_known_};
  }
  return {};
}

// Of a sample with a value that is not finite: missing values are taken, unless all are missing.
Status StreamMemory::check_values(Span<const Real> features) {
  std::size_t missing = 0;
  for (std::size_t r = 0; r < features.size(); ++r) {
    if (std::isinf(features[r])) {
      return {StatusCode::invalid_argument, "infinite value: feature", r};
    }
    missing += is_missing(features[r]) ? 1U : 0U;
  }
  if (missing == features.size()) {
    return {StatusCode::invalid_argument, "every value is missing: features", missing};
  }
  return {};
}

Status StreamMemory::observe(const Sample& sample, Observation* seen) {
  if (const Status status = check(sample); !status.ok()) return status;
  *seen = {sample.features.data(), sample.kind, sample.label, kNoSlot};
  return (this->*config_.full->take)(sample, seen);
}

Status StreamMemory::check_moments_only(const MemoryConfig& config) {
  if (config.points || config.learn > 0) {
    return {StatusCode::unimplemented, "only moments are linked here"};
  }
  return {};
}

Status StreamMemory::take_moments(const Sample& sample, Observation*) {
  const Status status = add_to_moments(sample);
  if (status.ok()) count(sample);
  return status;
}

// Where there are only moments, they look at every value themselves.
Status StreamMemory::add_to_moments(const Sample& sample) {
  if (config_.moments && moments_.add(group_of(sample), sample.features.data())) return {};
  return check_values(sample.features);
}

void StreamMemory::count(const Sample& sample) {
  last_id_ = sample.id == 0 ? last_id_ + 1 : sample.id;
  std::uint64_t& count = sample.kind == SampleKind::universum  ? counts_.universum
                         : sample.kind == SampleKind::labelled ? counts_.labelled
                                                               : counts_.unlabelled;
  ++count;
}

Status StreamMemory::label(std::uint64_t id, std::uint32_t label) {
  if (!config_.points) return not_held(id);
  return (this->*config_.full->label)(id, label);
}

Status StreamMemory::constrain(std::uint64_t first, std::uint64_t second, bool must_link) {
  if (!config_.points) return not_held(first);
  return (this->*config_.full->constrain)(first, second, must_link);
}

Status StreamMemory::rescale() {
  if (config_.learn == 0) {
    return {StatusCode::failed_precondition, "the config does not learn the scale"};
  }
  return (this->*config_.scale_learning->learn_again)();
}

std::uint32_t StreamMemory::settle(std::uint32_t steps) {
  return settled() ? 0 : (this->*config_.scale_learning->settle)(steps);
}

void StreamMemory::prepare() {
  if (graph_ != nullptr) (this->*config_.full->prepare)();
}

std::uint64_t StreamMemory::explicit_pairs(bool must_link) const {
  if (!config_.raw_points || config_.pairs == 0) return 0;
  return (this->*config_.explicit_pairs->count)(must_link);
}

Real StreamMemory::explicit_pair_sum(bool must_link, std::size_t feature) const {
  if (!config_.raw_points || config_.pairs == 0) return 0;
  return (this->*config_.explicit_pairs->sum)(must_link, feature);
}

std::uint64_t StreamMemory::count(std::size_t group) const {
  const std::uint64_t gone = moments_.count(group);
  if (!config_.raw_points || group == moments_.universum()) return gone;
  return gone + (this->*config_.full->count)(group);
}

Moment StreamMemory::moment(std::size_t group, std::size_t feature) const {
  const Moment gone = moments_.of(group, feature);
  if (!config_.raw_points || group == moments_.universum()) return gone;
  return merged(gone, (this->*config_.full->moment)(group, feature));
}

Moment StreamMemory::labelled_moment(std::size_t feature) const {
  Moment all;
  for (std::size_t c = 0; c < config_.classes; ++c) all = merged(all, moment(c, feature));
  return all;
}

Moment StreamMemory::ordinary_moment(std::size_t feature) const {
  return merged(labelled_moment(feature), moment(moments_.unlabelled(), feature));
}

void StreamMemory::digest(Digest& digest) const {
  digest.add(counts_.labelled);
  digest.add(counts_.unlabelled);
  digest.add(counts_.universum);
  digest.add_all(offset_.data(), scale_known_);
  digest.add_all(gain_.data(), scale_known_);
  moments_.digest(digest);
  points_.digest(digest);
  if (config_.pairs > 0 && config_.points) (this->*config_.explicit_pairs->digest)(digest);
  if (codebook_ != nullptr) (this->*config_.codebook_memory->digest)(digest);
  if (config_.learn > 0) (this->*config_.scale_learning->digest)(digest);
  if (graph_ != nullptr && settled()) graph_->digest(points_, digest);
}

}  // namespace whittle
