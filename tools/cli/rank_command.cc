#include "tools/cli/rank_command.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/refusals.h"
#include "tools/cli/result.h"
#include "whittle/base/arena.h"

namespace whittle::cli {
namespace {

// Refuses what cannot fit before anything starts, rather than fail in the middle.
void check_memory(const Plan& plan, std::size_t bytes) {
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  const std::size_t machine = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t file = plan.data.values.size() * sizeof(Real);
  if (bytes < machine - std::min(machine, file)) return;
  throw Error("this ranking needs " + std::to_string(bytes) + " bytes beside the " +
              std::to_string(file) + " of the file, the machine has " + std::to_string(machine) +
              memory_advice(plan.config));
}

void require(const Status& status) {
  if (!status.ok()) throw Error(describe(status));
}

// Samples are called by their row, from 1; a pair follows the later one of its samples.
void observe_all(const Plan& plan, const Console& console, FeatureRanker* ranker,
                 Refusals* refusals) {
  Progress progress(console, "samples", plan.data.samples());
  const std::vector<Pair>& pairs = plan.pairs.list;
  std::size_t next = 0;
  for (std::size_t i = 0; i < plan.data.samples(); ++i) {
    Sample sample = plan.data.sample(i);
    sample.id = i + 1;
    const Status status = ranker->observe(sample);
    if (!status.ok()) refusals->add_sample(i, describe(status));
    for (; next < pairs.size() && pairs[next].later == i; ++next) {
      const Pair& pair = pairs[next];
      const Status tied = ranker->constrain(pair.earlier + 1, pair.later + 1, pair.must_link);
      if (!tied.ok()) refusals->add_pair(next, tied.code(), describe(tied));
    }
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
  const Plan plan = make_plan(options, console);
  const std::size_t bytes = FeatureRanker::required_bytes(plan.config);
  check_memory(plan, bytes);

  const std::unique_ptr<unsigned char[]> buffer(new unsigned char[bytes + kArenaAlignment]);
  Arena arena(buffer.get(), bytes + kArenaAlignment);
  FeatureRanker ranker;
  require(ranker.create(arena, plan.config));
  if (const Scale& scale = plan.scale; !scale.offset.empty()) {
    require(ranker.set_scale(0, Span<const Real>(scale.offset.data(), scale.offset.size()),
                             Span<const Real>(scale.gain.data(), scale.gain.size())));
  }
  Refusals refusals(plan);
  observe_all(plan, console, &ranker, &refusals);
  refusals.report(console);
  refine(&ranker);
  require(ranker.rank(options.top));
  const Result result = result_of(ranker, refusals.samples());
  warn_of_scale(plan, result, console);
  print(options.format, plan, result, console.out);
}

}  // namespace whittle::cli
