#include "tools/cli/local_ranker.h"

#include <chrono>
#include <string>

#include "tools/cli/error.h"
#include "tools/cli/memory_need.h"
#include "tools/cli/steps.h"
#include "whittle/base/arena.h"

namespace whittle::cli {
namespace {

void require(const Status& status) {
  if (!status.ok()) throw Error(describe(status));
}

// Of the ranker's answers about single samples.
void check(const Status& status) {
  if (!status.ok()) throw ModelRefusal(status.code(), describe(status));
}

}  // namespace

// Samples are called by their row, from 1.
LocalRanker::LocalRanker(const Plan& plan) : plan_(plan) {
  const std::size_t bytes = FeatureRanker::required_bytes(plan.config);
  buffer_ = allocate(
      {"this ranking", bytes, plan.data.values.size() * sizeof(Real), memory_advice(plan.config)});
  Arena arena(buffer_.get(), bytes + kArenaAlignment);
  require(ranker_.create(arena, plan.config));
  if (const Scale& scale = plan.scale; !scale.offset.empty()) {
    require(ranker_.set_scale(0, Span<const Real>(scale.offset.data(), scale.offset.size()),
                              Span<const Real>(scale.gain.data(), scale.gain.size())));
  }
}

Refusals LocalRanker::observe_all(const Console& console) {
  Refusals refusals(plan_);
  Progress progress(console, "samples", plan_.data.samples());
  for (const Step& step : script_of(plan_)) {
    const Status status = take(step);
    if (!status.ok()) refusals.add(step, status.code(), describe(status));
    if (step.kind == Step::Kind::sample) progress.update(step.index + 1);
  }
  return refusals;
}

Status LocalRanker::take(const Step& step) {
  switch (step.kind) {
    case Step::Kind::sample: {
      Sample sample = sample_of(plan_, step.index);
      sample.id = step.index + 1;
      return ranker_.observe(sample);
    }
    case Step::Kind::pair: {
      const Pair& pair = plan_.pairs.list[step.index];
      return ranker_.constrain(pair.earlier + 1, pair.later + 1, pair.must_link);
    }
    case Step::Kind::label:
      return ranker_.label(step.index + 1, plan_.data.rows[step.index].label);
    case Step::Kind::rescale:
      break;
  }
  return ranker_.rescale();
}

void LocalRanker::refine(const Console& console) {
  Progress progress(console, "iterations");
  RefineSteps steps;
  std::size_t iterations = 0;
  for (;;) {
    const auto before = std::chrono::steady_clock::now();
    const Refinement done = ranker_.refine(steps.next());
    steps.took(std::chrono::steady_clock::now() - before);
    if (done.converged || done.iterations == 0) return;
    progress.update(iterations += done.iterations);
  }
}

Result LocalRanker::rank(std::uint32_t top, std::size_t refused, const Console& console) {
  refine(console);
  const Notice notice(console, "scoring");
  require(ranker_.rank(top));
  return result(refused);
}

Result LocalRanker::result(std::size_t refused) const {
  Result result;
  const SampleCounts& counts = ranker_.memory().counts();
  result.samples = {counts.labelled, counts.unlabelled, counts.universum,
                    ranker_.memory().points().size(), refused};
  const Ranking& ranking = ranker_.ranking();
  result.scores.assign(ranking.scores().begin(), ranking.scores().end());
  result.order.assign(ranking.order().begin(), ranking.order().end());
  result.selected.assign(ranking.selected().begin(), ranking.selected().end());
  for (std::size_t i = 0; i < ranker_.info().size(); ++i) {
    const InfoEntry& entry = ranker_.info()[i];
    result.info.push_back({entry.name,
                           entry.kind,
                           entry.number,
                           entry.text,
                           {entry.numbers.begin(), entry.numbers.end()}});
  }
  return result;
}

std::uint32_t LocalRanker::predict(Span<const Real> raw) {
  std::uint32_t label = 0;
  check(ranker_.predict(raw, &label));
  return label;
}

std::vector<Real> LocalRanker::memberships(std::size_t row) {
  std::vector<Real> degrees(plan_.data.classes.size());
  check(ranker_.memberships(row + 1, Span<Real>(degrees.data(), degrees.size())));
  return degrees;
}

}  // namespace whittle::cli
