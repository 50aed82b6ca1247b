#include "tools/cli/script.h"

namespace whittle::cli {

std::vector<Step> script_of(const Plan& plan) {
  using Kind = Step::Kind;
  std::vector<Step> script;
  const std::size_t rows = plan.data.samples();
  const std::size_t delay = plan.label_delay;
  const auto label = [&](std::size_t row) {
    if (plan.data.rows[row].kind == SampleKind::labelled) script.push_back({Kind::label, row});
  };
  std::size_t pair = 0;
  std::size_t learned_from = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    learned_from += plan.data.rows[i].kind != SampleKind::universum;
    script.push_back({Kind::sample, i});
    for (; pair < plan.pairs.list.size() && plan.pairs.list[pair].later == i; ++pair) {
      script.push_back({Kind::pair, pair});
    }
    if (delay > 0 && i >= delay) label(i - delay);
    const bool learned = learned_from >= plan.config.memory.learn;
    if (learned && plan.rescale_every > 0 && (i + 1) % plan.rescale_every == 0) {
      script.push_back({Kind::rescale, i});
    }
  }
  if (delay == 0) return script;
  for (std::size_t i = rows > delay ? rows - delay : 0; i < rows; ++i) label(i);
  return script;
}

Sample sample_of(const Plan& plan, std::size_t i) {
  Sample sample = plan.data.sample(i);
  if (plan.label_delay > 0 && sample.kind == SampleKind::labelled) {
    sample.kind = SampleKind::unlabelled;
  }
  return sample;
}

}  // namespace whittle::cli
