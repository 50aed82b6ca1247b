// Ranks the channels of a sensor array while it samples; one reading in eight gets a label. No
// wire, no heap: everything lives in one buffer whose size the compiler knows.
#include <cstdio>

#include "sensor_array.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/select/cls.h"

constexpr whittle::RankerConfig config() {
  whittle::RankerConfig config(whittle::kCls);
  config.memory.features = kChannels;
  config.memory.classes = 2;
  config.memory.labelled = 16;  // the newest labelled readings, class by class
  config.memory.window = 48;    // the newest readings without a label
  return config;
}

constexpr std::size_t kBytes = whittle::FeatureRanker::required_bytes(config());
alignas(whittle::kArenaAlignment) static unsigned char buffer[kBytes];

int main() {
  whittle::Arena arena(buffer, sizeof buffer);
  whittle::FeatureRanker ranker;
  if (!ranker.create(arena, config()).ok()) return 1;
  SensorArray sensors;
  for (int i = 0; i < 400; ++i) {
    if (!ranker.observe(sensors.read()).ok()) return 1;
  }
  if (!ranker.rank(/*top=*/3).ok()) return 1;
  std::printf("%u bytes; keep channels:", static_cast<unsigned>(kBytes));
  for (int i = 0; i < 3; ++i) std::printf(" %u", unsigned{ranker.ranking().order()[i]});
  std::printf("\n");
}
