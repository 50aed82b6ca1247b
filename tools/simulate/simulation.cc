#include "tools/simulate/simulation.h"

#include <algorithm>
#include <stdexcept>

#include "tools/simulate/fleet_run.h"
#include "tools/simulate/recovery.h"
#include "tools/simulate/series.h"

namespace whittle::simulate {
namespace {

std::vector<Contender> with_all(const std::vector<Contender>& contenders) {
  std::vector<Contender> complete;
  Policy all = contenders.front().policy;
  all.kind = PolicyKind::all;
  all.name = "all";
  complete.push_back({contenders.front().selector, all});
  for (const Contender& contender : contenders) {
    if (contender.policy.kind != PolicyKind::all) complete.push_back(contender);
  }
  return complete;
}

Record describe(const Readings& readings, const Fleet& fleet) {
  Record record;
  record.data = readings.name;
  record.features = readings.features;
  record.classes = readings.classes;
  record.rows = readings.rows();
  record.nodes = fleet.nodes;
  record.samples = readings.rows() / fleet.nodes;
  record.drift_at = fleet.drift.kind == DriftKind::none ? 0 : fleet.drift.at;
  record.learn = fleet.learn;
  record.energy = fleet.energy;
  record.costs = fleet.costs;
  const std::size_t count = std::min<std::size_t>(fleet.checkpoints, record.samples);
  for (std::size_t i = 1; i <= count; ++i) {
    record.checkpoints.push_back(i * record.samples / count);
  }
  return record;
}

}  // namespace

Record simulate(const Readings& readings, const Fleet& fleet,
                const std::vector<Contender>& contenders, const ProgressSink& progress) {
  if (contenders.empty()) throw std::runtime_error("nothing to simulate");
  if (fleet.nodes == 0 || readings.rows() < fleet.nodes) {
    throw std::runtime_error("there are fewer rows than nodes");
  }
  Record record = describe(readings, fleet);
  const Drifted drifted(readings, fleet.drift.kind, fleet.seed);
  const std::vector<Contender> all = with_all(contenders);
  std::size_t done = 0;
  for (const Contender& contender : all) {
    FleetRun run(readings, drifted, fleet, contender);
    std::size_t next = 0;
    for (std::size_t period = 1; period <= record.samples; ++period) {
      run.period();
      if (period == record.checkpoints[next]) {
        run.checkpoint();
        ++next;
      }
      if (progress) progress(++done, record.samples * all.size());
    }
    record.runs.push_back(run.finish());
    RunRecord& finished = record.runs.back();
    finished.late_accuracy = late_mean(record, finished.accuracy);
    finished.late_sensed = late_mean(record, finished.sensed);
    finished.recovery = recovery_of(record, finished);
  }
  return record;
}

}  // namespace whittle::simulate
