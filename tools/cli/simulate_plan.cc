#include "tools/cli/simulate_plan.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "tools/cli/energy.h"
#include "tools/cli/error.h"
#include "tools/cli/number.h"
#include "tools/cli/policies.h"
#include "tools/cli/selectors.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using simulate::Contender;
using simulate::DriftKind;
using simulate::Fleet;
using simulate::Policy;
using simulate::PolicyKind;
using simulate::Readings;
using simulate::Record;

simulate::Drift parse_drift(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t at = text.find('@');
  const std::string name = text.substr(0, at);
  const std::uint64_t sample =
      at == std::string::npos ? 0 : parse_whole(text.substr(at + 1), ~0U).value_or(0);
  DriftKind kind = DriftKind::none;
  if (name == "permute") kind = DriftKind::permute;
  if (name == "rescale") kind = DriftKind::rescale;
  if (name == "shift") kind = DriftKind::shift;
  if (kind == DriftKind::none || sample == 0) {
    throw UsageError("--drift " + in_quotes(text) +
                     ": give permute, rescale or shift, @ and a sample from 1 on");
  }
  return {kind, static_cast<std::size_t>(sample)};
}

bool needs_selector(const Policy& policy) {
  return policy.kind != PolicyKind::all && policy.kind != PolicyKind::random;
}

// Every selector under every policy; what needs none runs once.
void set_contenders(const SimulateOptions& options, SimulatePlan* plan) {
  const std::vector<Policy> policies =
      parse_policies(options.policies, options.keep, options.pruning);
  const bool any_needs = std::any_of(policies.begin(), policies.end(), needs_selector);
  std::set<std::string> given;
  for (const std::string& selector : options.selectors) {
    const SelectorType& type = find_selector(selector);
    if (!given.insert(type.id).second) {
      throw UsageError("--selector " + in_quotes(selector) + ": given twice");
    }
    for (const Policy& policy : policies) {
      if (needs_selector(policy) || given.size() == 1) plan->contenders.push_back({&type, policy});
    }
    if (!any_needs && given.size() > 1) plan->unused.push_back(selector);
  }
}

std::string joined(const std::vector<std::string>& texts) {
  return texts.empty() ? "as they come" : listed(texts, texts.size());
}

std::string described_scale(const Fleet& fleet, std::size_t samples) {
  return scale_learned_from(fleet.learn) +
         (fleet.learn > samples ? ", more than a node has: none" : "");
}

}  // namespace

std::string scale_learned_from(std::size_t learn) {
  return learn == 0 ? "none" : "learned from " + counted(learn, "sample");
}

SimulatePlan plan_simulation(const SimulateOptions& options) {
  SimulatePlan plan;
  plan.fleet = options.fleet;
  plan.fleet.drift = parse_drift(options.drift);
  plan.fleet.energy = parse_energy(options.energy);
  set_contenders(options, &plan);
  return plan;
}

void check_sizes(const SimulateOptions& options, const Fleet& fleet, const Readings& readings) {
  if (options.keep > readings.features.size()) {
    throw UsageError("--keep " + std::to_string(options.keep) + ": the file has " +
                     counted(readings.features.size(), "feature"));
  }
  if (fleet.nodes > readings.rows()) {
    throw UsageError("--nodes " + std::to_string(fleet.nodes) + ": the file has " +
                     counted(readings.rows(), "row") + " to deal to them");
  }
  const std::size_t samples = readings.rows() / fleet.nodes;
  if (fleet.drift.at >= samples && fleet.drift.at > 0) {
    throw UsageError("--drift " + in_quotes(options.drift) + ": each node has " +
                     counted(samples, "sample") + ", so the drift never comes");
  }
}

void check_budgets(const SimulatePlan& plan, std::size_t features) {
  const double least = simulate::cheapest_unit(plan.fleet.costs, features);
  for (const Contender& contender : plan.contenders) {
    const PruningConfig& pruning = contender.policy.pruning;
    if (pruning.rule != PruningRule::budget || static_cast<double>(pruning.budget) >= least) {
      continue;
    }
    throw UsageError("--policy " + in_quotes(contender.policy.name) +
                     ": the cheapest that can be sensed costs " + format_real(to_real(least)) +
                     "; give a budget of that or more");
  }
}

void describe_settings(const SimulateOptions& options, const Fleet& fleet, Record* record) {
  const auto add = [&](const char* name, const std::string& value) {
    record->settings.emplace_back(name, value);
  };
  const auto number = [](double value) { return format_real(to_real(value)); };
  add("file", record->data);
  add("selectors", joined(options.selectors));
  add("policies", joined(options.policies));
  add("pruner", joined(options.pruning));
  add("features kept", options.keep == 0 ? "half" : std::to_string(options.keep));
  if (!options.costs.empty()) {
    add("costs", std::filesystem::path(options.costs).filename().string() + ", " +
                     counted(fleet.costs.groups.size(), "group"));
  }
  add("frames lost", number(100 * fleet.loss) + " %");
  add("labels", number(100 * fleet.label_rate) + " % of the samples, " +
                    std::to_string(fleet.label_delay) + " samples late");
  add("drift", options.drift.empty() ? "none" : options.drift);
  add("held by a node", std::to_string(fleet.labelled) + " labelled samples, a window of " +
                            std::to_string(fleet.window) + ", " +
                            counted(fleet.codebook, "prototype"));
  add("scale", described_scale(fleet, record->samples));
  add("half-life", fleet.half_life > 0 ? number(fleet.half_life) + " samples" : "none");
  add("seed", std::to_string(fleet.seed));
}

}  // namespace whittle::cli
