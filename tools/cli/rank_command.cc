#include "tools/cli/rank_command.h"

#include <fstream>
#include <memory>
#include <string>

#include "tools/cli/error.h"
#include "tools/cli/refusals.h"
#include "tools/cli/result.h"
#include "whittle/base/arena.h"

namespace whittle::cli {
namespace {

// Bytes the machine can still give; no limit known where /proc does not say.
std::size_t available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  for (std::size_t kibibytes = 0; meminfo >> key >> kibibytes;) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    meminfo.ignore(256, '\n');
  }
  return static_cast<std::size_t>(-1);
}

void check_memory(std::size_t needed, const MemoryConfig& memory) {
  const std::size_t available = available_memory();
  if (needed < available) return;
  const std::string advice =
      memory.points
          ? "; hold fewer samples: --param window=N (now " + std::to_string(memory.window) +
                ") or --param labelled=N (now " + std::to_string(memory.labelled) + ")"
          : std::string();
  throw Error("this ranking needs " + std::to_string(needed) + " bytes, the machine has " +
              std::to_string(available) + " left" + advice);
}

void require(const Status& status) {
  if (!status.ok()) throw Error(describe(status));
}

void observe_all(const Plan& plan, const Console& console, FeatureRanker* ranker,
                 Refusals* refusals) {
  Progress progress(console, "samples", plan.data.samples());
  for (std::size_t i = 0; i < plan.data.samples(); ++i) {
    const Status status = ranker->observe(plan.data.sample(i));
    if (!status.ok()) refusals->add(plan.data, i, describe(status));
    progress.update(i + 1);
  }
}

void refine(FeatureRanker* ranker) {
  constexpr std::uint32_t kStep = 1000;
  Refinement step;
  do {
    step = ranker->refine(kStep);
  } while (!step.converged && step.iterations > 0);
}

Result result_of(const FeatureRanker& ranker, std::size_t refused) {
  Result result;
  const SampleCounts& counts = ranker.memory().counts();
  result.samples = {counts.labelled, counts.unlabelled, counts.universum,
                    ranker.memory().points().size(), refused};
  const Ranking& ranking = ranker.ranking();
  result.scores.assign(ranking.scores().begin(), ranking.scores().end());
  result.order.assign(ranking.order().begin(), ranking.order().end());
  result.selected.assign(ranking.selected().begin(), ranking.selected().end());
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    const InfoEntry& entry = ranker.info()[i];
    result.info.push_back({entry.name, entry.kind, entry.number, entry.text});
  }
  return result;
}

}  // namespace

void rank_command(const RankOptions& options, const Console& console) {
  const Plan plan = make_plan(options, console.in);
  const std::size_t bytes = FeatureRanker::required_bytes(plan.config);
  check_memory(bytes, plan.config.configured_memory());

  const std::unique_ptr<unsigned char[]> buffer(new unsigned char[bytes + kArenaAlignment]);
  Arena arena(buffer.get(), bytes + kArenaAlignment);
  FeatureRanker ranker;
  require(ranker.create(arena, plan.config));
  if (plan.config.memory.scaling != Scaling::none) {
    const Scale& scale = plan.scale;
    require(ranker.set_scale(0, Span<const Real>(scale.offset.data(), scale.offset.size()),
                             Span<const Real>(scale.gain.data(), scale.gain.size())));
  }
  Refusals refusals;
  observe_all(plan, console, &ranker, &refusals);
  refusals.report(console, refusals.count());
  refine(&ranker);
  require(ranker.rank(options.top));
  print(options.format, plan, result_of(ranker, refusals.count()), console.out);
}

}  // namespace whittle::cli
