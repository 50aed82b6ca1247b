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
  if (config.learn > 0 && config.scaling == Scaling::zscore && !config.moments) {
    return {StatusCode::invalid_argument, "learning a zscore needs moments"};
  }
  if (config.learn > 0 && config.scaling == Scaling::none) {
    return {StatusCode::invalid_argument, "learn needs scaling minmax or zscore"};
  }
  if (!(config.half_life >= 0) || config.half_life > Real(1e9)) {
    return {StatusCode::out_of_range, "half_life must be at least 0 and at most", 1000000000};
  }
  if (config.units() > 0 && config.make_codebook == nullptr) {
    return {StatusCode::invalid_argument, "the codebook is not linked here"};
  }
  if (config.points && config.geometry != Geometry::window && config.codebook == 0) {
    return {StatusCode::invalid_argument, "the geometry needs a codebook of at least 1"};
  }
  if (config.units() > kMaxHeld || config.pairs > kMaxHeld) {
    return {StatusCode::out_of_range, "codebook and pairs must be at most", kMaxHeld};
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
  constraints_.place(arena, config);
  if (config.units() > 0) {
    codebook_ = config.make_codebook(arena, config, points_.row(0));
    leaving_ = arena.array<Real>(config.features);
  }
  learned_.place(arena, config);
  pair_sums_.place(arena, config);
  if (config.learn > 0) std::fill(gain_.begin(), gain_.end(), Real(1));
  if (config.neighbours > 0) graph_ = config.make_graph(arena, config);
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
static Status check_values(Span<const Real> features) {
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
  const Real* x = sample.features.data();
  const bool ordinary = sample.kind != SampleKind::universum;
  const std::uint32_t label = sample.kind == SampleKind::labelled ? sample.label : kUnlabelled;
  const bool holds = config_.points && ordinary && points_.can_hold(label);
  // Where there are only moments, they look at every value themselves.
  const bool whole = (config_.moments && !config_.points) || all_finite(x, config_.features);
  if (!whole) {
    if (const Status status = check_values(sample.features); !status.ok()) return status;
  }
  if (config_.points && ordinary && !offset_.empty()) {
    for (std::size_t r = 0; r < config_.features; ++r) {
      if (!std::isfinite(scaled(x, r)) && !is_missing(x[r])) {
        return {StatusCode::out_of_range, "too large once scaled: feature", r};
      }
    }
  }
  const bool later = holds && config_.raw_points;
  if (config_.moments && !later) {
    const std::size_t group = ordinary ? group_of(label) : moments_.universum();
    if (!moments_.add(group, x)) return check_values(sample.features);
  }
  if (ordinary) learned_.observe(x);
  *seen = {x, sample.kind, sample.label, holds ? hold(sample, label, whole) : kNoSlot};
  if (later) moments_.pass_time();
  if (codebook_ != nullptr && ordinary && !holds) {
    Real* row = leaving_.data();
    for (std::size_t r = 0; r < config_.features; ++r) row[r] = scaled(x, r);
    train(row);
  }
  last_id_ = sample.id == 0 ? last_id_ + 1 : sample.id;
  std::uint64_t& count = !ordinary              ? counts_.universum
                         : label == kUnlabelled ? counts_.unlabelled
                                                : counts_.labelled;
  ++count;
  if (ordinary && counts_.labelled + counts_.unlabelled == config_.learn) learn_scale();
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
  return slot;
}

void StreamMemory::let_go(Slot slot) {
  if (config_.raw_points) {
    settle_pairs(slot);
    const std::uint64_t age = counts_.total() - 1 - points_.arrival(slot);
    moments_.add_late(group_of(points_.label(slot)), points_.row(slot), age);
  }
  points_.remove(slot);
  constraints_.forget(points_, slot);
  if (graph_ != nullptr) graph_->remove(points_, slot);
  if (codebook_ != nullptr) train(points_.row(slot));
}

// What is not held, or no longer, trains the codebook.
void StreamMemory::train(const Real* x) {
  if (x != leaving_.data()) std::copy(x, x + config_.features, leaving_.begin());
  codebook_->train(leaving_.data(), [&](std::size_t unit) {
    const bool is_new = unit == points_.units();
    const Slot slot = is_new ? points_.add_unit() : static_cast<Slot>(unit);
    const Real* row = points_.row(slot);
    points_.note_missing(slot, std::any_of(row, row + config_.features, is_missing));
    if (graph_ != nullptr) graph_->move(points_, slot);
  });
}

Status StreamMemory::label(std::uint64_t id, std::uint32_t label) {
  const Slot slot = points_.find(id);
  if (slot == kNoSlot) {
    return {StatusCode::not_found, "the sample is not held, or no longer: id", id};
  }
  if (label >= config_.classes) {
    return {StatusCode::out_of_range, "unknown class: the number of classes is", config_.classes};
  }
  if (points_.label(slot) != kUnlabelled) {
    return {StatusCode::failed_precondition, "the sample has a label: class", points_.label(slot)};
  }
  if (!points_.can_hold(label)) {
    return {StatusCode::failed_precondition, "the config holds no labelled samples"};
  }
  if (const Status status = constraints_.check_label(points_, slot, label); !status.ok()) {
    return status;
  }
  points_.relabel(slot, label);
  constraints_.relabelled(points_, slot);
  if (const Slot surplus = points_.surplus(); surplus != kNoSlot) let_go(surplus);
  --counts_.unlabelled;
  ++counts_.labelled;
  return {};
}

Status StreamMemory::constrain(std::uint64_t first, std::uint64_t second, bool must_link) {
  const Slot a = points_.find(first);
  const Slot b = points_.find(second);
  if (a == kNoSlot || b == kNoSlot) {
    return {StatusCode::not_found, "the sample is not held, or no longer: id",
            a == kNoSlot ? first : second};
  }
  return constraints_.add(points_, a, b, must_link);
}

Real StreamMemory::scaled_again(Real value, std::size_t feature, const FeatureScale& scale) const {
  const Real gain = gain_[feature];
  const Real raw = gain == 0 ? offset_[feature] : value / gain + offset_[feature];
  return is_missing(value) ? value : (raw - scale.offset) * scale.gain;
}

void StreamMemory::learn_scale() {
  for (std::size_t r = 0; r < config_.features; ++r) {
    const FeatureScale scale = learned_.of(r, config_.moments ? ordinary_moment(r) : Moment{});
    if (!config_.raw_points) {
      for (const Slot slot : points_.order()) {
        Real& value = points_.row(slot)[r];
        value = scaled_again(value, r, scale);
      }
    }
    offset_[r] = scale.offset;
    gain_[r] = scale.gain;
  }
  scale_known_ = config_.features;
  ++scales_learned_;
  if (graph_ == nullptr || points_.size() == 0) return;
  settled_ = 0;
  unsettled_ = points_.stamp(points_.order()[points_.size() - 1]) + 1;
}

Status StreamMemory::rescale() {
  if (config_.learn == 0) {
    return {StatusCode::failed_precondition, "the config does not learn the scale"};
  }
  if (counts_.labelled + counts_.unlabelled < config_.learn) {
    return {StatusCode::failed_precondition, "too few samples for the scale: learn is",
            config_.learn};
  }
  learn_scale();
  return {};
}

// Lists are made anew from the oldest point on. Those that come or lose a neighbour meanwhile are
// right already, since every distance that a settled list needs has been computed in the new scale.
std::uint32_t StreamMemory::settle(std::uint32_t steps) {
  std::uint32_t done = 0;
  while (unsettled_ != 0 && done < steps) {
    Slot next = kNoSlot;
    for (const Slot slot : points_.order()) {
      if (points_.stamp(slot) < settled_) continue;
      if (points_.stamp(slot) < unsettled_) next = slot;
      break;
    }
    if (next == kNoSlot) {
      unsettled_ = 0;
      break;
    }
    if (settled_ == 0) graph_->measure_lengths(points_);
    graph_->rebuild(points_, next);
    settled_ = points_.stamp(next) + 1;
    ++done;
  }
  return done;
}

void StreamMemory::prepare() {
  if (graph_ == nullptr) return;
  settle(kMaxHeld);
  graph_->fill_missing(points_);
}

std::uint64_t StreamMemory::count(std::size_t group) const {
  std::uint64_t count = moments_.count(group);
  if (!config_.raw_points || group == moments_.universum()) return count;
  for (const Slot slot : points_.order()) count += group_of(points_.label(slot)) == group ? 1U : 0U;
  return count;
}

// The explicit pairs that a sample takes along.
void StreamMemory::settle_pairs(Slot slot) {
  for (const ConstraintPair& pair : constraints_.pairs()) {
    if (pair.older != slot && pair.newer != slot) continue;
    if (!counts(pair, pair.must_link)) continue;
    const Real aged = pair_decay();
    pairs_now_ = counts_.total();
    pair_sums_.add(points_.row(pair.older), points_.row(pair.newer), pair.must_link, weight(pair),
                   aged);
  }
}

bool StreamMemory::counts(const ConstraintPair& pair, bool must_link) const {
  return pair.must_link == must_link &&
         !Constraints::implied_by_labels(points_, pair.older, pair.newer);
}

Real StreamMemory::weight(const ConstraintPair& pair) const {
  return weight_of(pair.older) * weight_of(pair.newer);
}

// What the pairs that have left weigh by now: both samples have aged.
Real StreamMemory::pair_decay() const {
  const Real weight = moments_.weight_at_age(counts_.total() - pairs_now_);
  return weight * weight;
}

std::uint64_t StreamMemory::explicit_pairs(bool must_link) const {
  std::uint64_t count = pair_sums_.count(must_link);
  for (const ConstraintPair& pair : constraints_.pairs())
    count += counts(pair, must_link) ? 1U : 0U;
  return count;
}

Real StreamMemory::explicit_pair_sum(bool must_link, std::size_t feature) const {
  CompensatedSum sum;
  sum.add(pair_decay() * pair_sums_.sum(must_link, feature));
  for (const ConstraintPair& pair : constraints_.pairs()) {
    if (!counts(pair, must_link)) continue;
    const Real d = points_.row(pair.older)[feature] - points_.row(pair.newer)[feature];
    if (!is_missing(d)) sum.add(weight(pair) * d * d);
  }
  return sum.value();
}

// Of the held samples of a group, with their weights if there is a half-life.
Moment StreamMemory::held_moment(std::size_t group, std::size_t feature) const {
  Real origin = 0;
  CompensatedSum weights;
  CompensatedSum sum;
  bool any = false;
  const auto visit = [&](auto&& add) {
    for (const Slot slot : points_.order()) {
      const Real value = points_.row(slot)[feature];
      if (group_of(points_.label(slot)) != group || is_missing(value)) continue;
      add(value, weight_of(slot));
    }
  };
  visit([&](Real value, Real weight) {
    if (!any) origin = value;
    any = true;
    weights.add(weight);
    sum.add(weight * (value - origin));
  });
  if (!any) return {};
  const Real shift = sum.value() / weights.value();
  CompensatedSum squares;
  visit([&](Real value, Real weight) {
    const Real d = (value - origin) - shift;
    squares.add(weight * d * d);
  });
  return {weights.value(), origin, shift, squares.value()};
}

Moment StreamMemory::moment(std::size_t group, std::size_t feature) const {
  const Moment gone = moments_.of(group, feature);
  if (!config_.raw_points || group == moments_.universum()) return gone;
  return merged(gone, held_moment(group, feature));
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
  constraints_.digest(points_, digest);
  if (codebook_ != nullptr) codebook_->digest(digest);
  learned_.digest(digest);
  pair_sums_.digest(digest);
  if (graph_ != nullptr && settled()) graph_->digest(points_, digest);
}

}  // namespace whittle
