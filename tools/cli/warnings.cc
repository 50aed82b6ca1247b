#include "tools/cli/warnings.h"

#include <cstring>
#include <string>
#include <vector>

#include "tools/cli/parameters.h"
#include "tools/cli/scaling.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

void warn_of_scale(const Plan& plan, const Result& result, const Console& console) {
  const std::uint32_t learn = plan.config.memory.learn;
  if (learn == 0) return;
  const std::uint64_t ordinary = result.samples.labelled + result.samples.unlabelled;
  const std::string parameter = "--param learn=" + std::to_string(learn) + ": ";
  if (ordinary < learn) {
    warn(console, parameter + "there were only " + counted(ordinary, "sample") +
                      " that are not universum; nothing is scaled");
    return;
  }
  std::vector<std::string> names;
  for (const std::size_t r : features_that_vary_too_late(plan.data, learn, plan.rescale_every)) {
    names.push_back(in_quotes(plan.data.names[r]));
  }
  if (names.empty()) return;
  warn(console, parameter + counted(names.size(), "column") +
                    " with one value only where the scale is learned, though not later: " +
                    listed(names, 5) + "; all are taken for constant, so learn from more samples");
}

// Whether info has a boolean of this name and value.
bool says(const Result& result, const char* name, bool value) {
  for (const Result::Info& info : result.info) {
    if (info.name == name && info.kind == InfoKind::boolean) return (info.number != 0) == value;
  }
  return false;
}

// "; --param max_iter=N (now 200) allows more", if the selector has such a parameter.
std::string iterations_advice(const RankerConfig& config) {
  for (std::size_t i = 0; i < config.selector->params.size(); ++i) {
    const ParamSpec& spec = config.selector->params[i];
    if (std::strcmp(spec.name, "max_iter") != 0) continue;
    return "; --param max_iter=N (now " + format_parameter(spec, config.values[i]) +
           ") allows more iterations";
  }
  return {};
}

}  // namespace

void warn_of_result(const Plan& plan, const Result& result, const Console& console) {
  warn_of_scale(plan, result, console);
  if (says(result, "converged", false)) {
    warn(console, "not converged: the scores are those of the best state so far" +
                      iterations_advice(plan.config));
  }
  if (says(result, "collapsed", true)) {
    warn(console, "clusters have collapsed into one point: the scores say little");
  }
}

}  // namespace whittle::cli
