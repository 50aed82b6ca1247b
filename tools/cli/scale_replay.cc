#include "tools/cli/scale_replay.h"

#include <algorithm>
#include <cmath>

#include "tools/cli/error.h"
#include "whittle/base/arena.h"

namespace whittle::cli {
namespace {

MemoryConfig without_points(MemoryConfig config) {
  config.points = false;
  config.raw_points = false;
  config.neighbours = 0;
  config.make_graph = nullptr;
  return config;
}

// Who is held depends on labels and ages only.
MemoryConfig without_values(MemoryConfig config) {
  config.features = 1;
  config.codebook = 0;
  return config;
}

}  // namespace

ScaleReplay::ScaleReplay(const Plan& plan)
    : plan_(plan),
      config_(plan.config.configured_memory()),
      learnings_before_(plan.data.samples()),
      constants_(plan.data.features()) {
  const MemoryConfig learning = without_points(config_);
  const std::size_t memory_bytes = StreamMemory::required_bytes(learning) + kArenaAlignment;
  memory_bytes_ = std::make_unique<unsigned char[]>(memory_bytes);
  Arena memory_arena(memory_bytes_.get(), memory_bytes);
  if (const Status status = memory_.create(memory_arena, learning); !status.ok()) {
    throw Error(describe(status));
  }
  const MemoryConfig holding = without_values(config_);
  const std::size_t held_bytes = HeldPoints::required_bytes(holding) + kArenaAlignment;
  held_bytes_ = std::make_unique<unsigned char[]>(held_bytes);
  Arena held_arena(held_bytes_.get(), held_bytes);
  held_.place(held_arena, holding);
  for (const Step& step : script_of(plan)) take(step);
}

void ScaleReplay::take(const Step& step) {
  const std::uint32_t before = memory_.scales_learned();
  switch (step.kind) {
    case Step::Kind::sample:
      take_sample(step.index);
      break;
    case Step::Kind::label:
      label(step.index);
      break;
    case Step::Kind::rescale:
      (void)memory_.rescale();  // refused where too few samples were taken
      break;
    case Step::Kind::pair:
      break;
  }
  if (memory_.scales_learned() != before) note_constants();
}

bool ScaleReplay::fits_scaled(const Sample& sample) const {
  for (std::size_t r = 0; r < sample.features.size(); ++r) {
    const bool fits = std::isfinite(memory_.scaled(sample.features.data(), r));
    if (!fits && !is_missing(sample.features[r])) return false;
  }
  return true;
}

void ScaleReplay::take_sample(std::size_t row) {
  const Sample sample = sample_of(plan_, row);
  const bool ordinary = sample.kind != SampleKind::universum;
  if (ordinary && config_.points && !fits_scaled(sample)) return;
  Observation seen;
  if (!memory_.observe(sample, &seen).ok() || !ordinary) return;
  taken_.push_back(row);
  learnings_before_[row] = learnings_;
  if (config_.points) hold(row, sample);
}

void ScaleReplay::hold(std::size_t row, const Sample& sample) {
  const std::uint32_t label = sample.kind == SampleKind::labelled ? sample.label : kUnlabelled;
  if (!held_.can_hold(label)) return;
  if (const Slot victim = held_.victim(label); victim != kNoSlot) held_.remove(victim);
  held_.add(label, row, row + 1);
}

void ScaleReplay::label(std::size_t row) {
  const std::uint32_t label = plan_.data.rows[row].label;
  if (!config_.points || !held_.can_hold(label)) return;
  const Slot slot = held_.find(row + 1);
  if (slot == kNoSlot) return;
  held_.relabel(slot, label);
  if (const Slot surplus = held_.surplus(); surplus != kNoSlot) held_.remove(surplus);
}

void ScaleReplay::note_constants() {
  ++learnings_;
  for (std::size_t r = 0; r < constants_.size(); ++r) {
    if (memory_.gain(r) != 0) continue;
    std::vector<Constant>& constants = constants_[r];
    if (constants.empty() || constants.back().value != memory_.offset(r)) {
      constants.push_back({memory_.offset(r), learnings_});
    }
    constants.back().last = learnings_;
  }
}

std::vector<std::size_t> ScaleReplay::remembered() const {
  if (config_.units() > 0) return taken_;
  std::vector<std::size_t> rows;
  if (!config_.points) return rows;
  for (const Slot slot : held_.order()) {
    rows.push_back(static_cast<std::size_t>(held_.arrival(slot)));
  }
  return rows;
}

// By a learning that came after the row, or with it.
bool ScaleReplay::has_lost(std::size_t feature, std::size_t row) const {
  const Real value = plan_.data.values_of(row)[feature];
  if (is_missing(value)) return false;
  const std::vector<Constant>& constants = constants_[feature];
  return std::any_of(constants.begin(), constants.end(), [&](const Constant& constant) {
    return constant.last >= learnings_before_[row] && constant.value != value;
  });
}

std::size_t ScaleReplay::lost(std::size_t feature, const std::vector<std::size_t>& rows) const {
  if (config_.raw_points || memory_.gain(feature) == 0) return 0;
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](std::size_t row) { return has_lost(feature, row); }));
}

}  // namespace whittle::cli
