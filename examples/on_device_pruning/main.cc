// An array of sensors that finds out, while it samples, which of its chips are worth their energy,
// and lets the others sleep. No wire, no heap: everything lives in one buffer whose size the
// compiler knows. The same program runs on a host and on a Cortex-M.
#include <cstdio>

#include "sensor_array.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/rank/pruning.h"
#include "whittle/select/fisher.h"

constexpr whittle::RankerConfig ranking() {
  whittle::RankerConfig config(whittle::kFisher);
  config.memory.features = kChannels;
  config.memory.classes = 2;
  config.memory.half_life = 4000;  // readings: what is older counts for less and less
  return config;
}

constexpr whittle::PruningConfig pruning() {
  whittle::PruningConfig config;
  config.features = kChannels;
  config.groups = kChips;  // a chip sleeps or wakes as a whole
  config.rule = whittle::PruningRule::budget;
  config.budget = 50;  // microjoules a reading; everything takes 87
  config.learn_from = whittle::learn_from_for(whittle::kFisher);
  return config;
}

constexpr std::size_t kBytes = whittle::FeatureRanker::required_bytes(ranking()) +
                               whittle::FeaturePruner::required_bytes(pruning());
alignas(whittle::kArenaAlignment) static unsigned char buffer[kBytes];

static void print_mask(int reading, const whittle::FeaturePruner& pruner) {
  std::printf("reading %5d: mask ", reading);
  for (const bool on : pruner.mask()) std::printf("%d", on ? 1 : 0);
  std::printf(", %d uJ a reading\n", static_cast<int>(pruner.mask_cost()));
}

int main() {
  static whittle::FeatureRanker ranker;
  static whittle::FeaturePruner pruner;
  whittle::Arena arena(buffer, sizeof buffer);
  if (!ranker.create(arena, ranking()).ok() || !pruner.create(arena, pruning()).ok() ||
      !pruner.set_features(0, kChip, kMicrojoules).ok() ||
      !pruner.set_group_costs(0, kChipMicrojoules).ok()) {
    return 1;
  }
  SensorArray sensors;
  std::uint32_t mask_id = pruner.mask_id();
  for (int reading = 1; reading <= 40000; ++reading) {
    if (reading == 20000) sensors.move();
    const whittle::Sample sample = sensors.read(pruner.next_mask());
    if (!pruner.observe(sample.features).ok()) return 1;
    if (pruner.learns() && !ranker.observe(sample).ok()) return 1;
    // May fail while there are too few labels to score by: the mask then stays as it is.
    if (pruner.update_due()) static_cast<void>(pruner.update(ranker));
    if (pruner.mask_id() == mask_id) continue;
    mask_id = pruner.mask_id();
    print_mask(reading, pruner);
  }
  const whittle::Real all = pruner.full_cost() * whittle::Real(40000);
  std::printf("%u bytes; %d %% of the energy saved, %u alarms\n", static_cast<unsigned>(kBytes),
              static_cast<int>(whittle::Real(100) * (1 - pruner.spent() / all)),
              static_cast<unsigned>(pruner.statistics().alarms));
}
