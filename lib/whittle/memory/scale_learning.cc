// ScaleLearning: the scale is learned from the stream, and what is held follows.
#include <algorithm>

#include "whittle/memory/stream_memory.h"

namespace whittle {

void StreamMemory::place_scale(Arena& arena) {
  learned_.place(arena, config_);
  std::fill(gain_.begin(), gain_.end(), Real(1));
}

void StreamMemory::learn_from(const Real* x) {
  learned_.observe(x);
  if (counts_.labelled + counts_.unlabelled == config_.learn) learn_scale();
}

Status StreamMemory::learn_again() {
  if (counts_.labelled + counts_.unlabelled < config_.learn) {
    return {StatusCode::failed_precondition, "too few samples for the scale: learn is",
            config_.learn};
  }
  learn_scale();
  return {};
}

void StreamMemory::learn_scale() {
  for (std::size_t r = 0; r < config_.features; ++r) {
    const FeatureScale scale = learned_.of(r, config_.moments ? ordinary_moment(r) : Moment{});
    if (!config_.raw_points) scale_again(r, scale);
    offset_[r] = scale.offset;
    gain_[r] = scale.gain;
  }
  scale_known_ = config_.features;
  ++scales_learned_;
  if (graph_ == nullptr || points_.size() == 0) return;
  graph_->measure_lengths(points_);  // newcomers are measured against them before the lists settle
  settled_ = 0;
  unsettled_ = points_.stamp(points_.order()[points_.size() - 1]) + 1;
}

void StreamMemory::scale_again(std::size_t feature, const FeatureScale& scale) {
  const Real offset = offset_[feature];
  const Real gain = gain_[feature];
  for (const Slot slot : points_.order()) {
    Real& value = points_.row(slot)[feature];
    const Real raw = gain == 0 ? offset : value / gain + offset;
    if (!is_missing(value)) value = (raw - scale.offset) * scale.gain;
  }
}

// Lists are made anew from the oldest point on. Those that come or lose a neighbour meanwhile are
// right already, since every distance that a settled list needs has been computed in the new scale.
std::uint32_t StreamMemory::settle_lists(std::uint32_t steps) {
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
    graph_->rebuild(points_, next);
    settled_ = points_.stamp(next) + 1;
    ++done;
  }
  return done;
}

void StreamMemory::digest_scale(Digest& digest) const { learned_.digest(digest); }

}  // namespace whittle
