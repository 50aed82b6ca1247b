#include "tools/simulate/unranked.h"

#include <algorithm>

namespace whittle::simulate {
namespace {

bool says(const std::string& answer, const char* part) {
  return answer.find(part) != std::string::npos;
}

// Without the advice behind it, which does not help against every lack.
std::string without_advice(const std::string& answer) {
  return answer.substr(0, answer.find(": "));
}

// As selectors and memory word it (docs/errors.md).
bool wants_labels(const std::string& answer) {
  return says(answer, "labelled samples") || says(answer, "of two classes");
}

// Within a half-life below one sample the newest outweighs all others together; within a longer
// one, what has not changed for long is as good as constant.
bool has_forgotten(const StreamMemory& memory, const std::vector<bool>& varied) {
  const MemoryConfig& config = memory.config();
  if (!(config.half_life > 0) || !config.moments) return false;
  if (config.half_life < 1) return true;
  for (std::size_t group = 0; group <= memory.moments().unlabelled(); ++group) {
    for (std::size_t r = 0; r < varied.size(); ++r) {
      if (varied[r] && memory.moment(group, r).deviations > 0) return false;
    }
  }
  return std::count(varied.begin(), varied.end(), true) > 0;
}

}  // namespace

Unranked not_asked(const FeaturePruner& pruner) {
  const PruningConfig& config = pruner.config();
  const std::uint64_t samples = pruner.statistics().samples;
  if (samples < config.warm_up) {
    return {"its warm-up of " + std::to_string(config.warm_up) + " samples outlasts the run",
            Lack::samples};
  }
  if (samples < config.update_every) {
    return {"its first mask is due after " + std::to_string(config.update_every) +
                " samples, the run has fewer",
            Lack::samples};
  }
  if (pruner.recovering()) {
    return {"it senses all after an alarm of drift until the end", Lack::calm};
  }
  return {};
}

Unranked refused(const std::string& answer, const StreamMemory& memory,
                 const std::vector<bool>& varied) {
  const std::string reason = answer.empty() ? "no feature has a score" : answer;
  if (wants_labels(answer)) return {reason, Lack::labels};
  if (has_forgotten(memory, varied)) {
    return {without_advice(reason) + ", since its half-life has it forget how features vary",
            Lack::half_life};
  }
  const std::size_t constant = taken_for_constant(memory, varied);
  if (constant > 0 && constant == std::size_t(std::count(varied.begin(), varied.end(), true))) {
    const std::uint32_t learn = memory.config().learn;
    return {without_advice(reason) + ", since its scale, learned from " + std::to_string(learn) +
                (learn == 1 ? " sample" : " samples") + ", takes every feature for constant",
            Lack::scale};
  }
  if (says(answer, "overflow")) return {reason, Lack::range};
  return {reason, Lack::features};
}

std::size_t taken_for_constant(const StreamMemory& memory, const std::vector<bool>& varied) {
  if (memory.scales_learned() == 0) return 0;
  std::size_t count = 0;
  for (std::size_t r = 0; r < varied.size(); ++r) count += varied[r] && memory.gain(r) == 0 ? 1 : 0;
  return count;
}

}  // namespace whittle::simulate
