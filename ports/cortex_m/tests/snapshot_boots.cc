// Takes one sample more at each start, going on from the snapshot of the start before; its exit
// code is the number of samples.
#include "ports/cortex_m/build_id.h"
#include "ports/cortex_m/semihosting_storage.h"
#include "whittle/memory/sample.h"
#include "whittle/node/snapshots.h"
#include "whittle/select/variance.h"

namespace {

using whittle::Real;

constexpr int kFailed = 100;

whittle::RankerConfig make_config() {
  whittle::RankerConfig config(whittle::kVariance);
  config.memory.features = 3;
  return config;
}

alignas(whittle::kArenaAlignment) unsigned char buffer[1024];

}  // namespace

int main() {
  static whittle::ports::SemihostingStorage storage("snapshot_boots", 16384);
  static whittle::Snapshots snapshots(storage, {whittle::ports::build_id(), WHITTLE_BOARD});
  static whittle::FeatureRanker ranker;
  const whittle::Arena whole(buffer, sizeof buffer);
  whittle::Arena arena = whole;
  std::optional<whittle::RankerConfig> config;
  const whittle::Status status = snapshots.restore(ranker, arena, config);
  if (status.code() == whittle::StatusCode::not_found) {
    config = make_config();
    if (!ranker.create(arena, *config).ok()) return kFailed;
  } else if (!status.ok()) {
    return kFailed + 1;
  }
  const Real values[] = {1, 2, static_cast<Real>(ranker.memory().counts().total())};
  whittle::Sample sample;
  sample.features = whittle::Span<const Real>(values);
  if (!ranker.observe(sample).ok()) return kFailed + 2;
  const std::uint64_t taken = ranker.memory().counts().total();
  if (!snapshots.save(&ranker, whole, &*config, taken).ok()) return kFailed + 3;
  return static_cast<int>(taken);
}
