#include "tools/cli/policies.h"

#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "tools/cli/error.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"
#include "whittle/rank/drift.h"

namespace whittle::cli {
namespace {

using simulate::Policy;
using simulate::PolicyKind;

struct WholeSetting {
  const char* name;
  std::uint32_t PruningConfig::*field;
  const char* help;
  std::uint32_t least = 0;
  std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  bool or_none = false;  // 0 is right, too
};

constexpr WholeSetting kWholeSettings[] = {
    {"warm_up", &PruningConfig::warm_up, "samples sensed whole at the start"},
    {"update_every", &PruningConfig::update_every, "samples from one mask to the next", 1},
    {"rank_margin", &PruningConfig::rank_margin, "positions by which a newcomer must be better"},
    {"dwell", &PruningConfig::dwell, "samples for which a feature that was switched stays so"},
    {"probe_every", &PruningConfig::probe_every, "samples from one probe to the next; 0: none"},
    {"drift_block", &PruningConfig::drift_block, "values compared with the past; 0: no detector",
     kLeastDriftBlock, kMostDriftBlock, true},
    {"recovery", &PruningConfig::recovery, "samples sensed whole after an alarm"},
};
constexpr char kFalseAlarmEvery[] = "false_alarm_every", kFromOneOn[] = "a number from 1 on";

std::string names() {
  std::vector<std::string> all;
  for (const WholeSetting& setting : kWholeSettings) all.emplace_back(setting.name);
  all.emplace_back(kFalseAlarmEvery);
  return listed(all, all.size());
}

std::string range_of(const WholeSetting& setting) {
  return std::string(setting.or_none ? "0 or " : "") + "a whole number from " +
         std::to_string(setting.least) + " to " + std::to_string(setting.most);
}

void assign_whole(const WholeSetting& setting, const std::string& value, PruningConfig* config) {
  const auto number = parse_whole(value, setting.most);
  if (!number || (*number < setting.least && (*number > 0 || !setting.or_none))) {
    throw UsageError("--prune " + std::string(setting.name) + ": " + in_quotes(value) + " is not " +
                     range_of(setting));
  }
  config->*setting.field = static_cast<std::uint32_t>(*number);
}

void assign(const std::string& name, const std::string& value, PruningConfig* config) {
  if (name == kFalseAlarmEvery) {
    double number = 0;
    const std::string wrong =
        read_number<float>(value, 1, in_quotes(value) + " is not " + kFromOneOn, &number);
    if (!wrong.empty()) throw UsageError("--prune " + name + ": " + wrong);
    config->false_alarm_every = to_real(number);
    return;
  }
  for (const WholeSetting& setting : kWholeSettings) {
    if (name == setting.name) return assign_whole(setting, value, config);
  }
  throw UsageError("--prune " + in_quotes(name) + ": there are " + names());
}

void assign_all(const std::vector<std::string>& assignments, PruningConfig* config) {
  std::set<std::string> given;
  for (const std::string& assignment : assignments) {
    const std::size_t sign = assignment.find('=');
    if (sign == std::string::npos) {
      throw UsageError("--prune " + in_quotes(assignment) + ": give NAME=VALUE");
    }
    const std::string name = assignment.substr(0, sign);
    assign(name, assignment.substr(sign + 1), config);
    if (!given.insert(name).second) throw UsageError("--prune " + name + ": given twice");
  }
}

// A number that a node is told as a float; `above`: it must be larger.
Real number_after(const std::string& text, std::size_t sign, double above, const char* wanted) {
  const std::string give = std::string("give ") + wanted + " after =";
  double number = above;
  std::string wrong = read_number<float>(text.substr(sign + 1), above, give, &number);
  if (wrong.empty() && number == above) wrong = give;
  if (!wrong.empty()) throw UsageError("--policy " + in_quotes(text) + ": " + wrong);
  return to_real(number);
}

// `policy` has what all have in common.
Policy parse_policy(const std::string& text, Policy policy) {
  policy.name = text;
  const std::size_t sign = text.find('=');
  const std::string name = text.substr(0, sign);
  if (sign != std::string::npos && name == "threshold") {
    policy.pruning.rule = PruningRule::threshold;
    policy.pruning.threshold =
        number_after(text, sign, -std::numeric_limits<double>::infinity(), "a number");
    return policy;
  }
  if (sign != std::string::npos && name == "budget") {
    policy.pruning.rule = PruningRule::budget;
    policy.pruning.budget = number_after(text, sign, 0, "a number above 0");
    return policy;
  }
  if (text == "all")
    policy.kind = PolicyKind::all;
  else if (text == "random")
    policy.kind = PolicyKind::random;
  else if (text == "once")
    policy.kind = PolicyKind::once;
  else if (text == "decision")
    policy.pruning.rule = PruningRule::decision;
  else if (text != "top")
    throw UsageError("--policy " + in_quotes(text) + ": there are " + kPolicyHelp);
  return policy;
}

bool same(const Policy& a, const Policy& b) {
  return a.kind == b.kind && a.pruning.rule == b.pruning.rule &&
         a.pruning.threshold == b.pruning.threshold && a.pruning.budget == b.pruning.budget;
}

}  // namespace

std::vector<Policy> parse_policies(const std::vector<std::string>& texts, std::uint32_t keep,
                                   const std::vector<std::string>& assignments) {
  Policy common;
  common.pruning.top = keep;
  assign_all(assignments, &common.pruning);
  std::vector<Policy> policies;
  for (const std::string& text : texts) {
    Policy policy = parse_policy(text, common);
    for (const Policy& other : policies) {
      if (!same(policy, other)) continue;
      throw UsageError("--policy " + in_quotes(text) + ": given twice" +
                       (text == other.name ? "" : ", first as " + in_quotes(other.name)));
    }
    policies.push_back(std::move(policy));
  }
  return policies;
}

std::string describe_pruning() {
  const PruningConfig defaults;
  std::string out;
  for (const WholeSetting& setting : kWholeSettings) {
    out += "  " + std::string(setting.name) + " (" + setting.help + "): " + range_of(setting) +
           ", default " + std::to_string(defaults.*setting.field) + '\n';
  }
  return out + "  " + kFalseAlarmEvery +
         " (samples from one false alarm to the next): " + kFromOneOn + ", default " +
         format_real(defaults.false_alarm_every);
}

}  // namespace whittle::cli
